#include "Emit/AliasTags.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace tapefree {

AliasTags::AliasTags(Function &Derivative, const DisjointBuffers *Apart, const Lanes &L)
    : F(Derivative), Apart(Apart), L(L) {
  MDBuilder MD(F.getContext());
  MDNode *Domain = MD.createAnonymousAliasScopeDomain("tapefree");
  size_t Count = 3 + (Apart ? 2 * Apart->size() : 0);
  for (size_t I = 0; I < Count; ++I)
    Scopes.push_back(MD.createAnonymousAliasScope(Domain, "tapefree"));
}

unsigned AliasTags::scopeOf(MemoryRole Role, const Value *FrozenPointer) const {
  if (!Apart || Role == MemoryRole::Kept)
    return unsigned(Role);
  if (Role == MemoryRole::Shadow && L.wide() && L.of(FrozenPointer) == LaneLayout::Separate)
    return unsigned(Role); // too many ranges to test
  std::optional<unsigned> Buffer = Apart->bufferOf(FrozenPointer);
  return Buffer ? 3 + 2 * *Buffer + unsigned(Role) : unsigned(Role);
}

void AliasTags::tag(Instruction &Access, MemoryRole Role, const Value *FrozenPointer) {
  if (!isa<LoadInst, StoreInst, IntrinsicInst>(Access))
    return;
  unsigned Mine = scopeOf(Role, FrozenPointer);
  SmallVector<Metadata *, 16> Others;
  for (unsigned S = 0; S < Scopes.size(); ++S) {
    bool OtherRole = S < 3 ? S != unsigned(Role) : Role == MemoryRole::Kept || (S - 3) % 2 != unsigned(Role);
    bool BothApart = Mine >= 3 && S >= 3 && S != Mine &&
                     (Role == MemoryRole::Primal || Apart->shadowsApart((Mine - 3) / 2, (S - 3) / 2));
    if (OtherRole || BothApart)
      Others.push_back(Scopes[S]);
  }
  LLVMContext &C = F.getContext();
  auto Add = [&](unsigned Kind, MDNode *List) {
    Access.setMetadata(Kind, MDNode::concatenate(Access.getMetadata(Kind), List));
  };
  Add(LLVMContext::MD_alias_scope, MDNode::get(C, {Scopes[Mine]}));
  Add(LLVMContext::MD_noalias, MDNode::get(C, Others));
}

void AliasTags::declare() {
  IRBuilder<> B(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  for (MDNode *S : Scopes)
    B.CreateNoAliasScopeDeclaration(MDNode::get(F.getContext(), {S}));
}

} // namespace tapefree
