// ReverseOps: the adjoint of each instruction. Families stand in the order of Plan/Needs.cpp, which announces
// what is read.
#pragma once
#include "Emit/Lookup.h"
#include "Rules/ScalarRule.h"

namespace tapefree {

/// The adjoints of floating SSA values: one local slot each, zero until something is added (registers after
/// promotion).
class Adjoints {
public:
  explicit Adjoints(Emission &E) : E(E) {}
  /// Takes the adjoint and leaves zero.
  llvm::Value *take(llvm::IRBuilderBase &B, const llvm::Value *V);
  /// Adds to the adjoint of `V`; nothing for values without one.
  void add(llvm::IRBuilderBase &B, const llvm::Value *V, llvm::Value *Amount);
  llvm::AllocaInst *slot(const llvm::Value *V);
  /// Slots that only one block uses get their zero there: promotion is then linear in the size of the block,
  /// and not its square. To be called when all of the sweep is there.
  void localise();
  /// No derivative, in every lane.
  llvm::Constant *zero(const llvm::Value *V) const { return zeroAdjoint(E.F.L.differentialType(V)); }

private:
  Emission &E;
  llvm::DenseMap<const llvm::Value *, llvm::AllocaInst *> Slots;
};

class ReverseOps {
public:
  ReverseOps(Emission &E, Lookup &Values, Adjoints &Adj) : E(E), Values(Values), Adj(Adj) {}
  /// Emits the reverse of `I` at the end of B's block. Phis are left to the flow.
  void reverse(llvm::IRBuilderBase &B, const llvm::Instruction &I);
  /// Emits the reverse of the stores of `L` that matter only in its last iteration, as if they stood behind
  /// the loop.
  void reverseLastStores(llvm::IRBuilderBase &B, const llvm::Loop &L);

private:
  void scalar(llvm::IRBuilderBase &B, const llvm::Instruction &I, const rules::ScalarRule &Rule);
  void load(llvm::IRBuilderBase &B, const llvm::LoadInst &I);
  void store(llvm::IRBuilderBase &B, const llvm::StoreInst &I);
  bool isLast(const llvm::StoreInst &I) const {
    return E.F.Last.contains(I) && E.F.Act.pointer(I.getPointerOperand()) != PointerState::Mixed;
  }
  void memory(llvm::IRBuilderBase &B, const llvm::MemIntrinsic &I);
  void call(llvm::IRBuilderBase &B, const llvm::CallBase &I);
  llvm::Value *ruleShadow(llvm::IRBuilderBase &B, const llvm::Value *Pointer);
  void splitCall(llvm::IRBuilderBase &B, const llvm::CallBase &I);
  void release(llvm::IRBuilderBase &B, const llvm::CallBase &Allocation);
  void shuffle(llvm::IRBuilderBase &B, const llvm::ShuffleVectorInst &I);
  llvm::Value *primal(llvm::IRBuilderBase &B, const llvm::Value *V) {
    return Values.get(B, {V, ValueRef::Primal}, Block);
  }
  llvm::Value *shadow(llvm::IRBuilderBase &B, const llvm::Value *Pointer, llvm::Value *Spare);
  llvm::Value *spare(llvm::Type *T, bool ForStores);
  llvm::Value *spareFor(const llvm::Value *Pointer, llvm::Type *T, bool ForStores) {
    return E.F.Act.pointer(Pointer) == PointerState::Mixed ? spare(T, ForStores) : nullptr;
  }
  llvm::Value *guardedLength(llvm::IRBuilderBase &B, const llvm::Value *Pointer, llvm::Value *Shadow,
                             llvm::Value *Bytes);
  /// Marks accesses of the shadow memory that `I` reaches through `Pointer`.
  auto shadowTag(const llvm::Instruction &I, const llvm::Value *Pointer) {
    return [this, &I, Pointer](llvm::Instruction &Access) {
      // Shadows have the types of their primals: type-based alias facts hold for them as well.
      Access.setMetadata(llvm::LLVMContext::MD_tbaa, I.getMetadata(llvm::LLVMContext::MD_tbaa));
      E.reverseTags().tag(Access, MemoryRole::Shadow, Pointer);
    };
  }

  Emission &E;
  Lookup &Values;
  Adjoints &Adj;
  const llvm::BasicBlock *Block = nullptr;
  llvm::DenseMap<std::pair<llvm::Type *, unsigned>, llvm::AllocaInst *> Spares;
};

} // namespace tapefree
