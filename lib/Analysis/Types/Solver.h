// Which constraint does each instruction put on the graph of places and facts?
#pragma once
#include "Analysis/Types/Graph.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

namespace tapefree {

/// An access aligned to A, at a place aligned to A in its class, steps by multiples of A.
Place alignedPlace(Place P, llvm::Align A);

class Solver {
public:
  Solver(llvm::Function &F, const llvm::DataLayout &DL, llvm::ArrayRef<MemoryTypes::ArgumentHint> Hints);

  Graph G;
  /// Where a pointer designates, in its class's root; nothing for null and values never seen.
  std::optional<Place> place(const llvm::Value *V);
  /// The fixed point was not reached in the rounds allowed: only what an access itself says may be used.
  bool Exhausted = false;

private:
  // Solver.cpp: pointers and accesses.
  void seed(llvm::ArrayRef<MemoryTypes::ArgumentHint> Hints);
  void declare(const Place &P, llvm::Type *T);
  void round();
  void visit(const llvm::Instruction &I);
  void joinInto(const llvm::Value *Dst, const llvm::Value *Src);
  void setPlace(const llvm::Value *V, const Place &P);
  void visitCopyOf(const llvm::Instruction &I, const llvm::Value *Dst, const llvm::Value *Src,
                   const llvm::Value *Len);
  void visitLoad(const llvm::LoadInst &L);
  void visitStore(const llvm::Instruction &I, const llvm::Value *V, const llvm::Value *Ptr, llvm::Align A);
  void visitCall(const llvm::CallBase &C);
  void visitReturn(const llvm::ReturnInst &R);
  Place gepPlace(const llvm::GEPOperator &GEP, Place Base);
  void typedAccess(const llvm::Instruction &I, const Place &P, llvm::Type *T, const llvm::Value *Stored);
  void tbaa(const llvm::Instruction &I, const Place &P, uint64_t Size);
  void remembered(const llvm::Instruction &I, const Place &P, std::optional<uint64_t> Length);

  // Registers.cpp: integers that may carry anything.
  /// The class of an integer (vector) register of whole bytes.
  std::optional<Place> reg(const llvm::Value *V);
  void visitRegister(const llvm::Value *V);
  void registerDef(const llvm::Value *V, const Place &P);
  void registerUse(const llvm::Value *V, const Place &P, const llvm::Use &U);
  void markInteger(const llvm::Value *V, const llvm::Instruction *Why, Level L = Level::Access);
  void linkRegisters(const llvm::Value *A, uint64_t OffA, const llvm::Value *B, uint64_t OffB, uint64_t Len);
  /// The same in each lane of two vectors, or in two scalars.
  void linkLanes(const llvm::Value *A, uint64_t OffA, const llvm::Value *B, uint64_t OffB, uint64_t Len);
  void linkOr(const llvm::Instruction &Or);
  void floatBits(const llvm::Value *Reg, llvm::Type *T, const llvm::Instruction *Why);

  llvm::Function &F;
  const llvm::DataLayout &DL;
  std::vector<const llvm::BasicBlock *> Order;
  llvm::DenseMap<const llvm::Value *, Place> Places;
  llvm::DenseMap<const llvm::Value *, unsigned> Registers;
  std::vector<const llvm::Value *> RegisterOrder;
  std::optional<Place> Returned; ///< of F itself, for recursion
};

} // namespace tapefree
