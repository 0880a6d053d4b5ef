// Memory in forward mode: shadows are made, copied and released where the primal does so with its own memory.
#include "Analysis/Types/Explain.h"
#include "Emit/MemoryHelpers.h"
#include "Emit/TangentBuilder.h"
#include "Rules/CallEffects.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tapefree {

/// Where an access of `Bytes` bytes goes. A pointer that turns out to have no shadow leads to spare memory:
/// zeros to load from, or a place to store into that nobody reads.
Value *TangentBuilder::shadowAddress(IRBuilderBase &B, const Value *Pointer, uint64_t Bytes, bool ForStore) {
  LaneLayout Layout = F.L.of(Pointer);
  Value *Shadow = differential(B, Pointer);
  if (!mixed(Pointer))
    return Shadow;
  AllocaInst *&Spare = Spares[ForStore];
  if (!Spare)
    Spare = new AllocaInst(ArrayType::get(B.getInt8Ty(), SpareBytes), 0, nullptr, Align(64), "tapefree.spare",
                           G.getEntryBlock().begin());
  SpareBytes = std::max(SpareBytes, Bytes);
  // Lanes share the spare memory: only pointers of separate lanes come here.
  return guardedAddress(B, Ops.broadcast(B, primal(Pointer), Layout), Shadow,
                        Ops.broadcast(B, Spare, Layout));
}

void TangentBuilder::finishSpares() {
  for (AllocaInst *Spare : Spares)
    if (Spare)
      Spare->setAllocatedType(ArrayType::get(Type::getInt8Ty(G.getContext()), SpareBytes));
  if (Spares[false]) {
    IRBuilder<> B(Spares[false]->getNextNode());
    B.CreateMemSet(Spares[false], B.getInt8(0), SpareBytes, Align(64));
  }
}

/// What the optimiser may know of the primal's own accesses.
void TangentBuilder::tagPrimal() {
  for (const Instruction &I : instructions(*F.P.F))
    if (const Value *Address = getLoadStorePointerOperand(&I))
      Tags.tag(*copyOf(I), MemoryRole::Primal, Address);
  Tags.declare();
}

void TangentBuilder::load(IRBuilderBase &B, const LoadInst &I) {
  if (I.isAtomic())
    return refuse(I);
  const Value *Pointer = I.getPointerOperand();
  uint64_t Bytes = G.getDataLayout().getTypeStoreSize(I.getType());
  if (!F.Act.hasShadow(Pointer)) { // what lies there has no shadow either
    Tangents[&I] = inactive(B, primal(&I), F.L.of(&I));
    return;
  }
  if (F.L.wide() && Bits.contains(&I)) { // the lanes of two scalars do not lie side by side in both layouts
    AccessPattern P = F.Types.pattern(I);
    if (P.Fields.size() != 1 || P.Fields[0].Size != Bytes) {
      D.error(I, "several values are copied at once here as one integer, which cannot be done for a batch: "
                 "copy them as what "
                 "they are");
      return;
    }
  }
  Value *Address =
      I.getType()->isPtrOrPtrVectorTy() ? differential(B, Pointer) : shadowAddress(B, Pointer, Bytes, false);
  Tangents[&I] = Ops.load(B, I.getType(), Address, I.getAlign(), F.L.of(&I), shadowTag(I, Pointer),
                          I.getName() + ".tangent");
}

void TangentBuilder::store(IRBuilderBase &B, const StoreInst &I) {
  const Value *V = I.getValueOperand(), *Pointer = I.getPointerOperand();
  if (!F.Act.hasShadow(Pointer))
    return;
  Type *T = V->getType();
  uint64_t Bytes = G.getDataLayout().getTypeStoreSize(T);
  AccessPattern P;
  bool Integer = !holdsFloat(T) && !holdsPointer(T);
  if (Integer && !Bits.contains(V)) {
    P = F.Types.pattern(I);
    if (P.allOf(ScalarKind::Integer))
      return; // nobody looks at the shadows of integers
    if (F.Act.isVaried(V) && (P.hasFloat() || P.hasConflict() || P.unknownBytes())) {
      D.error(I, "a differentiated floating value is stored here as an integer, and its type cannot be told: "
                 "copy it as the "
                 "floating type it has");
      return;
    }
  }
  if (I.isAtomic())
    return refuse(I);
  // A constant written as bits: its pointers are their own shadows, and its floats have no derivative.
  bool KeepsPointers =
      any_of(P.Fields, [](const TypeField &Field) { return Field.Kind == ScalarKind::Pointer; });
  Value *Tangent = KeepsPointers ? Ops.broadcast(B, primal(V)) : differential(B, V, F.L.inMemory());
  Value *Address = shadowAddress(B, Pointer, Bytes, true);
  Ops.store(B, T, Tangent, Address, I.getAlign(), shadowTag(I, Pointer));
  if (KeepsPointers)
    MemoryHelpers(B, Ops).set(P.withGaps(), Address, B.getInt8(0), B.getInt64(Bytes),
                              MemoryHelpers::Fields::Floats);
}

void TangentBuilder::refuseLanes(const Instruction &I) {
  D.error(I, "cannot tell what the bytes moved here are, and the lanes of a batch lie differently on both "
             "sides: access this "
             "memory through its own type");
}

/// Copies from memory without derivatives: what has just arrived in the primal destination, with zeros for
/// its floats.
void TangentBuilder::copyWithoutShadow(IRBuilderBase &B, const MemTransferInst &I, Value *To, Value *Bytes) {
  AccessPattern P = F.Types.pattern(I);
  if (!checkCopiedTypes(I, F.Types, D))
    return;
  ScalarKind Kind;
  MemoryHelpers Helpers(B, Ops);
  if (!P.isHomogeneousFloat(Kind) && !Helpers.copyFromPrimal(P, To, primal(I.getRawDest()), Bytes))
    return refuseLanes(I);
  if (P.hasFloat())
    Helpers.set(P, To, B.getInt8(0), Bytes, MemoryHelpers::Fields::Floats);
}

void TangentBuilder::memory(IRBuilderBase &B, const MemIntrinsic &I) {
  const Value *Dest = I.getRawDest();
  if (!F.Act.hasShadow(Dest))
    return;
  auto *Copy = cast<MemIntrinsic>(copyOf(I));
  Value *To = differential(B, Dest), *Bytes = B.CreateZExtOrTrunc(Copy->getLength(), B.getInt64Ty());
  Value *None = B.getInt64(0);
  if (mixed(Dest))
    Bytes = B.CreateSelect(B.CreateICmpEQ(Ops.first(B, To), primal(Dest)), None, Bytes);
  MemoryHelpers Helpers(B, Ops);
  if (isa<MemSetInst>(I)) {
    Value *Byte = cast<MemSetInst>(Copy)->getValue();
    AccessPattern P = F.Types.pattern(I);
    bool Zero = isa<ConstantInt>(Byte) && cast<ConstantInt>(Byte)->isZero();
    if (!Zero && !checkSetTypes(I, F.Types, D))
      return;
    Helpers.set(P, To, B.getInt8(0), Bytes, MemoryHelpers::Fields::All);
    if (!Zero && (P.has(ScalarKind::Integer) || P.has(ScalarKind::Pointer)))
      Helpers.set(P, To, Byte, Bytes, MemoryHelpers::Fields::Others);
    return;
  }
  auto &Transfer = cast<MemTransferInst>(I);
  const Value *Source = Transfer.getRawSource();
  if (!F.Act.hasShadow(Source))
    return copyWithoutShadow(B, Transfer, To, Bytes);
  Value *From = differential(B, Source), *Shadowed = Bytes;
  Value *Plain = mixed(Source) ? B.CreateICmpEQ(Ops.first(B, From), primal(Source)) : nullptr;
  if (Plain)
    Shadowed = B.CreateSelect(Plain, None, Bytes);
  if (!Helpers.copyAll(F.Types.pattern(I), To, From, Shadowed, isa<MemMoveInst>(I)))
    return refuseLanes(I);
  if (Plain)
    copyWithoutShadow(B, Transfer, To, B.CreateSelect(Plain, Bytes, None));
}

/// The shadow of a local array: zeros, which is the derivative of what nobody has written yet.
void TangentBuilder::local(IRBuilderBase &B, const AllocaInst &I) {
  auto *Shadow = cast<AllocaInst>(copyOf(I)->clone());
  Shadow->setMetadata(LLVMContext::MD_DIAssignID, nullptr); // no variable of the user's
  Value *Bytes = B.CreateMul(B.CreateZExtOrTrunc(Shadow->getArraySize(), B.getInt64Ty()),
                             B.getInt64(G.getDataLayout().getTypeAllocSize(I.getAllocatedType())));
  Shadow->setOperand(0, Ops.bytes(B, Shadow->getArraySize()));
  B.Insert(Shadow, I.getName() + ".shadow");
  B.CreateMemSet(Shadow, B.getInt8(0), Ops.bytes(B, Bytes), I.getAlign());
  Tangents[&I] = Ops.spread(B, Shadow, Bytes, F.L.of(&I));
}

void TangentBuilder::allocation(IRBuilderBase &B, const CallBase &I) {
  if (carries(&I))
    Tangents[&I] = allocateShadow(I, *cast<CallBase>(copyOf(I)), Ops, &*B.GetInsertPoint());
  if (I.hasMetadata(ScopedMark))
    rememberScoped(B, I);
}

/// The argument that tells a release function how many bytes there are; -1 for others.
static int releasedSize(const CallBase &I) {
  StringRef Name = I.getCalledFunction()->getName();
  bool Sized = Name.consume_front("_ZdlPv") || Name.consume_front("_ZdaPv");
  if (Sized)
    return Name.starts_with("m") || Name.starts_with("j") ? 1 : -1;
  return rules::callEffect(I).Size;
}

void TangentBuilder::release(IRBuilderBase &B, const CallBase &I, unsigned Pointer) {
  const Value *Block = I.getArgOperand(Pointer);
  if (!F.Act.hasShadow(Block))
    return;
  Value *Shadow = Ops.first(B, differential(B, Block));
  if (mixed(Block)) { // every release function but Rust's takes null
    if (rules::callEffect(I).Family == rules::AllocFamily::Rust) {
      D.error(
          I, "cannot tell whether the block that is released here has a shadow: keep blocks with and without "
             "differentiated data in different variables");
      return;
    }
    Shadow = B.CreateSelect(B.CreateICmpEQ(Shadow, primal(Block)), Constant::getNullValue(Shadow->getType()),
                            Shadow);
  }
  auto *Copy = cast<CallBase>(copyOf(I)->clone());
  Copy->setArgOperand(Pointer, Shadow);
  if (int Size = releasedSize(I); Size >= 0) // all lanes are one block
    Copy->setArgOperand(unsigned(Size), Ops.bytes(B, Copy->getArgOperand(unsigned(Size))));
  B.Insert(Copy);
}

/// An array of variable length that was made in a loop lives until the function ends: a list leads to all of
/// them.
void TangentBuilder::rememberScoped(IRBuilderBase &B, const CallBase &I) {
  if (!Scoped) {
    Scoped = new AllocaInst(B.getPtrTy(), 0, nullptr, Align(8), "tapefree.scoped", G.getEntryBlock().begin());
    auto *Empty = new StoreInst(ConstantPointerNull::get(B.getPtrTy()), Scoped, G.getEntryBlock().begin());
    Empty->moveAfter(Scoped);
  }
  StructType *Node = StructType::get(B.getPtrTy(), B.getPtrTy(), B.getPtrTy()); // the next one, block, shadow
  emitDemandOf(B, *cast<CallBase>(primal(&I))); // an array of the user's, who had nothing to check
  Value *New = emitAllocation(B, ConstantExpr::getSizeOf(Node), "tapefree.node");
  Value *Shadow = carries(&I) ? Ops.first(B, Tangents.lookup(&I)) : ConstantPointerNull::get(B.getPtrTy());
  B.CreateStore(B.CreateLoad(B.getPtrTy(), Scoped), New);
  markPaired(primal(&I));
  if (carries(&I))
    markPaired(Shadow);
  B.CreateStore(primal(&I), B.CreateStructGEP(Node, New, 1));
  B.CreateStore(Shadow, B.CreateStructGEP(Node, New, 2));
  B.CreateStore(New, Scoped);
}

void TangentBuilder::releaseScoped(IRBuilderBase &B) {
  if (!Scoped)
    return;
  Type *Ptr = B.getPtrTy();
  Function *Release = listWalk(*G.getParent(), "tapefree.release.list", [&](IRBuilderBase &L, Value *Node) {
    StructType *Layout = StructType::get(Ptr, Ptr, Ptr);
    for (unsigned Block : {1, 2})
      emitFree(L, L.CreateLoad(Ptr, L.CreateStructGEP(Layout, Node, Block)));
  });
  B.CreateCall(Release, B.CreateLoad(Ptr, Scoped));
}

} // namespace tapefree
