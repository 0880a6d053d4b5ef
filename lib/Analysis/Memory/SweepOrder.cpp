#include "Analysis/Memory/SweepOrder.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace tapefree {

/// The closure of this many blocks takes 8 MiB. Beyond it the topological number alone answers, which only
/// errs towards "may follow".
static constexpr unsigned MaxClosureBlocks = 8192;

static const Loop *backEdgeOf(const BasicBlock *From, const BasicBlock *To, const LoopInfo &LI) {
  const Loop *L = LI.getLoopFor(To);
  return L && L->getHeader() == To && L->contains(From) ? L : nullptr;
}

const SweepOrder::Blocks &SweepOrder::exits(const Loop *L) {
  auto [It, New] = Exits.try_emplace(L);
  if (!New)
    return It->second;
  SmallVector<BasicBlock *, 4> Targets;
  L->getUniqueExitBlocks(Targets);
  Blocks Out;
  for (const BasicBlock *T : Targets) {
    // An exit straight into the next iteration of a loop around this one leaves that iteration: what can
    // still follow within the enclosing loops is whatever follows that loop.
    const Loop *Around = L->getParentLoop();
    while (Around && Around->getHeader() != T)
      Around = Around->getParentLoop();
    if (Around)
      append_range(Out, Blocks(exits(Around)));
    else
      Out.push_back(T);
  }
  return Exits[L] = std::move(Out); // exits(Around) may have moved the entry
}

void SweepOrder::successors(const BasicBlock *BB, const LoopInfo &LI, Blocks &Out) const {
  Out.clear();
  for (const BasicBlock *S : llvm::successors(BB)) {
    // After a latch comes another iteration, and in the end one of the loop's exits.
    if (const Loop *L = backEdgeOf(BB, S, LI))
      append_range(Out, Exits.find(L)->second);
    else
      Out.push_back(S);
  }
}

SweepOrder::SweepOrder(const Function &F, const LoopInfo &LI) {
  ReversePostOrderTraversal<const Function *> RPO(&F);
  Irreducible = containsIrreducibleCFG<const BasicBlock *>(RPO, LI);
  if (Irreducible) {
    unsigned N = 0;
    for (const BasicBlock *BB : RPO)
      Number[BB] = N++;
    return;
  }
  for (const Loop *L : LI.getLoopsInPreorder())
    exits(L);

  // Depth first, by hand since the graph differs from the function's own by the edges around back edges.
  struct Frame {
    const BasicBlock *BB;
    Blocks Next;
  };
  SmallVector<Frame, 32> Stack;
  SmallVector<const BasicBlock *, 0> PostOrder;
  SmallPtrSet<const BasicBlock *, 32> Seen;
  auto Enter = [&](const BasicBlock *BB) {
    if (!Seen.insert(BB).second)
      return;
    Stack.push_back({BB, {}});
    successors(BB, LI, Stack.back().Next);
  };
  Enter(&F.getEntryBlock());
  while (!Stack.empty()) {
    if (Stack.back().Next.empty()) {
      PostOrder.push_back(Stack.back().BB);
      Stack.pop_back();
    } else {
      Enter(Stack.back().Next.pop_back_val());
    }
  }

  unsigned N = PostOrder.size();
  for (auto [I, BB] : enumerate(PostOrder))
    Number[BB] = N - 1 - I;
  if (N > MaxClosureBlocks)
    return;
  Reach.assign(N, BitVector(N));
  Blocks Next;
  for (const BasicBlock *BB : PostOrder) {
    BitVector &Here = Reach[Number[BB]];
    successors(BB, LI, Next);
    for (const BasicBlock *S : Next) {
      Here.set(Number[S]);
      Here |= Reach[Number[S]];
    }
  }
}

bool SweepOrder::mayFollow(const BasicBlock *From, const BasicBlock *To) const {
  auto F = Number.find(From), T = Number.find(To);
  if (F == Number.end() || T == Number.end())
    return false;
  if (Reach.empty())
    return T->second > F->second;
  return Reach[F->second].test(T->second);
}

} // namespace tapefree
