//===- RuleEmitTest.cpp - Formulas as IR, and finding them from IR --------===//
#include "RuleSamples.h"
#include "Rules/FormulaEmit.h"
#include "Rules/Lookup.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
namespace rules = tapefree::rules;
using rules::ScalarRule;

namespace {

/// `Ty Name(Ty x, y, z, i32 n, Ty r)` with the formula as its body; as many arguments as the rule has.
Function *emitInto(Module &M, const Twine &Name, const ScalarRule &Rule, const rules::Formula &F, Type *Ty,
                   Type *IntTy) {
  SmallVector<Type *, 5> Types(Rule.Arity, Ty);
  if (Rule.HasInt)
    Types.push_back(IntTy);
  Types.push_back(Ty);
  Function *Fn = Function::Create(FunctionType::get(Ty, Types, false), Function::ExternalLinkage, Name, M);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "entry", Fn));
  SmallVector<Value *, 4> Args;
  for (unsigned I = 0; I + 1 < Fn->arg_size(); ++I)
    Args.push_back(Fn->getArg(I));
  B.CreateRet(rules::emitFormula(B, F, Args, Fn->getArg(Fn->arg_size() - 1), Ty));
  return Fn;
}

std::string textOf(const Function &F) {
  std::string Text;
  raw_string_ostream(Text) << F;
  return Text;
}

TEST(RuleEmit, EveryFormulaIsValidInEveryType) {
  LLVMContext Context;
  Type *Double = Type::getDoubleTy(Context), *Float = Type::getFloatTy(Context);
  Type *Types[] = {Double,
                   Float,
                   FixedVectorType::get(Double, 4),
                   FixedVectorType::get(Float, 3),
                   Type::getHalfTy(Context),
                   Type::getBFloatTy(Context),
                   Type::getX86_FP80Ty(Context),
                   Type::getFP128Ty(Context),
                   FixedVectorType::get(Type::getHalfTy(Context), 2)};
  for (Type *Ty : Types)
    for (unsigned IntBits : {32, 64}) {
      Module M("formulas", Context);
      rules::forEachRule([&](const ScalarRule &Rule) {
        StringRef Name(Rule.Name.data(), Rule.Name.size());
        Type *IntTy = Type::getIntNTy(Context, IntBits);
        emitInto(M, Name + "_value", Rule, Rule.Value, Ty, IntTy);
        for (unsigned I = 0; I < Rule.Arity; ++I)
          emitInto(M, Name + "_" + Twine(I), Rule, Rule.Partial[I], Ty, IntTy);
      });
      EXPECT_FALSE(verifyModule(M, &errs()));
    }
}

TEST(RuleEmit, LibraryCallsArePureAndSuffixed) {
  LLVMContext Context;
  Module M("library", Context);
  M.setTargetTriple(Triple("x86_64-unknown-linux-gnu"));
  const ScalarRule *Hypot = rules::libraryRule("hypot", *Type::getDoubleTy(Context));
  ASSERT_NE(Hypot, nullptr);
  for (Type *Ty : {Type::getFloatTy(Context), Type::getDoubleTy(Context), Type::getX86_FP80Ty(Context),
                   Type::getFP128Ty(Context), Type::getHalfTy(Context)})
    emitInto(M, "f", *Hypot, Hypot->Value, Ty, nullptr);
  for (const char *Name : {"hypot", "hypotf", "hypotl", "hypotf128"})
    EXPECT_NE(M.getFunction(Name), nullptr) << Name;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I))
        EXPECT_TRUE(Call->doesNotThrow() && Call->doesNotAccessMemory() &&
                    Call->hasFnAttr(Attribute::WillReturn));
}

TEST(RuleEmit, FastMathFlagsAreTheBuilders) {
  LLVMContext Context;
  Module M("flags", Context);
  Type *Double = Type::getDoubleTy(Context);
  const ScalarRule *Pow = rules::libraryRule("pow", *Double);
  Function *F = emitInto(M, "f", *Pow, Pow->Partial[1], Double, nullptr);
  IRBuilder<> B(F->getEntryBlock().getTerminator());
  B.setFastMathFlags(FastMathFlags::getFast());
  rules::emitFormula(B, Pow->Partial[1], {F->getArg(0), F->getArg(1)}, F->getArg(2));
  unsigned Fast = 0, Strict = 0;
  for (Instruction &I : instructions(F))
    if (isa<FPMathOperator>(I))
      ++(I.isFast() ? Fast : Strict);
  EXPECT_EQ(Fast, Strict) << textOf(*F);
  EXPECT_GT(Fast, 3u);
}

/// The emitted code and the plain evaluator agree, at ordinary and at extreme arguments.
TEST(RuleEmit, CompiledFormulasAgreeWithTheEvaluator) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  auto Context = std::make_unique<LLVMContext>();
  auto M = std::make_unique<Module>("jit", *Context);
  Type *Double = Type::getDoubleTy(*Context), *Int = Type::getInt32Ty(*Context);
  rules::forEachRule([&](const ScalarRule &Rule) {
    for (unsigned I = 0; I < Rule.Arity; ++I) {
      // One shape for all: double (double x, y, z, i32 n, double r).
      StringRef Name(Rule.Name.data(), Rule.Name.size());
      Function *F = Function::Create(FunctionType::get(Double, {Double, Double, Double, Int, Double}, false),
                                     Function::ExternalLinkage, "partial_" + Name + "_" + Twine(I), *M);
      IRBuilder<> B(BasicBlock::Create(*Context, "entry", F));
      SmallVector<Value *, 4> Args;
      for (unsigned A = 0; A < Rule.Arity; ++A)
        Args.push_back(F->getArg(A));
      if (Rule.HasInt)
        Args.push_back(F->getArg(3));
      B.CreateRet(rules::emitFormula(B, Rule.Partial[I], Args, F->getArg(4)));
    }
  });
  auto Jit = cantFail(orc::LLJITBuilder().create());
  Jit->getMainJITDylib().addGenerator(cantFail(
      orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(Jit->getDataLayout().getGlobalPrefix())));
  cantFail(Jit->addIRModule(orc::ThreadSafeModule(std::move(M), std::move(Context))));
  rules::forEachRule([&](const ScalarRule &Rule) {
    auto Samples = rules::ordinarySamples(Rule), Extreme = rules::extremeSamples(Rule);
    Samples.insert(Samples.end(), Extreme.begin(), Extreme.end());
    for (unsigned I = 0; I < Rule.Arity; ++I) {
      auto Address = cantFail(Jit->lookup("partial_" + std::string(Rule.Name) + "_" + std::to_string(I)));
      auto *Compiled = Address.toPtr<double(double, double, double, int, double)>();
      for (const auto &At : Samples) {
        double Expected = rules::partialAt(Rule, I, At);
        double Got = Compiled(At.Args[0], At.Args[1], At.Args[2], At.N, rules::valueAt(Rule, At));
        if (std::isnan(Expected))
          EXPECT_TRUE(std::isnan(Got)) << rules::describe(Rule, I, At);
        else if (Expected != Got)
          // powi multiplies step by step: an intermediate may overflow where pow's does not, and it rounds n
          // times.
          EXPECT_NEAR(Got, Expected, std::fabs(Expected) * 1e-13) << rules::describe(Rule, I, At);
      }
    }
  });
}

/// The name of the rule of the instruction called %r in \p Body, or "".
std::string_view ruleOf(StringRef Declarations, StringRef Body) {
  LLVMContext Context;
  SMDiagnostic Error;
  std::string Source = (Declarations +
                        "\ndefine void @test(double %x, float %f, x86_fp80 %l, <2 x double> %v, ptr %p, i32 "
                        "%i, i64 %n) {\n  %r = " +
                        Body + "\n  ret void\n}\n")
                           .str();
  std::unique_ptr<Module> M = parseAssemblyString(Source, Error, Context);
  if (!M) {
    ADD_FAILURE() << Error.getMessage().str() << "\n" << Source;
    return "";
  }
  const ScalarRule *Rule = rules::scalarRule(M->getFunction("test")->getEntryBlock().front());
  return Rule ? Rule->Name : "";
}

TEST(RuleLookup, Instructions) {
  EXPECT_EQ(ruleOf("", "fadd double %x, %x"), "fadd");
  EXPECT_EQ(ruleOf("", "fneg <2 x double> %v"), "fneg");
  EXPECT_EQ(ruleOf("", "frem float %f, %f"), "fmod");
  EXPECT_EQ(ruleOf("", "freeze double %x"), "identity");
  EXPECT_EQ(ruleOf("", "freeze i32 %i"), "");
  EXPECT_EQ(ruleOf("", "add i32 %i, %i"), "");
}

TEST(RuleLookup, Intrinsics) {
  EXPECT_EQ(ruleOf("declare <2 x double> @llvm.sin.v2f64(<2 x double>)",
                   "call <2 x double> @llvm.sin.v2f64(<2 x double> %v)"),
            "sin");
  EXPECT_EQ(ruleOf("declare double @llvm.powi.f64.i32(double, i32)",
                   "call double @llvm.powi.f64.i32(double %x, i32 %i)"),
            "powi");
  EXPECT_EQ(ruleOf("declare double @llvm.fmuladd.f64(double, double, double)",
                   "call double @llvm.fmuladd.f64(double %x, double %x, double %x)"),
            "fma");
  EXPECT_EQ(ruleOf("declare float @llvm.minimumnum.f32(float, float)",
                   "call float @llvm.minimumnum.f32(float %f, float %f)"),
            "fmin");
  EXPECT_EQ(ruleOf("declare i32 @llvm.smax.i32(i32, i32)", "call i32 @llvm.smax.i32(i32 %i, i32 %i)"), "");
}

TEST(RuleLookup, LibraryFunctions) {
  EXPECT_EQ(ruleOf("declare double @erf(double)", "call double @erf(double %x)"), "erf");
  EXPECT_EQ(ruleOf("declare float @erff(float)", "call float @erff(float %f)"), "erf");
  EXPECT_EQ(ruleOf("declare x86_fp80 @sinl(x86_fp80)", "call x86_fp80 @sinl(x86_fp80 %l)"), "sin");
  EXPECT_EQ(ruleOf("declare double @__exp_finite(double)", "call double @__exp_finite(double %x)"), "exp");
  EXPECT_EQ(ruleOf("declare float @__expf_finite(float)", "call float @__expf_finite(float %f)"), "exp");
  EXPECT_EQ(ruleOf("declare double @scalbln(double, i64)", "call double @scalbln(double %x, i64 %n)"),
            "ldexp");
  // Not the C library's.
  EXPECT_EQ(ruleOf("declare float @sin(float)", "call float @sin(float %f)"), "");
  EXPECT_EQ(ruleOf("declare double @sin(double, double)", "call double @sin(double %x, double %x)"), "");
  EXPECT_EQ(ruleOf("declare double @__exp(double)", "call double @__exp(double %x)"), "");
  EXPECT_EQ(ruleOf("declare double @sine(double)", "call double @sine(double %x)"), "");
  EXPECT_EQ(ruleOf("define double @sin(double %a) {\n  ret double %a\n}", "call double @sin(double %x)"), "");
}

TEST(RuleLookup, ConstantDivisorsNeedNoGuard) {
  LLVMContext Context;
  Module M("guard", Context);
  Type *Double = Type::getDoubleTy(Context);
  Function *F =
      Function::Create(FunctionType::get(Double, {Double, Double}, false), Function::ExternalLinkage, "f", M);
  IRBuilder<> B(BasicBlock::Create(Context, "entry", F));
  auto guarded = [&](Value *Divisor) {
    auto *Division = cast<Instruction>(B.CreateFDiv(F->getArg(0), Divisor));
    return rules::needsStrongZero(*rules::scalarRule(*Division), 0, *Division);
  };
  EXPECT_TRUE(guarded(F->getArg(1)));
  EXPECT_TRUE(guarded(ConstantFP::get(Double, 0.0)));
  EXPECT_TRUE(guarded(ConstantFP::get(Double, 1e-320)));
  EXPECT_FALSE(guarded(ConstantFP::get(Double, 3.0)));
}

} // namespace
