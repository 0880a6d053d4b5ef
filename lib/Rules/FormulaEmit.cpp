//===- FormulaEmit.cpp - A formula as IR ----------------------------------===//
#include "Rules/FormulaEmit.h"
#include "Rules/Digamma.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tapefree::rules {

static Intrinsic::ID intrinsicOf(Fn F) {
  constexpr Intrinsic::ID Table[] = {
#define TAPEFREE_FN(Enumerator, Name, Arity, Id) Intrinsic::Id,
#define TAPEFREE_INT_FN(Enumerator, Name, Id) Intrinsic::Id,
#include "Rules/Functions.def"
  };
  return Table[static_cast<unsigned>(F)];
}

namespace {

/// Values and operations of one type, for both the nodes of a formula and Digamma.h.
class EmitAlgebra {
public:
  using Value = llvm::Value *;
  EmitAlgebra(IRBuilderBase &B, Type *Ty) : B(B), Ty(Ty) {}

  Value constant(double V) { return ConstantFP::get(Ty, V); }
  Value constant(NamedConstant C) {
    std::string_view Digits = info(C).Digits;
    return ConstantFP::get(Ty, StringRef(Digits.data(), Digits.size()));
  }
  Value pi() { return constant(NamedConstant::Pi); }
  Value add(Value A, Value C) { return B.CreateFAdd(A, C); }
  Value sub(Value A, Value C) { return B.CreateFSub(A, C); }
  Value mul(Value A, Value C) { return B.CreateFMul(A, C); }
  Value div(Value A, Value C) { return B.CreateFDiv(A, C); }
  Value less(Value A, Value C) { return B.CreateFCmpOLT(A, C); }
  Value select(Value If, Value Then, Value Else) { return B.CreateSelect(If, Then, Else); }
  Value log(Value A) { return call(Fn::Log, A); }
  Value rint(Value A) { return call(Fn::Rint, A); }
  Value tan(Value A) { return call(Fn::Tan, A); }

  Value call(Fn F, ArrayRef<Value> Args);
  Value toReal(Value Int);

private:
  IRBuilderBase &B;
  Type *Ty;

  Value lanewise(Fn F, ArrayRef<Value> Args);
  Value library(Fn F, ArrayRef<Value> Args);
};

} // namespace

Value *EmitAlgebra::call(Fn F, ArrayRef<Value> Args) {
  if (F == Fn::Digamma)
    return digamma(*this, Args[0]);
  if (F == Fn::Fmod)
    return B.CreateFRem(Args[0], Args[1]);
  Intrinsic::ID ID = intrinsicOf(F);
  if (ID == Intrinsic::not_intrinsic)
    return Ty->isVectorTy() ? lanewise(F, Args) : library(F, Args);
  if (!info(F).IntLast)
    return B.CreateIntrinsic(ID, {Ty}, Args);
  Value Int = Args[1];
  if (Int->getType()->getScalarSizeInBits() > 32) {
    // No target has ldexp or powi with a longer exponent. Beyond +-2^20 every power of two is 0 or infinite.
    Type *Wide = Int->getType();
    Int = B.CreateBinaryIntrinsic(Intrinsic::smax, Int, ConstantInt::getSigned(Wide, -(1 << 20)));
    Int = B.CreateBinaryIntrinsic(Intrinsic::smin, Int, ConstantInt::getSigned(Wide, 1 << 20));
    Int = B.CreateTrunc(Int, Wide->getWithNewType(B.getInt32Ty()));
  }
  if (F == Fn::Ldexp && Ty->isVectorTy() && !Int->getType()->isVectorTy())
    Int = B.CreateVectorSplat(cast<FixedVectorType>(Ty)->getNumElements(), Int);
  return B.CreateIntrinsic(ID, {Ty, Int->getType()}, {Args[0], Int});
}

Value *EmitAlgebra::toReal(Value Int) {
  if (!Ty->isVectorTy() || Int->getType()->isVectorTy())
    return B.CreateSIToFP(Int, Ty);
  return B.CreateVectorSplat(cast<FixedVectorType>(Ty)->getNumElements(),
                             B.CreateSIToFP(Int, Ty->getScalarType()));
}

/// The C library has no vectors: one call for each lane.
Value *EmitAlgebra::lanewise(Fn F, ArrayRef<Value> Args) {
  EmitAlgebra Scalar(B, Ty->getScalarType());
  Value Joined = PoisonValue::get(Ty);
  for (unsigned Lane = 0, E = cast<FixedVectorType>(Ty)->getNumElements(); Lane < E; ++Lane) {
    SmallVector<Value, 3> LaneArgs;
    for (Value Arg : Args)
      LaneArgs.push_back(B.CreateExtractElement(Arg, Lane));
    Joined = B.CreateInsertElement(Joined, Scalar.library(F, LaneArgs), Lane);
  }
  return Joined;
}

/// What the C library appends to a function's name for arguments of type \p Ty.
static StringRef librarySuffix(Type *Ty, const Triple &Target) {
  if (Ty->isFloatTy())
    return "f";
  if (Ty->isDoubleTy())
    return "";
  // glibc on x86 has fp128 beside an 80-bit long double; elsewhere fp128 is long double.
  return Ty->isFP128Ty() && Target.isX86() ? "f128" : "l";
}

Value *EmitAlgebra::library(Fn F, ArrayRef<Value> Args) {
  if (Ty->isHalfTy() || Ty->isBFloatTy()) {
    SmallVector<Value, 3> Wide;
    for (Value Arg : Args)
      Wide.push_back(B.CreateFPExt(Arg, B.getFloatTy()));
    EmitAlgebra Float(B, B.getFloatTy());
    return B.CreateFPTrunc(Float.library(F, Wide), Ty);
  }
  Module &M = *B.GetInsertBlock()->getModule();
  std::string_view Base = info(F).Name;
  SmallString<16> Name(StringRef(Base.data(), Base.size()));
  Name += librarySuffix(Ty, M.getTargetTriple());
  SmallVector<Type *, 3> Types(Args.size(), Ty);
  CallInst *Call = B.CreateCall(M.getOrInsertFunction(Name, FunctionType::get(Ty, Types, false)), Args);
  // On the call, not on the declaration: the program may itself call the function and look at errno.
  Call->addFnAttr(Attribute::NoUnwind);
  Call->addFnAttr(Attribute::WillReturn);
  Call->setDoesNotAccessMemory();
  return Call;
}

static CmpInst::Predicate predicate(Op Operation, bool OfInts) {
  switch (Operation) {
  case Op::Less:
    return OfInts ? CmpInst::ICMP_SLT : CmpInst::FCMP_OLT;
  case Op::LessEqual:
    return OfInts ? CmpInst::ICMP_SLE : CmpInst::FCMP_OLE;
  case Op::Equal:
    return OfInts ? CmpInst::ICMP_EQ : CmpInst::FCMP_OEQ;
  default:
    return OfInts ? CmpInst::ICMP_NE : CmpInst::FCMP_UNE;
  }
}

static Type *valueType(ArrayRef<Value *> Args, Value *Result) {
  if (Result)
    return Result->getType();
  for (Value *Arg : Args)
    if (Arg && Arg->getType()->isFPOrFPVectorTy())
      return Arg->getType();
  llvm_unreachable("a formula without any floating value needs its type stated");
}

Value *emitFormula(IRBuilderBase &B, const Formula &F, ArrayRef<Value *> Args, Value *Result, Type *Ty) {
  EmitAlgebra Algebra(B, Ty ? Ty : valueType(Args, Result));
  Value *Values[Formula::Capacity] = {};
  Type *IntTy = !Args.empty() && Args.back() ? Args.back()->getType() : nullptr;
  for (unsigned I = 0; I < F.size(); ++I) {
    const Node &N = F[I];
    bool OfInts = F[N.A].Type == Kind::Int;
    Value *X = Values[N.A], *Y = Values[N.B], *Z = Values[N.C];
    switch (N.Operation) {
    case Op::Arg:
      Values[I] = Args[N.Id];
      break;
    case Op::Result:
      Values[I] = Result;
      break;
    case Op::IntArg:
      Values[I] = Args.back();
      break;
    case Op::Const:
      Values[I] = Algebra.constant(N.Value);
      break;
    case Op::NamedConst:
      Values[I] = Algebra.constant(static_cast<NamedConstant>(N.Id));
      break;
    case Op::IntConst:
      Values[I] = ConstantInt::getSigned(IntTy, static_cast<int64_t>(N.Value));
      break;
    case Op::Neg:
      Values[I] = B.CreateFNeg(X);
      break;
    case Op::Add:
      Values[I] = Algebra.add(X, Y);
      break;
    case Op::Sub:
      Values[I] = OfInts ? B.CreateSub(X, Y) : Algebra.sub(X, Y);
      break;
    case Op::Mul:
      Values[I] = Algebra.mul(X, Y);
      break;
    case Op::Div:
      Values[I] = Algebra.div(X, Y);
      break;
    case Op::Less:
    case Op::LessEqual:
    case Op::Equal:
    case Op::NotEqual:
      Values[I] = B.CreateCmp(predicate(N.Operation, OfInts), X, Y);
      break;
    case Op::Select:
      Values[I] = Algebra.select(X, Y, Z);
      break;
    case Op::ToReal:
      Values[I] = Algebra.toReal(X);
      break;
    case Op::Call: {
      Value *Operands[] = {X, Y, Z};
      Fn Callee = static_cast<Fn>(N.Id);
      Values[I] = Algebra.call(Callee, ArrayRef<Value *>(Operands).take_front(info(Callee).Arity));
      break;
    }
    }
  }
  return Values[F.size() - 1];
}

} // namespace tapefree::rules
