// Which fields do the facts of a memory class make of a window of bytes?
//
// The window is a row of bytes; it is linear when place and length are constant, else it wraps at a period
// that all strides of the class share. Facts are laid into it, the firmest first:
//   elements that are accessed, then elements that a walk may reach, then declared types.
// Two firm elements of different kinds on one byte are a conflict. A walk yields to firmer facts: in
// {double a[10]; int n} the loop over `a` has no visible end, and the access to `n` is the better evidence.
#include "Analysis/Types/Layout.h"
#include "llvm/IR/Instruction.h"
#include <numeric>

using namespace llvm;

namespace tapefree {

static constexpr uint64_t MaxWindow = 4096;
/// Elements that reach into a linear window from outside may contradict it.
static constexpr uint64_t Margin = 16;

namespace {

struct Byte {
  ScalarKind Kind = ScalarKind::Unknown;
  uint32_t Index = 0; ///< which byte of the element
  uint32_t Size = 0;
  Softness Soft;
  const Fact *Owner = nullptr;
};

class Window {
public:
  Window(uint64_t Size, bool Wraps) : Bytes(Size), Wraps(Wraps) {}
  void put(int64_t Start, const Fact &F, Softness Soft);
  void extrapolate(ScalarKind K, uint64_t Size, int64_t Phase);
  std::vector<Byte> Bytes;
  const Instruction *A = nullptr, *B = nullptr;

private:
  void overwrite(int64_t I, Byte New);
  bool Wraps;
};

} // namespace

/// Whether an element at AtX that is as soft as X is better evidence than one at AtY that is as soft as Y.
static bool firmer(int64_t AtX, Softness X, int64_t AtY, Softness Y) {
  if (X.firm() || Y.firm())
    return X.firm() && !Y.firm();
  if (X.Row != Y.Row)
    // The row itself against a walk inside of it.
    return X.Row == 0 && X.Step >= Y.Row;
  int64_t StartX = AtX - static_cast<int64_t>(X.Dist), StartY = AtY - static_cast<int64_t>(Y.Dist);
  if (X.Row == 0 && X.Step != Y.Step) {
    // Two walks that start in one row: the longer step is the rows'.
    uint64_t Long = std::max(X.Step, Y.Step), Short = std::min(X.Step, Y.Step);
    if (Long % Short == 0 && static_cast<uint64_t>(std::abs(StartX - StartY)) < Long)
      return X.Step == Long;
  }
  // Arrays that follow each other: the later one's start ends the earlier one.
  return StartX > StartY;
}

/// Gives all bytes of the element at byte I the value New.
void Window::overwrite(int64_t I, Byte New) {
  int64_t W = static_cast<int64_t>(Bytes.size());
  Byte Old = Bytes[floorMod(I, W)];
  for (int64_t J = 0; J != Old.Size; ++J)
    if (int64_t O = I - Old.Index + J; Wraps || (O >= 0 && O < W))
      Bytes[floorMod(O, W)] = New;
}

void Window::put(int64_t Start, const Fact &F, Softness Soft) {
  int64_t W = static_cast<int64_t>(Bytes.size()), N = static_cast<int64_t>(F.Size);
  if (N > W || (!Wraps && (Start < 0 || Start + N > W)))
    return;
  auto At = [&](int64_t I) -> Byte & { return Bytes[floorMod(Start + I, W)]; };
  bool Clash = false;
  SmallVector<int64_t, 8> Beaten;
  for (int64_t I = 0; I != N; ++I) {
    Byte &X = At(I);
    if (X.Kind == ScalarKind::Unknown)
      continue;
    bool Same = X.Kind == F.Kind && (F.Kind == ScalarKind::Integer || X.Index == I);
    if (Same || (X.Kind == ScalarKind::Pointer && F.Kind == ScalarKind::Integer))
      continue;
    int64_t OldStart = Start + I - X.Index;
    if (F.Lvl == Level::Hint || (X.Kind != ScalarKind::Conflict && firmer(OldStart, X.Soft, Start, Soft)))
      return;
    if (X.Kind != ScalarKind::Conflict && firmer(Start, Soft, OldStart, X.Soft)) {
      Beaten.push_back(I);
      continue;
    }
    if (X.Kind == ScalarKind::Integer && F.Kind == ScalarKind::Pointer)
      continue;
    Clash = true;
    const Fact *Was = X.Owner;
    // All of both elements is in doubt, not only what they share.
    if (X.Kind != ScalarKind::Conflict) {
      overwrite(Start + I, {ScalarKind::Conflict, 0, 1, {}, Was});
    }
    if (!A && Was && Was->Why != F.Why) {
      A = Was->Why;
      B = F.Why;
    }
  }
  for (int64_t I : Beaten)
    if (At(I).Kind != ScalarKind::Unknown && At(I).Kind != ScalarKind::Conflict)
      overwrite(Start + I, {});
  for (int64_t I = 0; I != N; ++I) {
    Byte &X = At(I);
    if (Clash)
      X = {ScalarKind::Conflict, 0, 1, {}, &F};
    else if (X.Kind == ScalarKind::Unknown ||
             (X.Kind == ScalarKind::Integer && F.Kind == ScalarKind::Pointer))
      X = {F.Kind, static_cast<uint32_t>(I), static_cast<uint32_t>(N), Soft, &F};
  }
}

void Window::extrapolate(ScalarKind K, uint64_t Size, int64_t Phase) {
  int64_t W = static_cast<int64_t>(Bytes.size());
  for (int64_t S = floorMod(Phase, Size); S < W; S += static_cast<int64_t>(Size)) {
    auto Free = [&](int64_t I) { return Bytes[floorMod(S + I, W)].Kind == ScalarKind::Unknown; };
    int64_t N = static_cast<int64_t>(Size), I = 0;
    if (S + N > W && !Wraps)
      return;
    while (I != N && Free(I))
      ++I;
    if (I != N)
      continue;
    for (I = 0; I != N; ++I)
      Bytes[floorMod(S + I, W)] = {K, static_cast<uint32_t>(I), static_cast<uint32_t>(N), {}, nullptr};
  }
}

/// A walk that steps less than its element is long says nothing about where elements start.
static bool isBlurred(const Fact &F) {
  return !F.S.empty() && F.Kind != ScalarKind::Integer && F.S.back().Step < F.Size;
}

static AccessPattern fieldsOf(const std::vector<Byte> &Row) {
  AccessPattern R;
  R.Period = Row.size();
  auto Continues = [](const Byte &A, const Byte &B) {
    return A.Kind == B.Kind && A.Size == B.Size &&
           (A.Kind == ScalarKind::Conflict || B.Index == A.Index + 1 || A.Kind == ScalarKind::Unknown);
  };
  for (size_t I = 0; I < Row.size();) {
    size_t E = I + 1;
    while (E < Row.size() && Continues(Row[E - 1], Row[E]))
      ++E;
    ScalarKind K = Row[I].Kind;
    // Part of a float or pointer is not one: a copy that cuts it is left without answer.
    bool Whole = Row[I].Index == 0 && E - I == Row[I].Size;
    if (K == ScalarKind::Conflict || K == ScalarKind::Integer || (K != ScalarKind::Unknown && Whole))
      R.Fields.push_back({I, E - I, K});
    I = E;
  }
  return R;
}

static bool sameByte(const Byte &A, const Byte &B) {
  return A.Kind == B.Kind && A.Index == B.Index && A.Size == B.Size;
}

/// The shortest row that repeats to Row, seen from its first byte.
static void shorten(std::vector<Byte> &Row) {
  size_t W = Row.size();
  if (all_of(Row, [](const Byte &B) { return B.Kind == ScalarKind::Unknown; }) ||
      any_of(Row, [](const Byte &B) { return B.Kind == ScalarKind::Conflict; }))
    return;
  for (size_t D = 1; D <= W / 2; ++D) {
    // An element may not straddle the seam.
    if (W % D || Row[0].Index != 0 || (Row[D - 1].Size && Row[D - 1].Index + 1 != Row[D - 1].Size))
      continue;
    bool Repeats = true;
    for (size_t I = D; I != W && Repeats; ++I)
      Repeats = sameByte(Row[I], Row[I - D]);
    if (Repeats)
      return Row.resize(D);
  }
}

/// Folds a row to a shorter period: a byte that differs between the folds is unknown.
static void fold(std::vector<Byte> &Row, uint64_t P) {
  for (size_t I = P; I < Row.size(); ++I)
    if (!sameByte(Row[I], Row[I % P])) {
      bool Clash = Row[I].Kind != ScalarKind::Unknown && Row[I % P].Kind != ScalarKind::Unknown;
      Row[I % P] = {Clash ? ScalarKind::Conflict : ScalarKind::Unknown, 0, Clash, {}, nullptr};
    }
  Row.resize(P);
}

/// A common period of two, if it is not too long; else what they share.
static uint64_t commonPeriod(uint64_t A, uint64_t B) {
  uint64_t L = A ? std::lcm(A, B) : B;
  return L <= MaxWindow ? L : std::gcd(A, B);
}

/// The firmest first. Access facts before hints; the order of insertion breaks ties, so that output is
/// stable.
static bool comesFirst(const Fact *X, const Fact *Y) {
  auto Key = [](const Fact *F) { return std::tuple(F->Lvl, F->S.size(), F->Soft.Dist, F); };
  return Key(X) < Key(Y);
}

const ClassSummary &Layouts::summary(unsigned Root) {
  std::unique_ptr<ClassSummary> &Slot = Cache[Root];
  if (Slot)
    return *Slot;
  Slot = std::make_unique<ClassSummary>();
  ClassSummary &C = *Slot;
  const std::vector<Fact> &All = G.facts(Root);
  bool OneArray = true;
  uint64_t Bounded = 0;
  for (const Fact &F : All) {
    if (!C.Sample)
      C.Sample = &F;
    OneArray &= !F.S.empty() && !All.front().S.empty() && F.S.front() == All.front().S.front();
    C.End = std::max(C.End, F.Off + static_cast<int64_t>(F.Size));
    C.Uniform &=
        F.Kind == C.Sample->Kind && floorMod(F.Off - C.Sample->Off, F.Size) == 0 && gcdOf(F.S) % F.Size == 0;
    C.Array |= !F.S.empty();
    if (isBlurred(F)) {
      C.Blurred = true;
    } else if (F.S.empty()) {
      C.Exact.push_back(&F);
    } else {
      C.Strided.push_back(&F);
      uint64_t &P = F.S.front().Count ? Bounded : C.Period;
      P = commonPeriod(P, F.S.front().Step);
    }
  }
  if (OneArray || C.Uniform)
    C.BoundedPeriod = Bounded;
  llvm::sort(C.Exact,
             [](const Fact *X, const Fact *Y) { return std::pair(X->Off, X) < std::pair(Y->Off, Y); });
  llvm::sort(C.Strided, comesFirst);
  return C;
}

Layout Layouts::layoutOf(Place P, std::optional<uint64_t> Bytes, uint64_t Unit) {
  Layout R;
  if (Bytes && *Bytes == 0)
    Bytes = std::nullopt;
  P = G.root(P);
  if (G.overflowed(P.Class)) {
    R.Pattern.Period = Bytes.value_or(0);
    R.Pattern.Open = !Bytes;
    return R;
  }
  const ClassSummary &C = summary(P.Class);
  uint64_t Period = C.Period;
  for (const Stride &X : P.S)
    Period = commonPeriod(Period, X.Step);
  if (Period == 0)
    Period = C.BoundedPeriod;
  if (Period == 0 && !Bytes && Unit > 1 && Unit <= MaxWindow)
    Period = Unit;

  bool Linear = P.S.empty() && Bytes && *Bytes <= MaxWindow;
  uint64_t Size = Linear ? *Bytes : Period;
  if (!Linear && Period == 0) {
    // One object without regularity: its fields, and no promise about what follows.
    Linear = true;
    R.Pattern.Open = !Bytes || *Bytes > MaxWindow;
    Size = C.End <= P.Off ? 0 : std::min<uint64_t>(C.End - P.Off, MaxWindow);
  }
  Window W(Linear ? Size + 2 * Margin : Size, !Linear);
  int64_t Origin = P.Off - static_cast<int64_t>(Linear ? Margin : 0);
  auto From = C.Exact.begin(), To = C.Exact.end();
  auto Before = [](const Fact *F, int64_t Off) { return F->Off < Off; };
  if (Linear) {
    From = std::lower_bound(From, To, Origin - static_cast<int64_t>(Margin), Before);
    To = std::lower_bound(From, To, Origin + static_cast<int64_t>(W.Bytes.size()), Before);
  } else {
    // Those below a pointer's first element are no part of what it walks.
    From = std::lower_bound(From, To, P.Lo, Before);
    if (Bytes && P.S.empty())
      To = std::lower_bound(From, To, P.Off + static_cast<int64_t>(*Bytes), Before);
  }
  std::vector<const Fact *> Order(From, To);
  llvm::sort(Order, comesFirst);
  llvm::append_range(Order, C.Strided);
  for (Level L : {Level::Access, Level::Hint})
    for (bool Firm : {true, false})
      for (const Fact *F : Order) {
        if (F->Lvl != L)
          continue;
        auto Put = [&](int64_t At, Softness Soft) {
          if (Soft.firm() == Firm)
            W.put(At - Origin, *F, Soft);
        };
        if (Linear)
          forEachElement(*F, Origin, static_cast<int64_t>(W.Bytes.size()), Put);
        else
          forEachResidue(*F, W.Bytes.size(), Put);
      }
  if (C.Sample && C.Uniform && !C.Blurred && (C.Array || !P.S.empty()) && isFloatKind(C.Sample->Kind))
    W.extrapolate(C.Sample->Kind, C.Sample->Size, C.Sample->Off - Origin);
  R.A = W.A;
  R.B = W.B;
  std::vector<Byte> Row = std::move(W.Bytes);
  if (Linear)
    Row = std::vector<Byte>(Row.begin() + Margin, Row.end() - Margin);
  if (!Linear) {
    uint64_t Fold = gcdOf(P.S, Period);
    if (Fold < Row.size())
      fold(Row, Fold);
    if (Bytes && *Bytes <= MaxWindow) {
      std::vector<Byte> Exact(*Bytes);
      for (size_t I = 0; I != Exact.size(); ++I)
        Exact[I] = Row[I % Row.size()];
      Row = std::move(Exact);
    }
  }
  if (!R.Pattern.Open)
    shorten(Row);
  bool Open = R.Pattern.Open;
  R.Pattern = fieldsOf(Row);
  R.Pattern.Open = Open;
  return R;
}

AccessPattern joinPatterns(const AccessPattern &A, const AccessPattern &B) {
  if (A.Fields.empty())
    return B.Fields.empty() && A.Period >= B.Period ? A : B;
  if (B.Fields.empty())
    return A;
  // An open pattern says nothing past its end, so the repeating one sets the length.
  uint64_t P = A.Open || B.Open ? std::max(A.Period, B.Period) : std::lcm(A.Period, B.Period);
  if (P > MaxWindow)
    return A.Open ? B : A;
  std::vector<Byte> Row(P);
  auto Lay = [&](const AccessPattern &X, bool First) {
    for (uint64_t Base = 0; Base < P; Base += X.Period) {
      for (const TypeField &F : X.Fields)
        for (uint64_t I = 0; I != F.Size && Base + F.Offset + I < P; ++I) {
          bool Clash = F.Kind == ScalarKind::Conflict;
          Byte New = {F.Kind,
                      Clash ? 0 : static_cast<uint32_t>(I),
                      Clash ? 1 : static_cast<uint32_t>(F.Size),
                      {},
                      nullptr};
          Byte &Old = Row[Base + F.Offset + I];
          if (First || Old.Kind == ScalarKind::Unknown ||
              (Old.Kind == ScalarKind::Integer && F.Kind == ScalarKind::Pointer))
            Old = New;
          else if (!sameByte(Old, New) &&
                   !(F.Kind == ScalarKind::Integer &&
                     (Old.Kind == ScalarKind::Integer || Old.Kind == ScalarKind::Pointer)))
            Old = {ScalarKind::Conflict, 0, 1, {}, nullptr};
        }
      if (X.Open)
        break;
    }
  };
  Lay(A, true);
  Lay(B, false);
  bool Open = A.Open && B.Open;
  if (!Open)
    shorten(Row);
  AccessPattern R = fieldsOf(Row);
  R.Open = Open;
  return R;
}

} // namespace tapefree
