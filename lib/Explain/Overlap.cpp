#include "Explain/Overlap.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace tapefree {

std::string bufferName(Names &Known, const Value *Root) {
  if (isa<GlobalVariable>(Root))
    return ("'" + Root->getName() + "'").str();
  if (std::optional<std::string> Text = Known.expression(Root))
    return "'" + *Text + "'";
  std::string Way;
  while (auto *Load = dyn_cast<LoadInst>(Root)) {
    Way = "a pointer found through ";
    Root = getUnderlyingObject(Load->getPointerOperand(), 0);
  }
  if (auto *A = dyn_cast<Argument>(Root))
    return Way + "argument " + std::to_string(A->getArgNo() + 1);
  return Way + (isa<GlobalVariable>(Root) ? "'" + Root->getName().str() + "'" : "memory");
}

std::string overlapText(StringRef X, StringRef Y, bool Shadows, StringRef Function, const CallBase &Call,
                        StringRef Rule) {
  std::string Line = lineOf(Call), Text = "tapefree: ";
  if (!Line.empty())
    Text += Line + ": ";
  if (Shadows)
    Text += "the shadows of ";
  return (Text + X + " and " + Y + " overlap in the gradient of '" + Function + "', " + Rule + "\n").str();
}

} // namespace tapefree
