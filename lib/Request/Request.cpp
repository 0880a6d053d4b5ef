#include "Request/Request.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tapefree {

const char *name(ArgActivity A) {
  switch (A) {
  case ArgActivity::Const:
    return "const";
  case ArgActivity::Out:
    return "out";
  case ArgActivity::Dup:
    return "dup";
  case ArgActivity::DupNoNeed:
    return "dupnoneed";
  case ArgActivity::DupMaybe:
    return "dup?";
  }
  return "?";
}

void Request::print(raw_ostream &OS) const {
  OS << (AsksSize ? "workspace size of " : "") << (Kind == Mode::Reverse ? "reverse " : "forward ")
     << Primal->getName() << "(";
  ListSeparator Comma;
  for (auto [I, A] : enumerate(Args)) {
    OS << Comma << name(A);
    if (Lanes.Width > 1 && A != ArgActivity::Const && A != ArgActivity::Out &&
        Primal->getArg(unsigned(I))->getType()->isPointerTy())
      OS << (Lanes.arg(unsigned(I)) == LaneLayout::Separate ? " separate" : " interleaved");
  }
  OS << ") return " << (ReturnActive ? "active" : "const");
  if (ReturnPrimal)
    OS << " with primal";
  if (Lanes.Width > 1)
    OS << " width " << Lanes.Width;
  if (Strict)
    OS << (TrapOverlap ? " strict checked" : " strict");
  else if (TrapOverlap) // how large a workspace must be is asked without strict
    OS << " checked";
  if (Alias != AliasPolicy::Checked)
    OS << " alias " << tapefree::name(Alias);
  if (InWorkspace)
    OS << " in workspace";
  OS << "\n";
}

} // namespace tapefree
