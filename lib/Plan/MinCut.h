// MinCut: the cheapest set of vertices whose removal separates all sources from all sinks of a graph. No LLVM, no AD.
//
// Among cuts of equal weight the one nearest to the sinks is returned: what lies behind it has to be computed least often.
#pragma once
#include <cstdint>
#include <vector>

namespace tapefree {

class MinCut {
public:
  /// Adds a vertex that costs `Weight` to cut; returns its number.
  unsigned addVertex(uint64_t Weight);
  /// Flow may run from `From` to `To`.
  void addEdge(unsigned From, unsigned To);
  void markSource(unsigned V);
  void markSink(unsigned V);
  /// For each vertex, whether it is in the cut. Call once.
  std::vector<bool> solve();

private:
  struct Arc {
    unsigned To;
    uint64_t Room; // residual capacity
  };
  void addArc(unsigned From, unsigned To, uint64_t Capacity);
  bool layer();
  uint64_t push(unsigned V, uint64_t Limit);

  static constexpr uint64_t Infinite = UINT64_MAX / 4;
  // Nodes 0 and 1 are the source and the sink; vertex v is split into 2v+2 (in) and 2v+3 (out).
  std::vector<std::vector<unsigned>> Out = std::vector<std::vector<unsigned>>(2);
  std::vector<Arc> Arcs; // arc a and its reverse a ^ 1
  std::vector<int> Depth;
  std::vector<size_t> Next;
};

} // namespace tapefree
