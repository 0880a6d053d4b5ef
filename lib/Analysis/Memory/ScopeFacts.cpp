#include "Analysis/Memory/ScopeFacts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace tapefree {

static const MDNode *domainOf(const MDOperand &Scope) {
  const auto *Node = dyn_cast_or_null<MDNode>(Scope.get());
  return Node ? AliasScopeNode(Node).getDomain() : nullptr;
}

/// Loop versioning puts a run-time check before one loop and marks its accesses, with no declaration: the
/// facts are those of one entry into that loop.
static bool isVersioningDomain(const MDNode *Domain) {
  if (Domain->getNumOperands() < 2)
    return false;
  const auto *Name = dyn_cast_or_null<MDString>(Domain->getOperand(1).get());
  return Name && Name->getString() == "LVerDomain";
}

ScopeFacts::ScopeFacts(const Function &F, const LoopInfo &LI) {
  for (const Instruction &I : instructions(F))
    if (const auto *Decl = dyn_cast<NoAliasScopeDeclInst>(&I))
      for (const MDOperand &Scope : Decl->getScopeList()->operands())
        if (const MDNode *Domain = domainOf(Scope)) {
          auto &Loops = DeclaredIn[Domain];
          const Loop *L = LI.getLoopFor(I.getParent());
          if (!is_contained(Loops, L))
            Loops.push_back(L);
        }
}

bool ScopeFacts::holds(const MDNode *Domain, const Loop *Same, const Loop *Around) const {
  if (isVersioningDomain(Domain))
    return Same == Around;
  auto It = DeclaredIn.find(Domain);
  return It == DeclaredIn.end() ||
         all_of(It->second, [&](const Loop *Decl) { return !Decl || (Same && Decl->contains(Same)); });
}

/// Drops whole domains: dropping single scopes from !alias.scope would make the access look *more*
/// restricted.
MDNode *ScopeFacts::filter(MDNode *Scopes, const Loop *Same, const Loop *Around) const {
  if (!Scopes)
    return nullptr;
  SmallVector<Metadata *, 8> Kept;
  for (const MDOperand &Scope : Scopes->operands()) {
    const MDNode *Domain = domainOf(Scope);
    if (Domain && holds(Domain, Same, Around))
      Kept.push_back(Scope.get());
  }
  if (Kept.size() == Scopes->getNumOperands())
    return Scopes;
  return Kept.empty() ? nullptr : MDNode::get(Scopes->getContext(), Kept);
}

AAMDNodes ScopeFacts::holding(AAMDNodes Tags, const Loop *Same, const Loop *Around) {
  Tags.Scope = filter(Tags.Scope, Same, Around);
  Tags.NoAlias = filter(Tags.NoAlias, Same, Around);
  return Tags;
}

} // namespace tapefree
