#include "Support/Diag.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include <cstdlib>

using namespace llvm;

namespace tapefree {

void Diag::error(const Instruction &At, const Twine &Message) {
  error(*At.getFunction(), At.getDebugLoc(), Message);
}

static bool ofTheUser(StringRef File) {
  bool Api = File.contains("include/tapefree/") && !File.contains("include/tapefree/nn/");
  return !Api && !File.contains("tapefree/detail/") && !File.contains("/include/c++/") &&
         !File.starts_with("/usr/include/") && !File.starts_with("/usr/lib/");
}

DebugLoc userLine(DebugLoc Line) {
  while (Line && Line.getInlinedAt() && !ofTheUser(Line->getFilename()))
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

/// Where `Line` is in the text of its file; null if the text has no such line.
static SMLoc positionOf(const MemoryBuffer &Text, unsigned Line, unsigned Column) {
  StringRef Rest = Text.getBuffer();
  for (unsigned N = 1; N < Line; ++N) {
    size_t End = Rest.find('\n');
    if (End == StringRef::npos)
      return SMLoc();
    Rest = Rest.drop_front(End + 1);
  }
  size_t Length = Rest.find_first_of("\r\n");
  return SMLoc::getFromPointer(Rest.data() +
                               std::min<size_t>(std::min(Length, Rest.size()), Column ? Column - 1 : 0));
}

void Diag::note(const Function &In, const DebugLoc &Inner, const Twine &Message) {
  LLVMContext &Context = In.getContext();
  DebugLoc Line = userLine(Inner);
  if (!Line || !Line.getLine()) {
    Context.diagnose(DiagnosticInfoSrcMgr(SMDiagnostic("", SourceMgr::DK_Note, Message.str()), "", false));
    return;
  }
  // Only a diagnostic about a buffer can be a note and have a place, in clang as in opt. So the buffer is
  // read again.
  SmallString<128> Path(Line->getFilename());
  sys::path::make_absolute(Line->getDirectory(), Path);
  SourceMgr Sources;
  if (auto File = MemoryBuffer::getFile(Path, /*IsText=*/true)) {
    auto Text = MemoryBuffer::getMemBufferCopy((*File)->getBuffer(), Line->getFilename());
    if (SMLoc At = positionOf(*Text, Line.getLine(), Line.getCol()); At.isValid()) {
      Sources.AddNewSourceBuffer(std::move(Text), SMLoc());
      Context.diagnose(DiagnosticInfoSrcMgr(Sources.GetMessage(At, SourceMgr::DK_Note, Message),
                                            In.getParent()->getModuleIdentifier(), false));
      return;
    }
  }
  std::string Text = (Line->getFilename() + ":" + Twine(Line.getLine()) + ": " + Message).str();
  Context.diagnose(DiagnosticInfoSrcMgr(SMDiagnostic("", SourceMgr::DK_Note, Text), "", false));
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
    for (StringRef Part : {"primal", "gradient", "augmented", "reverse", "tangent", "steps", "step"})
      Again |= Name.consume_front(("tapefree." + Part + ".").str());
    Ours |= Again;
  }
  return Ours ? Name.split('.').first : Name; // behind the name: numbers that tell several derivatives apart
}

static std::string userName(StringRef Symbol) {
  std::string Mangled = withoutPrefixes(Symbol).str();
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

std::string userName(const Function &F) { return userName(F.getName()); }

std::string userName(const DISubprogram &SP) {
  return userName(SP.getLinkageName().empty() ? SP.getName() : SP.getLinkageName());
}

std::string calleeName(const CallBase &Call) {
  if (const Function *F = Call.getCalledFunction())
    return "'" + userName(*F) + "'";
  return Call.isInlineAsm() ? "inline assembly" : "a function reached through a pointer";
}

} // namespace tapefree
