// Scopes of local variables. C's block begins where the block does, ours at the declaration: that says less.
#include "Prepare/Restrict.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/ModRef.h"

using namespace llvm;

namespace tapefree {

namespace {

struct Variable {
  SmallVector<CallInst *, 8> Values;
  SmallVector<CallInst *, 2> Begins, Ends;
  MDNode *Scope = nullptr;
  bool Leaks = false; // a pointer based on it is stored where a load may find it
};

class LocalScopes {
public:
  explicit LocalScopes(Function &F) : F(F) {}
  void run();

private:
  bool collect();
  void solve();
  void mark(Instruction &I, const BitVector &Inside);
  const BitVector &certain(const Value *Ptr, unsigned Depth = 0);
  bool surelyNot(const Basis &B, uint64_t Number, const Variable &V) const;
  void step(const Instruction &I, BitVector &Inside);
  unsigned index(const CallInst &Mark) const { return Index.lookup(localNumber(Mark)); }

  Function &F;
  MapVector<uint64_t, Variable> Variables;
  DenseMap<uint64_t, unsigned> Index;
  DenseMap<const BasicBlock *, BitVector> AtStart;
  DenseMap<const Value *, BitVector> Certain;
};

bool LocalScopes::collect() {
  const Module &M = *F.getParent();
  if (!M.getFunction(BeginMark))
    return false;
  for (Instruction &I : instructions(F)) {
    if (CallInst *Value = markCall(&I, LocalMark))
      Variables[localNumber(*Value)].Values.push_back(Value);
    else if (CallInst *Begin = markCall(&I, BeginMark))
      Variables[localNumber(*Begin)].Begins.push_back(Begin);
    else if (CallInst *End = markCall(&I, EndMark))
      Variables[localNumber(*End)].Ends.push_back(End);
  }
  MDBuilder Build(F.getContext());
  for (auto &[Number, V] : Variables) {
    Index.try_emplace(Number, Index.size());
    // A domain of its own: pointers may be based on several variables, of blocks in blocks.
    MDNode *Domain = Build.createAnonymousAliasScopeDomain("restrict variable");
    V.Scope = Build.createAnonymousAliasScope(Domain, F.getName());
    V.Leaks = any_of(V.Values, [](const CallInst *Value) {
      return capturesAnyProvenance(PointerMayBeCaptured(Value, /*ReturnCaptures=*/false,
                                                        CaptureComponents::Provenance, capturesAnyProvenance,
                                                        /*MaxUsesToExplore=*/10000));
    });
  }
  return !Variables.empty();
}

void LocalScopes::step(const Instruction &I, BitVector &Inside) {
  if (const CallInst *Begin = markCall(const_cast<Instruction *>(&I), BeginMark))
    Inside.set(index(*Begin));
  else if (const CallInst *End = markCall(const_cast<Instruction *>(&I), EndMark))
    Inside.reset(index(*End));
}

/// In which blocks of C is control, whatever way it came?
void LocalScopes::solve() {
  ReversePostOrderTraversal<Function *> Order(&F);
  for (BasicBlock *B : Order)
    AtStart[B] = BitVector(Variables.size(), B != &F.getEntryBlock());
  for (bool Again = true; Again;) {
    Again = false;
    for (BasicBlock *B : Order) {
      BitVector Inside = AtStart[B];
      for (const Instruction &I : *B)
        step(I, Inside);
      for (const BasicBlock *Next : successors(B)) {
        BitVector &There = AtStart[Next];
        BitVector Before = There;
        There &= Inside;
        Again |= There != Before;
      }
    }
  }
}

/// The variables that a pointer is based on, whatever way it came.
const BitVector &LocalScopes::certain(const Value *Ptr, unsigned Depth) {
  static constexpr unsigned MaxDepth = 64;
  // On a cycle, and beyond the bound, nothing is certain.
  auto [Known, New] = Certain.try_emplace(Ptr, BitVector(Variables.size()));
  if (!New || Depth > MaxDepth)
    return Known->second;
  BitVector Result(Variables.size());
  if (const CallInst *Mark = markCall(const_cast<Value *>(Ptr), LocalMark)) {
    Result = certain(Mark->getArgOperand(0), Depth + 1);
    Result.set(index(*Mark));
  } else if (const auto *G = dyn_cast<GEPOperator>(Ptr)) {
    Result = certain(G->getPointerOperand(), Depth + 1);
  } else if (const auto *S = dyn_cast<SelectInst>(Ptr)) {
    Result = certain(S->getTrueValue(), Depth + 1);
    Result &= certain(S->getFalseValue(), Depth + 1);
  } else if (const auto *Phi = dyn_cast<PHINode>(Ptr)) {
    Result.set();
    for (const Value *In : Phi->incoming_values()) {
      // A pointer that walks: what comes from the phi itself is based on whatever the others are.
      const Value *From = In;
      while (const auto *G = dyn_cast<GEPOperator>(From))
        From = G->getPointerOperand();
      if (From != Phi)
        Result &= certain(In, Depth + 1);
    }
  }
  return Certain[Ptr] = std::move(Result);
}

bool LocalScopes::surelyNot(const Basis &B, uint64_t Number, const Variable &V) const {
  return B.Known && !is_contained(B.Locals, Number) && all_of(B.Roots, [&](const Value *Root) {
           return isOwnRoot(Root) || (isa<LoadInst>(Root) && !V.Leaks);
         });
}

void LocalScopes::mark(Instruction &I, const BitVector &Inside) {
  SmallVector<const Value *, 2> Pointers = accessedPointers(I);
  if (Pointers.empty() || Inside.none())
    return;
  SmallVector<Basis, 2> Bases;
  for (const Value *Ptr : Pointers)
    Bases.push_back(basisOf(Ptr));
  SmallVector<Metadata *, 4> Scopes, NoAlias;
  for (auto &[Number, V] : Variables) {
    unsigned K = Index.lookup(Number);
    if (!Inside.test(K))
      continue;
    if (all_of(Pointers, [&](const Value *Ptr) { return certain(Ptr).test(K); }))
      Scopes.push_back(V.Scope);
    else if (all_of(Bases, [&, N = Number, &V = V](const Basis &B) { return surelyNot(B, N, V); }))
      NoAlias.push_back(V.Scope);
  }
  addScopes(I, Scopes, NoAlias);
}

void LocalScopes::run() {
  if (!collect())
    return;
  solve();
  for (BasicBlock &B : F) {
    auto At = AtStart.find(&B);
    if (At == AtStart.end())
      continue;
    BitVector Inside = At->second;
    for (Instruction &I : B) {
      step(I, Inside);
      mark(I, Inside);
    }
  }
  for (auto &[Number, V] : Variables) {
    for (CallInst *Begin : V.Begins) {
      IRBuilder<>(Begin).CreateNoAliasScopeDeclaration(MDNode::get(F.getContext(), {V.Scope}));
      Begin->eraseFromParent();
    }
    for (CallInst *End : V.Ends)
      End->eraseFromParent();
    for (CallInst *Value : V.Values) {
      Value->replaceAllUsesWith(Value->getArgOperand(0));
      Value->eraseFromParent();
    }
  }
}

} // namespace

void scopeRestrictLocals(Function &F) { LocalScopes(F).run(); }

} // namespace tapefree
