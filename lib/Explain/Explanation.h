// Explanation: everything that a person needs to know about one kept value, ready to print.
#pragma once
#include "Explain/Calls.h"
#include "Explain/Names.h"

namespace tapefree {

enum class Cause : uint8_t {
#define CAUSE(Id, Why, Edit) Id,
#include "Explain/Causes.def"
#undef CAUSE
};
llvm::StringRef name(Cause C);

struct Explanation {
  ValueRef Value;
  std::string Name;         // "'x[i]'", "the outcome of the condition"
  llvm::DebugLoc Line;      // of the value
  CallChain Calls;          // that were inlined around that line
  llvm::DebugLoc CauseLine; // of what forces it
  std::string CauseName;    // "the store to 'z[i]'", "the loop": what is at that line; may be empty
  uint64_t RowBytes = 0;    // for each iteration; 0 for a record of unknown size
  std::string Bytes;        // "8·n·m bytes", "80800 bytes (100·101·8)"
  std::optional<Polynomial> Total;
  std::string Place; // "on the stack", "in one heap block", "in a growing heap block"
  bool OnHeap = false;
  Cause Why = Cause::Other;
  std::string Because, Edit; // the filled-in texts of Causes.def
};

/// One explanation for each kept value, in the order of the plan's loops. Records of calls outside of loops,
/// which the plan holds in a register, count too: what they point to lies on the heap.
llvm::SmallVector<Explanation, 4> explainPlan(const Facts &F, const Plan &P);

/// Byte counts, Formula.cpp.
struct ByteCount {
  std::string Text;
  std::optional<Polynomial> Total;
};
ByteCount countBytes(const LoopPlan &LP, uint64_t RowBytes, const Facts &F, Names &N,
                     const llvm::DebugLoc &Near);
/// The sum as "808 bytes" or "8·n·m + 4·n bytes"; nothing when a part is unknown.
std::optional<std::string> sumBytes(llvm::ArrayRef<Explanation> All);

} // namespace tapefree
