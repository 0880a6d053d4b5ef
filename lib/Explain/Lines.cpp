// Where a value is in the user's source, and what a sentence calls it.
#include "Explain/Names.h"
#include "Prepare/Checkpoint.h"
#include "Rules/UserRules.h"
#include "Support/Diag.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace tapefree {
//----------------------------------------------------------------------------------------------------===//

static bool known(const DebugLoc &L) { return L && L.getLine(); }

DebugLoc Names::loopLine(const Loop &L) {
  if (DebugLoc Start = L.getStartLoc(); known(Start))
    return userLine(Start);
  return userLine(L.getHeader()->getTerminator()->getDebugLoc());
}

/// The nearest line that stands for `V`: what a loop carries is computed at the end of an iteration; what
/// Prepare made is at the loop or branch that it counts or tells.
DebugLoc Names::innerLine(const Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return DebugLoc();
  auto *Phi = dyn_cast<PHINode>(I);
  if (!Phi)
    return known(I->getDebugLoc()) ? I->getDebugLoc() : I->getParent()->getTerminator()->getDebugLoc();
  if (const Loop *Counted = countedBy(Phi))
    return loopLine(*Counted);
  const Loop *L = F.LI.getLoopFor(Phi->getParent());
  if (L && L->getHeader() == Phi->getParent() && L->getLoopLatch()) {
    auto *Next = dyn_cast<Instruction>(Phi->getIncomingValueForBlock(L->getLoopLatch()));
    if (Next && !isa<PHINode>(Next) && known(Next->getDebugLoc()))
      return Next->getDebugLoc();
    return loopLine(*L);
  }
  if (Phi->getNumIncomingValues() == 1) // out of an inner loop
    if (DebugLoc Inside = innerLine(Phi->getIncomingValue(0)); known(Inside))
      return Inside;
  if (auto *Node = F.DT.getNode(Phi->getParent())->getIDom())
    if (DebugLoc Branch = Node->getBlock()->getTerminator()->getDebugLoc(); known(Branch))
      return Branch;
  return Phi->getDebugLoc();
}

DebugLoc Names::line(const Value *V) { return userLine(innerLine(V)); }

const Loop *Names::countedBy(const Value *V) const {
  for (const auto &[Header, C] : F.P.Counts)
    for (const auto &[Exit, Count] : C.BackEdgesAtExit)
      if (Count == V && V != C.BackEdges)
        return F.LI.getLoopFor(Header);
  return nullptr;
}

bool Names::isSelector(const Value *V) const {
  auto *Phi = dyn_cast<PHINode>(V);
  auto It = Phi ? F.P.Merges.find(Phi->getParent()) : F.P.Merges.end();
  return It != F.P.Merges.end() && any_of(It->second, [&](const PathChoice &C) { return C.Path == V; });
}

std::string Names::atLine(const DebugLoc &L, const DebugLoc &Near) {
  return known(L) ? " at " + lineText(L, Near) : "";
}

std::string Names::lineText(const DebugLoc &L, const DebugLoc &Near) {
  if (!known(L))
    return "an unknown line";
  if (known(Near) && Near->getFile() == L->getFile())
    return "line " + std::to_string(L.getLine());
  return (sys::path::filename(L->getFilename()) + ":" + Twine(L.getLine())).str();
}

std::string Names::describe(ValueRef R) {
  if (R.K == ValueRef::Tape) {
    const Function *Callee = cast<CallBase>(R.V)->getCalledFunction();
    if (Callee && Callee->hasFnAttribute(StepsMark))
      return "the snapshots of the loop";
    if (rules::gradientRule(*cast<CallBase>(R.V)))
      return "the tape of the call of '" + userName(*Callee) + "'";
    return "the record of the call of " +
           (Callee ? "'" + userName(*Callee) + "'" : std::string("a function"));
  }
  std::string Shadow = R.K == ValueRef::Shadow ? "the shadow of " : "";
  auto *I = cast<Instruction>(R.V);
  if (countedBy(I))
    return "the number of iterations of the loop";
  if (isSelector(I))
    return "the way taken through the branches";
  if (auto Name = expression(I))
    return Shadow + "'" + *Name + "'";
  if (I->getType()->isIntegerTy(1))
    return Shadow + "the outcome of the condition";
  if (isa<LoadInst>(I))
    return Shadow + "the value loaded";
  if (isAllocation(I))
    return Shadow + "the address of the memory allocated";
  if (auto *Call = dyn_cast<CallBase>(I); Call && Call->getCalledFunction() && !isa<IntrinsicInst>(Call))
    return Shadow + "the result of '" + userName(*Call->getCalledFunction()) + "'";
  return Shadow + "the value computed";
}

} // namespace tapefree
