// TangentBuilder: emits one tangent function. Private to the Tangent*.cpp files: Tangent.cpp has the walk and
// the values, TangentMemory.cpp what touches memory, TangentCalls.cpp the calls.
#pragma once
#include "Emit/Emission.h"
#include "Emit/Tangent.h"
#include "Rules/ScalarRule.h"

namespace tapefree {

class TangentBuilder {
public:
  TangentBuilder(llvm::Function &G, const TangentFacts &F, const TangentSignature &S, TangentProvider Callee,
                 Diag &D)
      : G(G), F(F), S(S), Callee(Callee), D(D), Ops(F.L), Tags(G, /*Apart=*/nullptr, F.L) {}
  bool run();

private:
  // Tangent.cpp
  void cloneInto();
  void ownByValueArguments();
  void findBits();
  void emit(const llvm::Instruction &I);
  void value(llvm::IRBuilderBase &B, const llvm::Instruction &I);
  void pointer(llvm::IRBuilderBase &B, const llvm::Instruction &I);
  llvm::Value *scalar(llvm::IRBuilderBase &B, const llvm::Instruction &I, const rules::ScalarRule &Rule);
  void fillPhis();
  void finishReturn();
  llvm::Value *primal(const llvm::Value *V) const;
  /// Tangent of a floating value, shadow of a pointer, both in an aggregate; zero where there is no
  /// derivative, and for a pointer without shadow the pointer itself, in `Layout`.
  llvm::Value *differential(llvm::IRBuilderBase &B, const llvm::Value *V, LaneLayout Layout);
  llvm::Value *differential(llvm::IRBuilderBase &B, const llvm::Value *V) {
    return differential(B, V, F.L.of(V));
  }
  llvm::Value *inactive(llvm::IRBuilderBase &B, llvm::Value *Primal, LaneLayout Layout);
  llvm::Constant *zero(const llvm::Value *V) const { return zeroAdjoint(F.L.differentialType(V)); }
  llvm::Instruction *copyOf(const llvm::Instruction &I) const;
  bool carries(const llvm::Value *V) const;
  bool mixed(const llvm::Value *Pointer) const { return F.Act.pointer(Pointer) == PointerState::Mixed; }
  void refuse(const llvm::Instruction &I);
  void refuseLanes(const llvm::Instruction &I);

  // TangentMemory.cpp
  llvm::Value *shadowAddress(llvm::IRBuilderBase &B, const llvm::Value *Pointer, uint64_t Bytes,
                             bool ForStore);
  void finishSpares();
  void tagPrimal();
  /// Marks accesses of the shadow memory that `I` reaches through `Pointer`.
  auto shadowTag(const llvm::Instruction &I, const llvm::Value *Pointer) {
    return [this, &I, Pointer](llvm::Instruction &Access) {
      // Shadows have the types of their primals: type-based alias facts hold for them as well.
      Access.setMetadata(llvm::LLVMContext::MD_tbaa, I.getMetadata(llvm::LLVMContext::MD_tbaa));
      // The shadow of a Mixed address may be primal memory.
      if (!mixed(Pointer))
        Tags.tag(Access, MemoryRole::Shadow, Pointer);
    };
  }
  void load(llvm::IRBuilderBase &B, const llvm::LoadInst &I);
  void store(llvm::IRBuilderBase &B, const llvm::StoreInst &I);
  void memory(llvm::IRBuilderBase &B, const llvm::MemIntrinsic &I);
  void copyWithoutShadow(llvm::IRBuilderBase &B, const llvm::MemTransferInst &I, llvm::Value *To,
                         llvm::Value *Bytes);
  void local(llvm::IRBuilderBase &B, const llvm::AllocaInst &I);
  void allocation(llvm::IRBuilderBase &B, const llvm::CallBase &I);
  void release(llvm::IRBuilderBase &B, const llvm::CallBase &I, unsigned Pointer);
  void rememberScoped(llvm::IRBuilderBase &B, const llvm::CallBase &I);
  void releaseScoped(llvm::IRBuilderBase &B);

  // TangentCalls.cpp
  void call(llvm::IRBuilderBase &B, const llvm::CallBase &I);
  bool guard();
  void visibleCall(llvm::IRBuilderBase &B, const llvm::CallBase &I);
  void maskedStore(llvm::IRBuilderBase &B, const llvm::CallBase &I);

  llvm::Function &G;
  const TangentFacts &F;
  const TangentSignature &S;
  TangentProvider Callee;
  Diag &D;
  LaneOps Ops;
  AliasTags Tags;
  llvm::ValueToValueMapTy Map;                                 // frozen primal -> tangent function
  llvm::DenseMap<const llvm::Value *, llvm::Value *> Tangents; // frozen primal -> tangent or shadow
  llvm::DenseSet<const llvm::Value *> Bits; // integers that hold copied bytes of shadowed memory
  llvm::SmallVector<llvm::Instruction *, 4> Dead;
  llvm::DenseMap<const llvm::CallBase *, llvm::CallInst *> Replaced; // visible callees
  llvm::AllocaInst *Spares[2] = {};                                  // for loads, for stores
  uint64_t SpareBytes = 64;
  llvm::AllocaInst *Scoped = nullptr; // the list of blocks that end with this function
};

} // namespace tapefree
