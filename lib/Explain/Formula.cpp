// How many bytes a kept array takes, in the user's variables: rows are counted by scalar evolution, loop by
// loop where the loops are independent of each other (8·n·m), else in total (4·n·n - 4·n).
#include "Explain/Explanation.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"

using namespace llvm;

namespace tapefree {

static constexpr StringRef Times = "·";

/// Factors, one for each loop from the outermost in, whose product is `Rows`; empty if there are none.
static SmallVector<Polynomial, 4> factors(const Loop *L, const Polynomial &Rows, const Facts &F, Names &N) {
  SmallVector<Polynomial, 4> BackEdges;
  for (; L; L = L->getParentLoop()) {
    const SCEV *S = F.SE.getBackedgeTakenCount(L);
    auto P = isa<SCEVCouldNotCompute>(S) ? std::nullopt : N.polynomial(F.SE.applyLoopGuards(S, L));
    if (!P)
      return {};
    BackEdges.insert(BackEdges.begin(), *P);
  }
  if (BackEdges.size() > 6)
    return {};
  // Each loop counts its body or its header, which runs once more.
  for (unsigned More = 0; More < 1u << BackEdges.size(); ++More) {
    SmallVector<Polynomial, 4> Found;
    Polynomial Product(1);
    for (size_t I = 0; I < BackEdges.size(); ++I) {
      Found.push_back(BackEdges[I] + Polynomial(More >> I & 1));
      Product = Product * Found.back();
    }
    if (Product == Rows)
      return Found;
  }
  return {};
}

static std::string product(uint64_t Bytes, ArrayRef<Polynomial> Factors) {
  std::string Text;
  int64_t Scale = int64_t(Bytes);
  for (const Polynomial &P : Factors)
    if (auto C = P.constant())
      Scale *= *C;
  if (Scale != 1)
    Text = std::to_string(Scale);
  for (const Polynomial &P : Factors) {
    if (P.constant())
      continue;
    std::string Factor = P.str(Times);
    if (P.terms().size() > 1)
      Factor = "(" + Factor + ")";
    Text += (Text.empty() ? "" : Times.str()) + Factor;
  }
  return Text;
}

ByteCount countBytes(const LoopPlan &LP, uint64_t RowBytes, const Facts &F, Names &N, const DebugLoc &Near) {
  std::optional<Polynomial> Rows;
  if (LP.Size == LoopPlan::Stack)
    Rows = Polynomial(int64_t(LP.StackRows));
  else if (LP.Size == LoopPlan::Exact)
    Rows = N.polynomial(F.SE.getSCEV(LP.TotalRows));
  if (!Rows) {
    std::string Each = " for each iteration of the loop" + Names::atLine(N.loopLine(*LP.L), Near);
    return {std::to_string(RowBytes) + (RowBytes == 1 ? " byte" : " bytes") + Each, std::nullopt};
  }
  SmallVector<Polynomial, 4> Factors = factors(LP.L, *Rows, F, N);
  Polynomial Total = *Rows * Polynomial(int64_t(RowBytes));
  if (LP.Size == LoopPlan::Exact) // whole only together with the bytes: 8·(n·(n-1)/2) is 4·n·n - 4·n
    Total = *N.polynomial(F.SE.getSCEV(LP.TotalRows), int64_t(RowBytes));
  if (auto C = Total.constant()) {
    std::string Text = std::to_string(*C) + (*C == 1 ? " byte" : " bytes");
    if (Factors.empty())
      return {Text, Total};
    Text += " (";
    for (const Polynomial &P : Factors)
      Text += std::to_string(*P.constant()) + Times.str();
    return {Text + std::to_string(RowBytes) + ")", Total};
  }
  if (Factors.empty())
    return {Total.str(Times) + " bytes", Total};
  return {product(RowBytes, Factors) + " bytes", Total};
}

std::optional<std::string> sumBytes(ArrayRef<Explanation> All) {
  Polynomial Sum;
  for (const Explanation &E : All) {
    if (!E.Total)
      return std::nullopt;
    Sum = Sum + *E.Total;
  }
  return All.size() == 1 ? All[0].Bytes : Sum.str(Times) + " bytes";
}

} // namespace tapefree
