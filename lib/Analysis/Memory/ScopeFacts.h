/// \file
/// Which !alias.scope / !noalias facts of an access hold between a load and a write of *another* iteration?
///
///   for (i) f(p + i, q + i);   // void f(double *restrict a, double *restrict b), inlined
///
/// Each call declares its scopes anew (llvm.experimental.noalias.scope.decl inside the loop): within one
/// iteration a and b are disjoint, but the a of iteration 3 may well be the b of iteration 2. A scope
/// declared outside of the loop, or nowhere (then it stands for the whole function), holds across its
/// iterations.
#pragma once
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
struct AAMDNodes;
class Function;
class Loop;
class LoopInfo;
class MDNode;
} // namespace llvm

namespace tapefree {

class ScopeFacts {
public:
  ScopeFacts(const llvm::Function &F, const llvm::LoopInfo &LI);

  /// \p Tags without the facts that do not hold between two accesses of which one, in loop \p Around, is
  /// known to share with the other only the iteration of \p Same (null: none) and of the loops around it.
  llvm::AAMDNodes holding(llvm::AAMDNodes Tags, const llvm::Loop *Same, const llvm::Loop *Around);

private:
  bool holds(const llvm::MDNode *Domain, const llvm::Loop *Same, const llvm::Loop *Around) const;
  llvm::MDNode *filter(llvm::MDNode *Scopes, const llvm::Loop *Same, const llvm::Loop *Around) const;

  /// Loops in which a scope of the domain is declared; a null loop is outside of all loops.
  llvm::DenseMap<const llvm::MDNode *, llvm::SmallVector<const llvm::Loop *, 1>> DeclaredIn;
};

} // namespace tapefree
