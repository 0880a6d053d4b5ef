#include "Plan/Plan.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tapefree {

static StringRef fateName(Fate F) {
  switch (F) {
  case Fate::Available:
    return "available";
  case Fate::Slot:
    return "slot";
  case Fate::Recompute:
    return "recompute";
  case Fate::Reload:
    return "reload";
  case Fate::Keep:
    return "keep";
  }
  return "?";
}

static void printRef(raw_ostream &OS, ValueRef R) {
  if (R.K == ValueRef::Shadow)
    OS << "shadow ";
  else if (R.K == ValueRef::Tape)
    OS << "record ";
  R.V->printAsOperand(OS, false);
}

static void printLoop(raw_ostream &OS, const LoopPlan &LP) {
  OS << "  loop ";
  LP.L->getHeader()->printAsOperand(OS, false);
  if (!LP.HasWork) {
    OS << ": passed by\n";
    return;
  }
  switch (LP.Size) {
  case LoopPlan::Nothing:
    OS << ": keeps nothing\n";
    return;
  case LoopPlan::Stack:
    OS << ": stack, " << LP.StackRows << " rows";
    break;
  case LoopPlan::Exact:
    OS << ": heap, rows ";
    LP.TotalRows->printAsOperand(OS, false);
    break;
  case LoopPlan::Growing:
    OS << ": heap, growing";
    break;
  }
  OS << " of " << LP.RowBytes << " bytes:";
  ListSeparator Comma(",");
  for (const KeptArray &K : LP.Kept) {
    OS << Comma << " ";
    printRef(OS, K.Value);
  }
  OS << "\n";
}

void Plan::print(raw_ostream &OS, const Facts &F) const {
  OS << "plan of " << F.P.F->getName() << "\n";
  for (auto &[L, LP] : Loops)
    printLoop(OS, LP);
  for (auto &[R, VP] : Values) {
    if (VP.F == Fate::Available)
      continue;
    OS << "  ";
    printRef(OS, R);
    OS << " : " << fateName(VP.F);
    if (VP.Form == RecomputeForm::Counter)
      OS << " counter";
    else if (VP.Form == RecomputeForm::Recurrence)
      OS << " recurrence";
    else if (VP.Form == RecomputeForm::Path)
      OS << " path";
    else if (VP.Form == RecomputeForm::Forward)
      OS << " forward";
    if (VP.F == Fate::Keep && VP.Why) {
      OS << " because ";
      VP.Why.print(OS);
    }
    OS << "\n";
  }
}

} // namespace tapefree
