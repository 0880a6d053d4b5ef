#include "Emit/PromiseCheck.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tapefree {

/// tapefree.require_apart(low a, high a, low b, high b, text, bytes): writes the text to the standard error
/// output and aborts where the ranges meet. An empty range has high <= low.
static Function *requireApart(Module &M) {
  static constexpr const char *Name = "tapefree.require_apart";
  if (Function *Known = M.getFunction(Name))
    return Known;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C), *I64 = Type::getInt64Ty(C), *I32 = Type::getInt32Ty(C),
       *Void = Type::getVoidTy(C);
  auto *F = Function::Create(FunctionType::get(Void, {I64, I64, I64, I64, Ptr, I64}, false),
                             GlobalValue::InternalLinkage, Name, M);
  BasicBlock *Entry = BasicBlock::Create(C, "entry", F), *Meet = BasicBlock::Create(C, "meet", F),
             *Apart = BasicBlock::Create(C, "apart", F);
  IRBuilder<> B(Entry);
  Value *Any =
      B.CreateAnd(B.CreateICmpULT(F->getArg(0), F->getArg(1)), B.CreateICmpULT(F->getArg(2), F->getArg(3)));
  Value *Cross =
      B.CreateAnd(B.CreateICmpULT(F->getArg(0), F->getArg(3)), B.CreateICmpULT(F->getArg(2), F->getArg(1)));
  B.CreateCondBr(B.CreateAnd(Any, Cross), Meet, Apart);
  B.SetInsertPoint(Meet);
  B.CreateCall(M.getOrInsertFunction("write", I64, I32, Ptr, I64),
               {B.getInt32(2), F->getArg(4), F->getArg(5)});
  B.CreateCall(M.getOrInsertFunction("abort", Void));
  B.CreateUnreachable();
  B.SetInsertPoint(Apart);
  B.CreateRetVoid();
  return F;
}

void emitRequireApart(IRBuilderBase &B, Value *LowA, Value *HighA, Value *LowB, Value *HighB,
                      StringRef Message) {
  Function *Require = requireApart(*B.GetInsertBlock()->getModule());
  B.CreateCall(Require, {LowA, HighA, LowB, HighB, B.CreateGlobalString(Message, "tapefree.overlap"),
                         B.getInt64(Message.size())});
}

/// Stores the address as soon as it is there: behind the instruction, or behind `Begin`.
static void storeBehind(Value *Pointer, AllocaInst *Slot, Instruction *Begin) {
  auto *I = dyn_cast<Instruction>(Pointer);
  IRBuilder<> B((I ? I : Begin)->getNextNode());
  B.CreateStore(B.CreatePtrToInt(Pointer, B.getInt64Ty()), Slot);
}

PromiseCheck::PromiseCheck(Emission &E, const PromisedBuffers &Buffers) : E(E), Buffers(Buffers) {
  BasicBlock &Entry = E.Forward->getEntryBlock();
  IRBuilder<> B(&Entry, Entry.begin());
  for (unsigned I = 0; I < Buffers.size(); ++I)
    for (auto *Slots : {&Low, &High, &Start, &ShadowStart})
      Slots->push_back(B.CreateAlloca(B.getInt64Ty(), nullptr, "tapefree.range"));
  B.SetInsertPoint(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  for (unsigned I = 0; I < Buffers.size(); ++I) {
    B.CreateStore(B.getInt64(~uint64_t(0)), Low[I]);
    for (auto *Slots : {&High, &Start, &ShadowStart})
      Begin = B.CreateStore(B.getInt64(0), (*Slots)[I]);
  }
  for (unsigned I = 0; I < Buffers.size(); ++I)
    for (const Value *Root : Buffers.roots(I)) {
      Value *Copy = E.Map.lookup(Root);
      storeBehind(Copy ? Copy : const_cast<Value *>(Root), Start[I], Begin);
    }
  for (const PromisedAccess &A : Buffers.accesses()) {
    B.SetInsertPoint(cast<Instruction>(E.Map[A.I]));
    Value *Pointer = E.Map.lookup(A.Pointer);
    Value *First = B.CreatePtrToInt(Pointer ? Pointer : const_cast<Value *>(A.Pointer), B.getInt64Ty());
    Value *Length = B.getInt64(A.Bytes);
    if (A.Length) {
      Value *Copied = E.Map.lookup(A.Length);
      Length = B.CreateZExtOrTrunc(Copied ? Copied : const_cast<Value *>(A.Length), B.getInt64Ty());
    }
    Value *End = B.CreateAdd(First, Length);
    if (A.Length) { // a copy of no bytes touches nothing
      Value *None = B.CreateICmpEQ(Length, B.getInt64(0));
      First = B.CreateSelect(None, B.getInt64(~uint64_t(0)), First);
      End = B.CreateSelect(None, B.getInt64(0), End);
    }
    auto Widen = [&](AllocaInst *Slot, Intrinsic::ID Most, Value *V) {
      B.CreateStore(B.CreateBinaryIntrinsic(Most, B.CreateLoad(B.getInt64Ty(), Slot), V), Slot);
    };
    Widen(Low[A.Buffer], Intrinsic::umin, First);
    Widen(High[A.Buffer], Intrinsic::umax, End);
  }
}

void PromiseCheck::compare(Instruction &End, OverlapMessage Message) {
  IRBuilder<> B(&End);
  B.SetCurrentDebugLocation(End.getDebugLoc());
  struct Range {
    Value *Low = nullptr, *High = nullptr;
  };
  SmallVector<Range, 8> Primal, Shadow;
  for (unsigned I = 0; I < Buffers.size(); ++I) {
    Range P{B.CreateLoad(B.getInt64Ty(), Low[I]), B.CreateLoad(B.getInt64Ty(), High[I])}, S;
    bool Shadowed = false;
    for (const Value *Root : Buffers.roots(I)) {
      Value *Twin = E.F.Act.hasShadow(Root) ? E.Shadows.lookup(Root) : nullptr;
      // Of separate lanes nothing is assumed (AliasTags).
      if (!Twin || (E.F.L.wide() && E.F.L.of(Root) == LaneLayout::Separate))
        continue;
      storeBehind(Twin, ShadowStart[I], Begin);
      Shadowed = true;
    }
    if (Shadowed) {
      Value *From = B.CreateLoad(B.getInt64Ty(), Start[I]),
            *To = B.CreateLoad(B.getInt64Ty(), ShadowStart[I]);
      Value *Touched = B.CreateICmpULT(P.Low, P.High);
      auto At = [&](Value *Address, uint64_t Otherwise) {
        Value *Offset = B.CreateMul(B.CreateSub(Address, From), B.getInt64(E.F.L.width()));
        return B.CreateSelect(Touched, B.CreateAdd(To, Offset), B.getInt64(Otherwise));
      };
      S = {At(P.Low, ~uint64_t(0)), At(P.High, 0)};
    }
    Primal.push_back(P);
    Shadow.push_back(S);
  }
  for (unsigned I = 0; I < Buffers.size(); ++I)
    for (unsigned J = I + 1; J < Buffers.size(); ++J) {
      if (!Buffers.promised(I, J))
        continue;
      emitRequireApart(B, Primal[I].Low, Primal[I].High, Primal[J].Low, Primal[J].High, Message(I, J, false));
      if (Shadow[I].Low && Shadow[J].Low)
        emitRequireApart(B, Shadow[I].Low, Shadow[I].High, Shadow[J].Low, Shadow[J].High,
                         Message(I, J, true));
    }
}

} // namespace tapefree
