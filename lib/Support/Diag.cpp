#include "Support/Diag.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/Path.h"
#include <cstdlib>

using namespace llvm;

namespace tapefree {

void Diag::error(const Instruction &At, const Twine &Message) {
  error(*At.getFunction(), At.getDebugLoc(), Message);
}

/// The C++ API's own headers are not the user's: an error inside them is shown where they were called from.
DebugLoc userLine(DebugLoc Line) {
  auto Ours = [](StringRef File) {
    return File.contains("tapefree/detail/") || File.ends_with("tapefree/tapefree.hpp");
  };
  while (Line && Line.getInlinedAt() && Ours(Line->getFilename()))
    Line = DebugLoc(Line.getInlinedAt());
  return Line;
}

void Diag::error(const Function &In, const DebugLoc &Inner, const Twine &Message) {
  ++Count;
  DebugLoc Line = userLine(Inner);
  std::string Text = ("tapefree: " + Message).str();
  // Without -g the compiler can only point at the function: say how to get the line.
  if (!Line)
    Text += " (compile with -gline-tables-only to see the line)";
  In.getContext().diagnose(DiagnosticInfoUnsupported(In, Text, Line, DS_Error));
}

void Diag::error(const Function &At, const Twine &Message) {
  ++Count;
  std::string Text = ("tapefree: " + Message).str();
  DiagnosticLocation Loc;
  if (const DISubprogram *SP = At.getSubprogram())
    Loc = DiagnosticLocation(SP);
  At.getContext().diagnose(DiagnosticInfoUnsupported(At, Text, Loc, DS_Error));
}

std::string lineOf(const Instruction &I) {
  DebugLoc Loc = userLine(I.getDebugLoc());
  if (!Loc || !Loc.getLine())
    return "";
  return (sys::path::filename(Loc->getFilename()) + ":" + Twine(Loc.getLine())).str();
}

std::string describeLine(const Instruction &I) {
  std::string Line = lineOf(I);
  return Line.empty() ? "an unknown line" : Line;
}

/// A derivative that is differentiated again goes by the name of what it is a derivative of.
static StringRef withoutPrefixes(StringRef Name) {
  bool Ours = false;
  for (bool Again = true; Again;) {
    Again = false;
    for (StringRef Part : {"primal", "gradient", "augmented", "reverse", "tangent"})
      Again |= Name.consume_front(("tapefree." + Part + ".").str());
    Ours |= Again;
  }
  return Ours ? Name.split('.').first : Name; // behind the name: numbers that tell several derivatives apart
}

std::string userName(const Function &F) {
  std::string Mangled = withoutPrefixes(F.getName()).str();
  ItaniumPartialDemangler Demangler;
  if (Demangler.partialDemangle(Mangled.c_str()) || !Demangler.isFunction())
    return demangle(Mangled);
  // Without the result type that demangled templates have.
  size_t Size = 0;
  char *Buffer = Demangler.getFunctionName(nullptr, &Size);
  std::string Name = Buffer ? Buffer : Mangled;
  std::free(Buffer);
  return Name;
}

std::string calleeName(const CallBase &Call) {
  if (const Function *F = Call.getCalledFunction())
    return "'" + userName(*F) + "'";
  return Call.isInlineAsm() ? "inline assembly" : "a function reached through a pointer";
}

} // namespace tapefree
