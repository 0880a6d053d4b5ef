// OffsetBounds: the ends of the range that an offset goes through in loops.
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace llvm {
class SCEV;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace tapefree {

class OffsetBounds {
public:
  /// `Known`: what an end may be written in. `KeepKnown`: an offset that is known stays as it is; else all
  /// loops that it moves in are gone through.
  OffsetBounds(llvm::ScalarEvolution &SE, llvm::function_ref<bool(const llvm::SCEV *)> Known, bool KeepKnown)
      : SE(SE), Known(Known), KeepKnown(KeepKnown) {}
  /// The smallest or largest value of an offset over all iterations of all loops; null when it cannot be
  /// bounded. What it is made of need not all be known.
  const llvm::SCEV *bound(const llvm::SCEV *S, bool Upper);

private:
  struct Choice {
    llvm::Value *Condition, *True, *False;
  };
  static std::optional<Choice> choice(llvm::Value *V);
  const llvm::SCEV *ofChoice(const Choice &Of, bool Upper);
  const llvm::SCEV *ofSide(const Choice &Of, bool Side, bool Upper);

  llvm::ScalarEvolution &SE;
  llvm::function_ref<bool(const llvm::SCEV *)> Known;
  bool KeepKnown;
};

} // namespace tapefree
