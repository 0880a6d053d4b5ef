// Dinic's maximum flow (E. A. Dinic, 1970) on the split graph; the cut is read off the residual graph (max-flow min-cut).
#include "Plan/MinCut.h"
#include <algorithm>

namespace tapefree {

unsigned MinCut::addVertex(uint64_t Weight) {
  unsigned V = unsigned(Out.size() / 2) - 1;
  Out.resize(Out.size() + 2);
  addArc(2 * V + 2, 2 * V + 3, std::min(Weight, Infinite));
  return V;
}

void MinCut::addArc(unsigned From, unsigned To, uint64_t Capacity) {
  Out[From].push_back(unsigned(Arcs.size()));
  Arcs.push_back({To, Capacity});
  Out[To].push_back(unsigned(Arcs.size()));
  Arcs.push_back({From, 0});
}

void MinCut::addEdge(unsigned From, unsigned To) { addArc(2 * From + 3, 2 * To + 2, Infinite); }
void MinCut::markSource(unsigned V) { addArc(0, 2 * V + 2, Infinite); }
void MinCut::markSink(unsigned V) { addArc(2 * V + 3, 1, Infinite); }

bool MinCut::layer() {
  Depth.assign(Out.size(), -1);
  std::vector<unsigned> Queue = {0};
  Depth[0] = 0;
  for (size_t I = 0; I < Queue.size(); ++I)
    for (unsigned A : Out[Queue[I]])
      if (Arcs[A].Room && Depth[Arcs[A].To] < 0) {
        Depth[Arcs[A].To] = Depth[Queue[I]] + 1;
        Queue.push_back(Arcs[A].To);
      }
  return Depth[1] >= 0;
}

uint64_t MinCut::push(unsigned Start, uint64_t Limit) {
  // Depth-first with an explicit path: chains of values can be thousands long.
  std::vector<unsigned> Path; // arcs
  unsigned V = Start;
  for (;;) {
    if (V == 1) {
      uint64_t Flow = Limit;
      for (unsigned A : Path)
        Flow = std::min(Flow, Arcs[A].Room);
      for (unsigned A : Path) {
        Arcs[A].Room -= Flow;
        Arcs[A ^ 1].Room += Flow;
      }
      return Flow;
    }
    size_t &I = Next[V];
    while (I < Out[V].size() && !(Arcs[Out[V][I]].Room && Depth[Arcs[Out[V][I]].To] == Depth[V] + 1))
      ++I;
    if (I < Out[V].size()) {
      Path.push_back(Out[V][I]);
      V = Arcs[Out[V][I]].To;
      continue;
    }
    if (Path.empty())
      return 0;
    V = Arcs[Path.back() ^ 1].To;
    Path.pop_back();
    ++Next[V];
  }
}

std::vector<bool> MinCut::solve() {
  while (layer()) {
    Next.assign(Out.size(), 0);
    while (push(0, Infinite)) {
    }
  }
  // What can still reach the sink lies behind the cut.
  std::vector<bool> Behind(Out.size(), false);
  std::vector<unsigned> Queue = {1};
  Behind[1] = true;
  for (size_t I = 0; I < Queue.size(); ++I)
    for (unsigned A : Out[Queue[I]]) // the arc A ^ 1 runs from Arcs[A].To to Queue[I]
      if (Arcs[A ^ 1].Room && !Behind[Arcs[A].To]) {
        Behind[Arcs[A].To] = true;
        Queue.push_back(Arcs[A].To);
      }
  std::vector<bool> Cut(Out.size() / 2 - 1);
  for (size_t V = 0; V < Cut.size(); ++V)
    Cut[V] = Behind[2 * V + 3] && !Behind[2 * V + 2];
  return Cut;
}

} // namespace tapefree
