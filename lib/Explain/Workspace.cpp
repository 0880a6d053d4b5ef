#include "Explain/Workspace.h"
#include "Explain/Names.h"
#include "Prepare/Checkpoint.h"
#include "Rules/UserRules.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace tapefree {

/// " at line 12", for a message at the line of `Call`.
static std::string at(Names &N, const Value *V, const CallBase &Call) {
  return V ? Names::atLine(N.line(V), Call.getDebugLoc()) : std::string();
}

static std::string gradientOf(const Facts &F) { return "the gradient of '" + userName(*F.P.Source) + "'"; }

bool checkWorkspace(const Facts &F, const CallBase &Call, Diag &D) {
  Names N(F);
  unsigned Before = D.errors();
  for (const Instruction &I : instructions(*F.P.F)) {
    auto *Inner = dyn_cast<CallBase>(&I);
    if (!Inner)
      continue;
    if (Inner->getCalledFunction() && Inner->getCalledFunction()->hasFnAttribute(StepsMark))
      D.error(Call, gradientOf(F) +
                        " cannot do with a workspace alone: the snapshots of the loop marked by checkpoint" +
                        at(N, Inner, Call) + " lie on the heap; use gradient, or leave the mark out");
    else if (callsVisibleBody(*Inner) && !rules::gradientRule(*Inner) && F.L.signature(*Inner).active())
      D.error(Call,
              gradientOf(F) + " cannot do with a workspace alone: the call of " + calleeName(*Inner) +
                  at(N, Inner, Call) +
                  " calls itself or is too large, and what it keeps lies in a record on the heap; write a "
                  "loop over arrays in place of recursion, or use gradient");
    else if (isAllocation(Inner) && Inner->hasMetadata(PairedMark))
      D.error(Call, gradientOf(F) + " cannot do with a workspace alone: the derivative inside of it" +
                        at(N, Inner, Call) + " keeps values on the heap; use gradient");
    else if (isAllocation(Inner) && Inner->hasMetadata(ScopedMark))
      D.error(Call, gradientOf(F) +
                        " cannot do with a workspace alone: the array of variable length made in a "
                        "loop" +
                        at(N, Inner, Call) +
                        " lies on the heap until the reverse sweep; make it before the loop, or hand it in");
  }
  return D.errors() == Before;
}

bool checkSizes(const Facts &F, const Plan &P, const CallBase &Call, Diag &D) {
  Names N(F);
  for (const auto &[L, LP] : P.Loops)
    if (LP.Size == LoopPlan::Growing) {
      D.error(Call,
              "how much " + gradientOf(F) +
                  " keeps is not known before it runs: only the run tells how "
                  "often the loop" +
                  Names::atLine(N.loopLine(*L), Call.getDebugLoc()) +
                  " goes round; give gradient_in a workspace of your own choice, which fails where it is "
                  "too small, or count the iterations before the loop");
      return false;
    }
  return true;
}

void refuseSize(const Facts &F, const Loop *Nest, const Instruction *Unknown, const CallBase &Call, Diag &D) {
  Names N(F);
  std::string Loop =
      Nest ? "the loop" + Names::atLine(N.loopLine(*Nest), Call.getDebugLoc()) : std::string("a loop");
  std::string What = "what is computed";
  if (Unknown)
    if (auto Name = isa<LoadInst>(Unknown) ? N.place(*Unknown) : N.expression(Unknown))
      What = "'" + *Name + "'";
  D.error(Call,
          "how much " + gradientOf(F) + " keeps is not known before it runs: for " + Loop +
              " it depends on " + What + at(N, Unknown, Call) +
              ", which only the run finds; give gradient_in a workspace of your own choice, which fails "
              "where it is too small, or hand the number in as an argument");
}

} // namespace tapefree
