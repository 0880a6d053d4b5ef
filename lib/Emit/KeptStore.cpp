#include "Emit/KeptStore.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace tapefree {

// A store of unknown length begins with this many bytes on the stack (or in the record): short loops need no
// heap.
static constexpr uint64_t FirstBytes = 4096;
Value *KeptStore::forwardValue(ValueRef R) const {
  Value *V = R.K == ValueRef::Primal ? static_cast<Value *>(E.Map.lookup(R.V))
             : R.K == ValueRef::Tape ? E.Tapes.lookup(R.V)
                                     : E.Shadows.lookup(R.V);
  assert(V && "a planned value has no counterpart in the forward sweep");
  return V;
}

static uint64_t offsetInRow(const LoopPlan &LP, unsigned Index) {
  uint64_t Offset = 0;
  for (unsigned K = 0; K < Index; ++K)
    Offset += LP.Kept[K].Bytes;
  return Offset;
}

Value *KeptStore::address(IRBuilderBase &B, Store &S, unsigned Index, Value *Row) {
  const KeptArray &K = S.LP->Kept[Index];
  switch (S.LP->Size) {
  case LoopPlan::Nothing:
    llvm_unreachable("a loop that keeps nothing has no rows");
  case LoopPlan::Stack: {
    Value *Array = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), E.Slots->address(B, S.Stack),
                                                offsetInRow(*S.LP, Index) * S.LP->StackRows);
    return B.CreateInBoundsGEP(K.Element, Array, Row);
  }
  case LoopPlan::Exact:
    return B.CreateInBoundsGEP(K.Element, E.Slots->load(B, S.Arrays[Index]), Row);
  case LoopPlan::Growing: {
    Value *Start =
        B.CreateInBoundsGEP(ArrayType::get(B.getInt8Ty(), S.LP->RowBytes), E.Slots->load(B, S.Block), Row);
    return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Start, offsetInRow(*S.LP, Index));
  }
  }
  llvm_unreachable("all sizes handled");
}

/// Where a growing store begins.
Value *KeptStore::firstBlock(IRBuilderBase &B, const Store &S) const {
  if (!S.FirstRows)
    return ConstantPointerNull::get(B.getPtrTy());
  return E.Slots->address(B, S.Stack);
}

/// Makes room for `Needed` rows at `At` in the forward sweep.
void KeptStore::growHere(Store &S, Instruction *At, Value *Needed) {
  IRBuilder<> B(At);
  Value *Rows = E.Slots->load(B, S.Capacity);
  Value *Short = B.CreateICmpUGT(Needed, Rows);
  Instruction *Then = SplitBlockAndInsertIfThen(Short, At->getIterator(), false,
                                                MDBuilder(B.getContext()).createUnlikelyBranchWeights());
  B.SetInsertPoint(Then);
  Value *Done = B.getInt64(0), *All = B.getInt64(0);
  if (const Loop *Parent = S.LP->L->getParentLoop()) {
    const LoopCounts &C = E.F.P.Counts.find(Parent->getHeader())->second;
    if (C.BackEdges) {
      Done = E.Map[C.Counter];
      Value *Known = E.Map.lookup(C.BackEdges);
      All = Known ? Known : C.BackEdges;
    }
  }
  Value *First = firstBlock(B, S);
  SmallVector<Value *, 11> Args = {
      E.Slots->load(B, S.Block),  Rows, Needed, B.getInt64(S.LP->RowBytes), First,
      E.Slots->load(B, S.Cursor), Done, All};
  if (E.Area)
    Args.append({E.Area.Base, E.Area.Bytes, B.CreateLoad(B.getInt64Ty(), E.Area.Top)});
  Value *Grown = B.CreateCall(growFunction(E.module(), bool(E.Area)), Args);
  if (E.Area)
    B.CreateStore(B.CreateExtractValue(Grown, 2), E.Area.Top);
  E.Slots->store(B, B.CreateExtractValue(Grown, 0), S.Block);
  E.Slots->store(B, B.CreateExtractValue(Grown, 1), S.Capacity);
}

Value *nestBytes(IRBuilderBase &B, const Plan &P, const Loop *Outermost, const ValueToValueMapTy &Map) {
  Value *Total = nullptr;
  for (auto &[L, LP] : P.Loops) {
    if (LP.Size != LoopPlan::Exact || L->getOutermostLoop() != Outermost)
      continue;
    Value *Rows = Map.lookup(LP.TotalRows);
    if (!Rows)
      Rows = LP.TotalRows; // a constant
    for (const KeptArray &K : LP.Kept) {
      Value *Bytes = B.CreateMul(Rows, B.getInt64(K.Bytes));
      Total = Total ? B.CreateAdd(Total, Bytes) : Bytes;
    }
  }
  return Total;
}

/// One block for all exactly sized arrays of a loop nest, made before its outermost loop.
void KeptStore::allocateNest(const Loop *Outermost) {
  const BasicBlock *Preheader = Outermost->getLoopPreheader();
  IRBuilder<> B(cast<Instruction>(E.Map[Preheader->getTerminator()]));
  Value *Total = nestBytes(B, E.P, Outermost, E.Map);
  if (!Total)
    return;
  SmallVector<std::pair<Store *, Value *>, 4> Exact;
  for (auto &[L, S] : Stores) {
    if (S.LP->Size != LoopPlan::Exact || L->getOutermostLoop() != Outermost)
      continue;
    Value *Rows = E.Map.lookup(S.LP->TotalRows);
    Exact.push_back({&S, Rows ? Rows : S.LP->TotalRows});
  }
  Value *Next = nullptr;
  if (E.Area) {
    Next = emitReserve(B, E.Area, Total);
  } else {
    StorageSlot Block = E.Slots->make(B.getPtrTy(), "tapefree.block");
    NestBlocks[Outermost] = Block;
    if (E.Guarded) {
      IRBuilder<> Start(E.Start);
      E.Slots->store(Start, ConstantPointerNull::get(B.getPtrTy()), Block);
    }
    Next = emitAllocation(B, Total, "tapefree.kept");
    E.Slots->store(B, Next, Block);
  }
  // Large elements first: every array is then aligned without padding.
  for (uint64_t Size : {32, 16, 8, 4, 2, 1, 0})
    for (auto &[S, Rows] : Exact)
      for (auto [Index, K] : enumerate(S->LP->Kept)) {
        S->Arrays.resize(S->LP->Kept.size());
        bool Odd = !isPowerOf2_64(K.Bytes) || K.Bytes > 32;
        if (Odd ? Size != 0 : K.Bytes != Size)
          continue;
        StorageSlot Pointer = E.Slots->make(B.getPtrTy(), "tapefree.array");
        S->Arrays[Index] = Pointer;
        E.Slots->store(B, Next, Pointer);
        Next = B.CreateInBoundsGEP(B.getInt8Ty(), Next, B.CreateMul(Rows, B.getInt64(K.Bytes)));
      }
}

/// Cursor, base and row counter of one loop in the forward sweep, and room for its rows.
void KeptStore::enterLoop(Store &S) {
  const Loop *L = S.LP->L;
  const LoopCounts &C = E.F.P.Counts.find(L->getHeader())->second;
  IRBuilder<> B(cast<Instruction>(E.Map[L->getLoopPreheader()->getTerminator()]));
  Value *Cursor = E.Slots->load(B, S.Cursor, "tapefree.cursor");
  B.CreateStore(Cursor, S.ForwardBase);
  auto *First = cast<Instruction>(E.Map[&*L->getHeader()->getFirstNonPHIIt()]);
  if (S.LP->Size == LoopPlan::Growing && C.BackEdges) {
    Value *N = E.Map.lookup(C.BackEdges);
    Value *Rows = B.CreateAdd(N ? N : C.BackEdges, B.getInt64(S.LP->BodyOnly ? 0 : 1));
    Value *Needed = B.CreateAdd(Cursor, Rows);
    growHere(S, &*B.GetInsertPoint(), Needed);
  }
  B.SetInsertPoint(First);
  Value *Counter = E.Map[C.Counter];
  Value *Row = B.CreateAdd(B.CreateLoad(B.getInt64Ty(), S.ForwardBase), Counter);
  if (S.LP->Size == LoopPlan::Growing && !C.BackEdges) {
    E.Slots->store(B, Row, S.Cursor); // rows in use, should the store move
    growHere(S, First, B.CreateAdd(Row, B.getInt64(1)));
    B.SetInsertPoint(First);
  }
  // Up to date at every exit, whichever way the loop is left.
  E.Slots->store(B, S.LP->BodyOnly ? Row : B.CreateAdd(Row, B.getInt64(1)), S.Cursor);
}

void KeptStore::storeForward() {
  Type *I64 = Type::getInt64Ty(E.module().getContext()),
       *Ptr = PointerType::getUnqual(E.module().getContext());
  for (auto &[L, LP] : E.P.Loops) {
    if (LP.Kept.empty())
      continue;
    Store &S = Stores[L];
    S.LP = &LP;
    S.Cursor = E.Slots->make(I64, "tapefree.cursor");
    if (LP.Size == LoopPlan::Stack)
      S.Stack = E.Slots->makeBytes(LP.StackRows * LP.RowBytes, Align(16), "tapefree.rows");
    if (LP.Size == LoopPlan::Growing) {
      // None in a record: one pointer for rows in the record and for rows on the heap would make the record
      // look like an array of rows to an outer derivative.
      S.FirstRows = E.Slots->split() ? 0 : std::max<uint64_t>(FirstBytes / LP.RowBytes, 1);
      if (S.FirstRows)
        S.Stack = E.Slots->makeBytes(S.FirstRows * LP.RowBytes, Align(16), "tapefree.rows");
      S.Block = E.Slots->make(Ptr, "tapefree.block");
      S.Capacity = E.Slots->make(I64, "tapefree.capacity");
    }
    BasicBlock &Entry = E.Forward->getEntryBlock();
    S.ForwardBase = new AllocaInst(I64, 0, "tapefree.base", Entry.begin());
  }
  SetVector<const Loop *> Outermost;
  for (auto &[L, S] : Stores) {
    // The frozen entry block's code begins behind all slots.
    IRBuilder<> B(cast<Instruction>(E.Map[&*E.F.P.F->getEntryBlock().getFirstNonPHIOrDbgOrAlloca()]));
    E.Slots->store(B, B.getInt64(0), S.Cursor);
    if (S.LP->Size == LoopPlan::Growing) {
      E.Slots->store(B, firstBlock(B, S), S.Block);
      E.Slots->store(B, B.getInt64(S.FirstRows), S.Capacity);
    }
    Outermost.insert(L->getOutermostLoop());
  }
  for (const Loop *L : Outermost)
    allocateNest(L);
  for (auto &[L, S] : Stores)
    enterLoop(S);
  for (auto &[L, S] : Stores)
    for (auto [Index, K] : enumerate(S.LP->Kept)) {
      storeValue(S, unsigned(Index), K.Value, K.Element);
      for (auto &[R, T] : K.Sharing)
        storeValue(S, unsigned(Index), R, T);
    }
}

/// Stores one value right behind its definition in the forward sweep.
void KeptStore::storeValue(Store &S, unsigned Index, ValueRef R, Type *Element) {
  const auto *I = cast<Instruction>(R.V);
  const Instruction *Next = isa<PHINode>(I) ? &*I->getParent()->getFirstNonPHIIt() : I->getNextNode();
  IRBuilder<> B(cast<Instruction>(E.Map[Next]));
  Value *V = forwardValue(R);
  if (V->getType() != Element)
    V = B.CreateZExt(V, Element);
  Value *Counter = E.Map[E.F.P.Counts.find(S.LP->L->getHeader())->second.Counter];
  Value *Row = B.CreateAdd(B.CreateLoad(B.getInt64Ty(), S.ForwardBase), Counter);
  E.ForwardTags.tag(*B.CreateAlignedStore(V, address(B, S, Index, Row), Align(1)), MemoryRole::Kept, nullptr);
}

void KeptStore::beginReverse(IRBuilderBase &B, const Loop *L, Value *BackEdges) {
  auto It = Stores.find(L);
  if (It == Stores.end())
    return;
  Store &S = It->second;
  if (!S.ReverseBase)
    S.ReverseBase = new AllocaInst(B.getInt64Ty(), 0, "tapefree.base", E.Reverse->getEntryBlock().begin());
  Value *Rows = S.LP->BodyOnly ? BackEdges : B.CreateAdd(BackEdges, B.getInt64(1));
  Value *Base = B.CreateSub(E.Slots->load(B, S.Cursor), Rows);
  E.Slots->store(B, Base, S.Cursor);
  B.CreateStore(Base, S.ReverseBase);
}

Value *KeptStore::load(IRBuilderBase &B, ValueRef R, const Loop *L, Value *Counter) {
  Store &S = Stores.find(L)->second;
  auto *It = find_if(S.LP->Kept, [&](const KeptArray &K) { return K.holds(R); });
  Type *T = typeOf(R, E.F.L), *Element = T->isIntegerTy(1) ? B.getInt8Ty() : T;
  Value *Row = B.CreateAdd(B.CreateLoad(B.getInt64Ty(), S.ReverseBase), Counter);
  Value *Address = address(B, S, unsigned(It - S.LP->Kept.begin()), Row);
  LoadInst *V = B.CreateAlignedLoad(Element, Address, Align(1), R.V->getName() + ".kept");
  E.reverseTags().tag(*V, MemoryRole::Kept, nullptr);
  return Element == T ? static_cast<Value *>(V) : B.CreateTrunc(V, T);
}

void KeptStore::release(IRBuilderBase &B, const Loop *L) {
  if (E.Area)
    return;
  if (auto It = NestBlocks.find(L); It != NestBlocks.end())
    emitFree(B, E.Slots->load(B, It->second));
  for (auto &[Inner, S] : Stores) {
    if (S.LP->Size != LoopPlan::Growing || Inner->getOutermostLoop() != L)
      continue;
    // free(null) is nothing: a store that never left its first rows has no heap block.
    Value *Block = E.Slots->load(B, S.Block), *First = firstBlock(B, S);
    Value *Null = ConstantPointerNull::get(B.getPtrTy());
    emitFree(B, B.CreateSelect(B.CreateICmpEQ(Block, First), Null, Block));
  }
}

void KeptStore::releaseAll(IRBuilderBase &B) {
  SetVector<const Loop *> Outermost;
  for (auto &[L, S] : Stores)
    Outermost.insert(L->getOutermostLoop());
  for (const Loop *L : Outermost)
    release(B, L);
}

} // namespace tapefree
