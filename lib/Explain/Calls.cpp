#include "Explain/Calls.h"
#include "Explain/Names.h"
#include "Support/Diag.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace tapefree {

// A sentence names this many calls; the record has all of them.
static constexpr size_t SpokenCalls = 4;

CallChain inlinedCalls(const DebugLoc &Line) {
  CallChain Calls;
  if (Line)
    for (const DILocation *At = Line.getInlinedAt(); At; At = At->getInlinedAt())
      Calls.push_back({userName(*At->getScope()->getSubprogram()), At});
  std::reverse(Calls.begin(), Calls.end());
  return Calls;
}

CallChain callsTo(const Function &Callee, const Function &Caller, StringRef CallerName) {
  for (const Instruction &I : instructions(Caller)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || Call->getCalledFunction() != &Callee)
      continue;
    DebugLoc At = userLine(Call->getDebugLoc());
    CallChain Calls = inlinedCalls(At);
    Calls.push_back(
        {At && At.getInlinedAt() ? userName(*At->getScope()->getSubprogram()) : CallerName.str(), At});
    return Calls;
  }
  return {};
}

std::string calledText(const std::string &Callee, ArrayRef<CallStep> Calls, const DebugLoc &Near) {
  std::string Text = "'" + Callee + "'";
  size_t Said = 0;
  for (const CallStep &Step : reverse(Calls)) {
    if (Said++ == SpokenCalls)
      return Text + ", ...";
    Text += ", which '" + Step.Caller + "' calls" + Names::atLine(Step.At, Near);
  }
  return Text;
}

} // namespace tapefree
