// Which fields do the facts of a memory class make of a window of bytes?
#pragma once
#include "Analysis/Types/Graph.h"

namespace tapefree {

struct Layout {
  AccessPattern Pattern;
  /// The first contradiction met, if any.
  const llvm::Instruction *A = nullptr, *B = nullptr;
};

/// What holds for all queries of one class of a solved graph.
struct ClassSummary {
  std::vector<const Fact *> Exact;   ///< by offset
  std::vector<const Fact *> Strided; ///< the firmest first
  uint64_t Period = 0;               ///< that all strides without bound share
  uint64_t BoundedPeriod = 0;        ///< of arrays with a bound that nothing lies beside
  int64_t End = INT64_MIN;           ///< behind the last element that is told apart
  bool Array = false;
  bool Blurred = false; ///< elements somewhere, at no offset that could be told
  bool Uniform = true;  ///< one kind, each element at a multiple of its size from the others
  const Fact *Sample = nullptr;
};

/// Answers queries of a solved graph.
class Layouts {
public:
  explicit Layouts(Graph &G) : G(G) {}
  /// The bytes [0, Bytes) from the place; no length: as far as the memory goes, which is a multiple of Unit
  /// where that is not 0 (`n * sizeof(T)`: memory that repeats).
  Layout layoutOf(Place P, std::optional<uint64_t> Bytes, uint64_t Unit = 0);

private:
  const ClassSummary &summary(unsigned Root);
  Graph &G;
  llvm::DenseMap<unsigned, std::unique_ptr<ClassSummary>> Cache;
};

/// What two accesses to equal bytes (the two sides of a copy) say together.
AccessPattern joinPatterns(const AccessPattern &A, const AccessPattern &B);

} // namespace tapefree
