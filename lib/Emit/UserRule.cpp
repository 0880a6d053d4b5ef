#include "Emit/UserRule.h"
#include "Emit/LaneEntry.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tapefree {

// What tapefree/rule.hpp may assume of the memory of a tape.
static const Align TapeAlign(16);

namespace {
/// Calls functions of one rule from inside one derivative function.
class RuleCaller {
public:
  RuleCaller(Function &Into, Function &Source, ArrayRef<ArgActivity> Activities, bool Tangents,
             unsigned Width)
      : Into(Into), Source(Source), Width(Width), B(BasicBlock::Create(Into.getContext(), "entry", &Into)) {
    copyTarget(Into, Source);
    for (Argument &A : Source.args()) {
      Primals.push_back(Into.getArg(Next++));
      ArgActivity Act = Activities[A.getArgNo()];
      bool Given = Tangents ? Act != ArgActivity::Const : hasShadowArgument(Act);
      Shadows.push_back(Given ? Into.getArg(Next++) : nullptr);
      MayBeNone.push_back(Act == ArgActivity::DupMaybe);
    }
  }
  /// The next parameter behind the arguments.
  Value *next() { return Into.getArg(Next++); }
  Value *call(Function &Callee, ArrayRef<Value *> Args) {
    CallInst *Call = B.CreateCall(&Callee, Args);
    Call->setCallingConv(Callee.getCallingConv());
    for (unsigned K = 0; K < Args.size(); ++K) // how the C ABI passes small integers
      for (Attribute::AttrKind A : {Attribute::ZExt, Attribute::SExt})
        if (Callee.hasParamAttribute(K, A))
          Call->addParamAttr(K, A);
    return Call;
  }
  Value *lane(Value *V, unsigned K) { return Width == 1 ? V : B.CreateExtractElement(V, K); }
  Value *withLane(Value *All, Value *V, unsigned K) {
    return Width == 1 ? V : B.CreateInsertElement(All, V, K);
  }
  /// The shadow or tangent of argument `I` in a lane: null or zero where the call has none.
  Value *shadow(unsigned I, unsigned K, bool Compare) {
    Type *T = Primals[I]->getType();
    if (!Shadows[I])
      return Constant::getNullValue(T);
    Value *S = lane(Shadows[I], K);
    if (!Compare || !MayBeNone[I])
      return S;
    return B.CreateSelect(B.CreateICmpEQ(Primals[I], S), Constant::getNullValue(T), S);
  }
  Value *slot(Type *T, MaybeAlign A = std::nullopt) {
    AllocaInst *Slot = B.CreateAlloca(T);
    if (A)
      Slot->setAlignment(std::max(*A, Slot->getAlign()));
    return Slot;
  }
  Value *slotOf(Value *V, MaybeAlign A = std::nullopt) {
    Value *Slot = slot(V->getType(), A);
    B.CreateStore(V, Slot);
    return Slot;
  }
  /// An array of the addresses of values; null for none.
  Value *addresses(ArrayRef<Value *> Values) {
    Value *All = slot(ArrayType::get(B.getPtrTy(), std::max<size_t>(Values.size(), 1)));
    for (auto [K, V] : enumerate(Values))
      B.CreateStore(V ? slotOf(V) : Constant::getNullValue(B.getPtrTy()),
                    B.CreateConstInBoundsGEP1_64(B.getPtrTy(), All, K));
    return All;
  }
  /// Calls a function that returns a C struct of type `S`, by whatever registers, and gives the struct's
  /// memory.
  Value *returned(Function &Callee, SmallVector<Value *, 16> Args) {
    if (Callee.hasParamAttribute(0, Attribute::StructRet)) {
      Value *Memory = slot(Callee.getParamStructRetType(0));
      Args.insert(Args.begin(), Memory);
      cast<CallBase>(call(Callee, Args))
          ->addParamAttr(
              0, Attribute::getWithStructRetType(Callee.getContext(), Callee.getParamStructRetType(0)));
      return Memory;
    }
    Value *Result = call(Callee, Args), *Memory = slot(Callee.getReturnType(), Align(16));
    B.CreateStore(Result, Memory);
    return Memory;
  }
  Value *field(StructType *S, Value *Memory, unsigned K) {
    return B.CreateLoad(S->getElementType(K), B.CreateStructGEP(S, Memory, K));
  }
  void ret(ArrayRef<Value *> Results) {
    if (Results.empty())
      B.CreateRetVoid();
    else
      B.CreateAggregateRet(const_cast<Value **>(Results.data()), unsigned(Results.size()));
  }

  Function &Into, &Source;
  unsigned Width, Next = 0;
  IRBuilder<> B;
  SmallVector<Value *, 8> Primals, Shadows;
  SmallVector<bool, 8> MayBeNone;
};
} // namespace

static Constant *noPointer(LLVMContext &C) { return ConstantPointerNull::get(PointerType::getUnqual(C)); }

static void emitAugmented(Function &Into, Function &Source, const rules::UserRule &Rule,
                          const CallSignature &S) {
  RuleCaller R(Into, Source, S.Args, /*Tangents=*/false, S.Lanes.Width);
  LLVMContext &C = Into.getContext();
  Type *Ret = Source.getReturnType();
  Value *Tape = noPointer(C), *Result = nullptr;
  if (Rule.PlainReverse) {
    Value *Memory = Rule.Tape ? R.slot(Rule.Tape, TapeAlign) : noPointer(C);
    Value *Out = Ret->isVoidTy() ? static_cast<Value *>(noPointer(C)) : R.slot(Ret);
    R.call(*Rule.Augmented, {R.addresses(R.Primals), noPointer(C), noPointer(C), Memory, Out});
    if (Rule.Tape)
      Tape = R.B.CreateLoad(Rule.Tape, Memory);
    if (!Ret->isVoidTy())
      Result = R.B.CreateLoad(Ret, Out);
  } else {
    SmallVector<Value *, 16> Args;
    for (unsigned I = 0; I < R.Primals.size(); ++I) {
      Args.push_back(R.Primals[I]);
      if (R.Primals[I]->getType()->isPointerTy())
        Args.push_back(R.shadow(I, 0, /*Compare=*/true));
    }
    Value *Given = R.call(*Rule.Augmented, Args);
    if (Ret->isVoidTy()) {
      if (Rule.Tape)
        Tape = Given;
    } else if (Rule.Tape) {
      Tape = R.B.CreateExtractValue(Given, 0);
      Result = R.B.CreateExtractValue(Given, 1);
    } else {
      Result = Given;
    }
  }
  SmallVector<Value *, 2> Results = {Tape};
  if (Result)
    Results.push_back(Result);
  R.ret(Results);
}

/// The partial derivatives of a rule: one field for each floating parameter.
static StructType *partials(const Function &Source) {
  SmallVector<Type *, 4> Types;
  for (const Argument &A : Source.args())
    if (A.getType()->isFloatingPointTy())
      Types.push_back(A.getType());
  return Types.empty() ? nullptr : StructType::get(Source.getContext(), Types);
}

static void emitReverse(Function &Into, Function &Source, const rules::UserRule &Rule,
                        const CallSignature &S) {
  RuleCaller R(Into, Source, S.Args, /*Tangents=*/false, S.Lanes.Width);
  LLVMContext &C = Into.getContext();
  Type *Ret = Source.getReturnType();
  Value *Tape = Rule.Tape ? R.next() : nullptr, *Seeds = S.ReturnActive ? R.next() : nullptr;
  StructType *Fields = partials(Source);
  SmallVector<Value *, 8> Outs;
  for (const Argument &A : Source.args())
    if (S.Args[A.getArgNo()] == ArgActivity::Out)
      Outs.push_back(PoisonValue::get(differentialType(A.getType(), S.Lanes.inMemory(), S.Lanes.Width)));
  Value *Primals = Rule.PlainReverse ? R.addresses(R.Primals) : nullptr;
  Value *TapeMemory = Rule.PlainReverse && Tape ? R.slotOf(Tape, TapeAlign) : nullptr;
  for (unsigned K = 0; K < S.Lanes.Width; ++K) {
    Value *Seed = nullptr, *Memory = nullptr;
    if (Ret->isFloatingPointTy())
      Seed = Seeds ? R.lane(Seeds, K) : Constant::getNullValue(Ret);
    if (Rule.PlainReverse) {
      SmallVector<Value *, 8> Shadows;
      for (unsigned I = 0; I < R.Primals.size(); ++I)
        Shadows.push_back(R.Primals[I]->getType()->isPointerTy() ? R.shadow(I, K, /*Compare=*/false)
                                                                 : nullptr);
      Memory = Fields ? R.slot(Fields) : static_cast<Value *>(noPointer(C));
      R.call(*Rule.Gradient, {Primals, R.addresses(Shadows), Seed ? R.slotOf(Seed) : noPointer(C),
                              TapeMemory ? TapeMemory : noPointer(C), Memory});
    } else {
      SmallVector<Value *, 16> Args;
      for (unsigned I = 0; I < R.Primals.size(); ++I) {
        Args.push_back(R.Primals[I]);
        if (R.Primals[I]->getType()->isPointerTy())
          Args.push_back(R.shadow(I, K, /*Compare=*/false));
      }
      if (Seed)
        Args.push_back(Seed);
      if (Tape)
        Args.push_back(Tape);
      if (Fields)
        Memory = R.returned(*Rule.Gradient, Args);
      else
        R.call(*Rule.Gradient, Args);
    }
    unsigned Field = 0, Out = 0;
    for (const Argument &A : Source.args()) {
      if (!A.getType()->isFloatingPointTy())
        continue;
      if (S.Args[A.getArgNo()] == ArgActivity::Out) {
        Outs[Out] = R.withLane(Outs[Out], R.field(Fields, Memory, Field), K);
        ++Out;
      }
      ++Field;
    }
  }
  R.ret(Outs);
}

SplitFunctions emitRuleGradient(Function &Source, const rules::UserRule &Rule, const CallSignature &S) {
  Module &M = *Source.getParent();
  LLVMContext &C = M.getContext();
  Type *Ret = Source.getReturnType();
  SmallVector<Type *, 16> Params, Outs;
  for (const Argument &A : Source.args()) {
    Type *Differential = differentialType(A.getType(), S.Lanes.arg(A.getArgNo()), S.Lanes.Width);
    Params.push_back(A.getType());
    if (hasShadowArgument(S.Args[A.getArgNo()]))
      Params.push_back(Differential);
    if (S.Args[A.getArgNo()] == ArgActivity::Out)
      Outs.push_back(Differential);
  }
  SplitFunctions Made;
  if (Rule.Augmented) {
    SmallVector<Type *, 2> Results = {Rule.Tape ? Rule.Tape : PointerType::getUnqual(C)};
    if (!Ret->isVoidTy())
      Results.push_back(Ret);
    Made.Augmented =
        Function::Create(FunctionType::get(StructType::get(C, Results), Params, false),
                         GlobalValue::InternalLinkage, "tapefree.augmented." + Source.getName(), M);
    emitAugmented(*Made.Augmented, Source, Rule, S);
  }
  if (Rule.Tape)
    Params.push_back(Rule.Tape);
  if (S.ReturnActive)
    Params.push_back(differentialType(Ret, S.Lanes.inMemory(), S.Lanes.Width));
  Type *Result = Outs.empty() ? Type::getVoidTy(C) : static_cast<Type *>(StructType::get(C, Outs));
  Made.Reverse = Function::Create(FunctionType::get(Result, Params, false), GlobalValue::InternalLinkage,
                                  "tapefree.reverse." + Source.getName(), M);
  emitReverse(*Made.Reverse, Source, Rule, S);
  return Made;
}

void emitRuleTangent(Function &Into, Function &Source, const rules::UserRule &Rule,
                     const TangentSignature &S) {
  RuleCaller R(Into, Source, S.Args, /*Tangents=*/true, S.Lanes.Width);
  LLVMContext &C = Into.getContext();
  Type *Ret = Source.getReturnType();
  bool Number = Ret->isFloatingPointTy();
  StructType *Both = Ret->isVoidTy() ? nullptr : StructType::get(Ret, Ret);
  Value *Result = nullptr, *Tangent = nullptr;
  if (S.ReturnTangent)
    Tangent = PoisonValue::get(differentialType(Ret, S.Lanes.inMemory(), S.Lanes.Width));
  Value *Primals = Rule.PlainForward ? R.addresses(R.Primals) : nullptr;
  for (unsigned K = 0; K < S.Lanes.Width; ++K) {
    Value *Own = nullptr; // this lane's tangent
    if (Rule.PlainForward) {
      SmallVector<Value *, 8> Shadows;
      for (unsigned I = 0; I < R.Primals.size(); ++I)
        Shadows.push_back(R.Primals[I]->getType()->isIntegerTy() ? nullptr
                                                                 : R.shadow(I, K, /*Compare=*/true));
      Value *Out = Both ? R.slot(Both) : static_cast<Value *>(noPointer(C));
      R.call(*Rule.Derivative, {Primals, R.addresses(Shadows), noPointer(C), noPointer(C), Out});
      if (Rule.GivesValue && Both)
        Result = R.field(Both, Out, 0);
      if (Number)
        Own = R.field(Both, Out, 1);
    } else {
      SmallVector<Value *, 16> Args;
      for (unsigned I = 0; I < R.Primals.size(); ++I) {
        Args.push_back(R.Primals[I]);
        if (!R.Primals[I]->getType()->isIntegerTy())
          Args.push_back(R.shadow(I, K, /*Compare=*/true));
      }
      if (Number && Rule.GivesValue) {
        Value *Memory = R.returned(*Rule.Derivative, Args);
        Result = R.field(Both, Memory, 0);
        Own = R.field(Both, Memory, 1);
      } else {
        Own = R.call(*Rule.Derivative, Args);
        if (Rule.GivesValue)
          Result = Own;
      }
    }
    if (S.ReturnTangent)
      Tangent = R.withLane(Tangent, Own, K);
  }
  // A derivative that gives the tangent alone leaves the rest to the function itself.
  if (!Ret->isVoidTy() && !Rule.GivesValue)
    Result = R.call(Source, R.Primals);
  SmallVector<Value *, 2> Results;
  if (S.ReturnPrimal)
    Results.push_back(Result);
  if (S.ReturnTangent)
    Results.push_back(Tangent);
  R.ret(Results);
}

} // namespace tapefree
