// Lanes: in which layout the shadow of each pointer lies, for one prepared function differentiated at width
// N.
//
// The primal runs once, so control and primal values have no lanes; derivatives of scalars are vectors of N.
// A shadow pointer is one address (interleaved: offsets count N times) or a vector of N addresses (separate).
// Pointers that flow together share a layout: it is found by unification over the function. At width 1 both
// are the same and nothing is solved.
#pragma once
#include "Analysis/Activity/Activity.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace tapefree {

/// The type of the differential (tangent, adjoint, shadow) of a value of type `T`, whose pointers are in
/// layout `L`.
llvm::Type *differentialType(llvm::Type *T, LaneLayout L, unsigned Width);

class Lanes {
public:
  Lanes(const llvm::Function &F, const Activity &Act, const LaneSignature &S);

  unsigned width() const { return S.Width; }
  bool wide() const { return S.Width > 1; }
  const LaneSignature &signature() const { return S; }
  /// The layout of a pointer's shadow, or of the pointers in an aggregate.
  LaneLayout of(const llvm::Value *V) const;
  LaneLayout inMemory() const { return S.inMemory(); }
  llvm::Type *differentialType(const llvm::Value *V) const {
    return tapefree::differentialType(V->getType(), of(V), S.Width);
  }
  /// Activities and lanes with which a call that stays a call is differentiated.
  CallSignature signature(const llvm::CallBase &Call) const;
  /// Whether every pointer has one layout.
  bool consistent() const { return Conflicts.empty(); }
  /// The same where no argument is a buffer of the user's (of an exit): then what one holds is known.
  bool consistentBesideLoads() const {
    return llvm::all_of(Conflicts, [](const Conflict &C) { return C.OfLoad; });
  }
  /// Reports pointers that would need two layouts, and what cannot be done in lanes. False if anything was
  /// reported.
  bool check(Diag &D) const;

private:
  const llvm::Value *memory() const { return &F; } // stands for all pointers that lie in memory
  bool follows(const llvm::Value *V) const;
  void join(const llvm::Value *A, const llvm::Value *B);
  void joinOperands(const llvm::Instruction &I);
  void demand(const llvm::Value *V, LaneLayout L, const char *Why);
  void solve();

  const llvm::Function &F;
  const Activity &Act;
  LaneSignature S;
  struct Demand {
    LaneLayout Layout;
    const char *Why;
  };
  llvm::EquivalenceClasses<const llvm::Value *> Classes;
  llvm::DenseMap<const llvm::Value *, Demand> Demands; // by class leader
  struct Conflict {
    const llvm::Value *Where;
    const char *One, *Other;
    bool OfLoad = false; // of pointers from a buffer that has no room for those of all lanes
  };
  llvm::SmallVector<Conflict, 1> Conflicts;
};

} // namespace tapefree
