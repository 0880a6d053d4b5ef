// At which offsets do the elements lie that one fact speaks of?
//
// The element at Off is accessed; with strides {24, 8} so are those at Off + 24 i (rows) + 8 j. An outer
// stride starts at Lo. An inner walk without bound stays in its row: it can not be told where in the row it
// ends.
#include "Analysis/Types/Graph.h"
#include <numeric>

using namespace llvm;

namespace tapefree {

using FoundFn = function_ref<void(int64_t, Softness)>;

/// The last offset at which an element of the inner stride I still lies in the row of Base.
static int64_t rowEnd(const Fact &F, unsigned I, int64_t Base) {
  int64_t Row = static_cast<int64_t>(F.S[I - 1].Step);
  return Base - floorMod(Base - F.Lo, Row) + Row - static_cast<int64_t>(F.Size);
}

static void walkLinear(const Fact &F, unsigned I, int64_t Base, Softness Soft, int64_t Lo, int64_t Size,
                       FoundFn Found) {
  if (I == F.S.size()) {
    if (Base + static_cast<int64_t>(F.Size) > Lo && Base < Lo + Size)
      Found(Base, F.Soft.firm() ? Soft : F.Soft);
    return;
  }
  int64_t Step = static_cast<int64_t>(F.S[I].Step), End = Lo + Size;
  // How far inner strides can still go up.
  int64_t Reach = (I + 1 == F.S.size() ? 0 : Step) + static_cast<int64_t>(F.Size) - 1;
  if (F.S[I].Count) {
    uint64_t K = Base + Reach < Lo ? static_cast<uint64_t>((Lo - Reach - Base) / Step) : 0;
    for (; K < F.S[I].Count; ++K) {
      int64_t X = Base + static_cast<int64_t>(K) * Step;
      if (X >= End)
        return;
      walkLinear(F, I + 1, X, Soft, Lo, Size, Found);
    }
    return;
  }
  if (I > 0) {
    int64_t Last = std::min(End - 1, rowEnd(F, I, Base));
    for (int64_t X = Base; X <= Last; X += Step)
      walkLinear(F, I + 1, X,
                 X == Base ? Soft : Softness{F.S[I].Step, F.S[I - 1].Step, static_cast<uint64_t>(X - Base)},
                 Lo, Size, Found);
    return;
  }
  int64_t Anchor = F.Lo + floorMod(Base - F.Lo, Step);
  int64_t Floor = std::max(F.Lo, Lo - Reach);
  for (int64_t X = Floor + floorMod(Base - Floor, Step); X < End; X += Step)
    walkLinear(F, 1, X,
               X == Anchor ? Softness{} : Softness{F.S[0].Step, 0, static_cast<uint64_t>(X - Anchor)}, Lo,
               Size, Found);
}

void forEachElement(const Fact &F, int64_t Lo, int64_t Size, FoundFn Found) {
  walkLinear(F, 0, F.Off, {}, Lo, Size, Found);
}

static void walkResidues(const Fact &F, unsigned I, int64_t Base, Softness Soft, uint64_t Period,
                         FoundFn Found) {
  if (I == F.S.size())
    return Found(Base, F.Soft.firm() ? Soft : F.Soft);
  uint64_t Step = F.S[I].Step;
  if (Step % Period == 0)
    return walkResidues(F, I + 1, Base, Soft, Period, Found);
  uint64_t N = Period / std::gcd(Step, Period);
  if (F.S[I].Count)
    N = std::min(N, F.S[I].Count);
  int64_t Last = I > 0 && F.S[I].Count == 0 ? rowEnd(F, I, Base) : INT64_MAX;
  for (uint64_t K = 0; K < N && Base <= Last; ++K, Base += static_cast<int64_t>(Step))
    walkResidues(F, I + 1, Base,
                 K && !F.S[I].Count ? Softness{Step, I ? F.S[I - 1].Step : 0, K * Step} : Soft, Period,
                 Found);
}

void forEachResidue(const Fact &F, uint64_t Period, FoundFn Found) {
  walkResidues(F, 0, F.Off, {}, Period, Found);
}

} // namespace tapefree
