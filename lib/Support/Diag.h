// Diag: the only way by which the plugin speaks to the user.
//
// Every refusal is an error at a source line, in the user's words; every kept value is a remark. Nothing in
// here knows about derivatives, so every layer may use it.
#pragma once
#include "llvm/ADT/Twine.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/InstrTypes.h"
#include <string>

namespace llvm {
class DISubprogram;
}

namespace tapefree {

/// Counts the errors reported so far, so that a stage can stop cleanly instead of building on a refusal.
class Diag {
public:
  /// Reports `Message` as a compile error at the line of `At` (or of its function when it carries no
  /// location).
  void error(const llvm::Instruction &At, const llvm::Twine &Message);
  /// The same at a line of `In`.
  void error(const llvm::Function &In, const llvm::DebugLoc &Line, const llvm::Twine &Message);
  /// The same at a function's own line.
  void error(const llvm::Function &At, const llvm::Twine &Message);
  /// Adds to the error just reported what lies at another line, which is quoted where the source file can be
  /// read.
  void note(const llvm::Function &In, const llvm::DebugLoc &Line, const llvm::Twine &Message);
  /// Counts an error that was reported in another way (one without a function to point at).
  void count() { ++Count; }
  unsigned errors() const { return Count; }

private:
  unsigned Count = 0;
};

/// "file.cpp:12" of an instruction; the empty string without debug information.
std::string lineOf(const llvm::Instruction &I);
/// "line 12" (same file as `Near`) or "file.cpp:12"; "an unknown line" without debug information.
std::string describeLine(const llvm::Instruction &I);
/// The name a user knows a function by: demangled, without the parameter list.
std::string userName(const llvm::Function &F);
std::string userName(const llvm::DISubprogram &SP);
/// Headers of our own API and of the system are not the user's: what was inlined out of them is shown where
/// it was called from.
llvm::DebugLoc userLine(llvm::DebugLoc Line);

/// What a message calls the callee of a call: "'name'", "inline assembly" or "a function reached through a
/// pointer".
std::string calleeName(const llvm::CallBase &Call);

} // namespace tapefree
