// How do classes, pointer cells and facts grow and merge?
#include "Analysis/Types/Graph.h"
#include <numeric>
#include <utility>

using namespace llvm;

namespace tapefree {

/// A class with more facts than this is given up: its bytes are unknown. Far above any real structure.
static constexpr size_t MaxFacts = 1u << 15;
static constexpr size_t MaxStrided = 128;
static constexpr uint64_t MaxExpansion = 16;
/// Copies up to this length are followed element by element.
static constexpr uint64_t MaxWindow = 1024;

uint64_t gcdOf(const Strides &S, uint64_t Start) {
  for (const Stride &X : S)
    Start = std::gcd(Start, X.Step);
  return Start;
}

int64_t floorMod(int64_t A, uint64_t M) {
  if (M == 0)
    return A;
  int64_t R = A % static_cast<int64_t>(M);
  return R < 0 ? R + static_cast<int64_t>(M) : R;
}

void addStride(Strides &S, Stride New) {
  if (New.Step == 0 || New.Count == 1)
    return;
  for (Stride &Old : S) {
    if (Old.Count == 0 && New.Step % Old.Step == 0)
      return;
    if (Old.Step == New.Step) {
      Old.Count = New.Count == 0 ? 0 : std::max(Old.Count, New.Count);
      return;
    }
  }
  S.push_back(New);
  llvm::sort(S, [](const Stride &A, const Stride &B) { return A.Step > B.Step; });
  // Three strides tell rows, structs and elements apart; more are folded from the inside.
  while (S.size() > 3) {
    Stride Last = S.pop_back_val();
    S.back() = {std::gcd(S.back().Step, Last.Step), 0};
  }
}

SmallVector<Place, 4> expandShort(const Place &P) {
  SmallVector<Place, 4> Out;
  Place Base = P;
  SmallVector<Stride, 2> Short;
  uint64_t Product = 1;
  Base.S.clear();
  for (const Stride &X : P.S)
    if (X.Count && X.Count * Product <= MaxExpansion) {
      Short.push_back(X);
      Product *= X.Count;
    } else {
      Base.S.push_back(X);
    }
  Out.push_back(Base);
  for (const Stride &X : Short) {
    size_t N = Out.size();
    for (uint64_t K = 1; K < X.Count; ++K)
      for (size_t I = 0; I != N; ++I) {
        Place Q = Out[I];
        Q.Off += static_cast<int64_t>(K * X.Step);
        Out.push_back(Q);
      }
  }
  for (Place &Q : Out)
    if (Q.S.empty())
      Q.Lo = Q.Off;
  return Out;
}

unsigned Graph::makeClass() {
  unsigned Id = Classes.size();
  Classes.emplace_back().Parent = Id;
  return Id;
}

Place Graph::root(Place P) {
  unsigned C = P.Class;
  int64_t D = 0;
  while (Classes[C].Parent != C) {
    // Halve the path.
    Class &K = Classes[C];
    const Class &Up = Classes[K.Parent];
    if (Up.Parent != K.Parent) {
      K.Delta += Up.Delta;
      K.Parent = Up.Parent;
    }
    D += K.Delta;
    C = K.Parent;
  }
  P.Class = C;
  P.Off += D;
  P.Lo += D;
  return P;
}

void Graph::join(Place &Dst, Place Src) {
  unifyAt(Dst, Src);
  Place D = root(Dst), S = root(Src);
  Place Old = D;
  for (const Stride &X : S.S)
    addStride(D.S, X);
  if (int64_t Diff = S.Off - D.Off) {
    uint64_t Abs = Diff < 0 ? -static_cast<uint64_t>(Diff) : Diff;
    bool Implied = any_of(D.S, [&](const Stride &X) {
      uint64_t Reach = 1; // how far Src itself goes in this step
      for (const Stride &Y : S.S)
        if (Y.Step == X.Step)
          Reach = Y.Count;
      return Abs % X.Step == 0 && (X.Count == 0 || (Diff > 0 && Abs / X.Step + Reach <= X.Count));
    });
    if (!Implied) {
      // A first difference is a choice between two places; a second one is taken for a walk.
      Stride *Bounded = find_if(D.S, [](const Stride &X) { return X.Count != 0; });
      if (Bounded != D.S.end()) {
        uint64_t Step = std::gcd(Bounded->Step, Abs);
        D.S.erase(Bounded);
        addStride(D.S, {Step, 0});
      } else {
        addStride(D.S, {Abs, 2});
        D.Off = std::min(D.Off, S.Off);
      }
    }
  }
  D.Lo = D.S.empty() ? D.Off : std::min(D.Lo, S.Lo);
  if (!(D == Old))
    Changed = true;
  Dst = D;
}

void Graph::unifyAt(const Place &A, const Place &B) {
  Place X = root(A), Y = root(B);
  if (X.Class == Y.Class)
    return;
  if (Classes[X.Class].Facts.size() > Classes[Y.Class].Facts.size())
    std::swap(X, Y);
  merge(X.Class, Y.Off - X.Off, Y.Class);
  drain();
}

void Graph::merge(unsigned From, int64_t Delta, unsigned Into) {
  Changed = true;
  Class &F = Classes[From];
  F.Parent = Into;
  F.Delta = Delta;
  Classes[Into].Overflow |= F.Overflow;
  std::vector<Fact> Moved = std::move(F.Facts);
  F.Facts.clear();
  F.Exact.clear();
  F.Strided.clear();
  F.ExactPointers.clear();
  for (Fact &X : Moved) {
    X.Off += Delta;
    X.Lo += Delta;
    insert(Into, std::move(X));
  }
}

unsigned Graph::makeCell() {
  unsigned Id = Cells.size();
  unsigned C = makeClass();
  Cells.push_back({Id, Place{C, 0, 0, {}}});
  return Id;
}

unsigned Graph::findCell(unsigned C) {
  while (Cells[C].Parent != C)
    C = Cells[C].Parent = Cells[Cells[C].Parent].Parent;
  return C;
}

void Graph::mergeCells(unsigned A, unsigned B) { PendingCells.push_back({A, B}); }

void Graph::drain() {
  if (Draining)
    return;
  Draining = true;
  while (!PendingCells.empty()) {
    auto [A, B] = PendingCells.back();
    PendingCells.pop_back();
    A = findCell(A);
    B = findCell(B);
    if (A == B)
      continue;
    Changed = true;
    Cells[B].Parent = A;
    Place Joined = Cells[A].Target;
    join(Joined, Cells[B].Target);
    Cells[A].Target = Joined;
  }
  Draining = false;
}

static bool mayMeet(const Fact &A, const Fact &B) {
  uint64_t G = gcdOf(A.S, gcdOf(B.S));
  return floorMod(A.Off - B.Off, G) == 0;
}

/// Whether an element at Off with strides S is one of the walk F.
static bool sameWalk(const Fact &F, int64_t Off, const Strides &S) {
  if (F.S != S)
    return false;
  return F.Off == Off ||
         any_of(S, [&](const Stride &X) { return X.Count == 0 && floorMod(F.Off - Off, X.Step) == 0; });
}

static uint64_t exactKey(const Fact &F) {
  return F.Size << 8 | static_cast<uint64_t>(F.Kind) << 4 | static_cast<uint64_t>(F.Lvl) << 1 |
         !F.Soft.firm();
}

void Graph::insert(unsigned Root, Fact F) {
  Class &C = Classes[Root];
  if (C.Overflow)
    return;
  Work += F.S.empty() ? 1 : C.Strided.size();
  bool Pointer = F.Kind == ScalarKind::Pointer && F.Cell != NoCell;
  if (F.S.empty()) {
    F.Lo = F.Off;
    bool Known = false;
    if (auto It = C.Exact.find(F.Off); It != C.Exact.end())
      Known = any_of(It->second, [&](unsigned I) { return exactKey(C.Facts[I]) == exactKey(F); });
    if (Known) {
      if (Pointer)
        if (auto It = C.ExactPointers.find(F.Off); It != C.ExactPointers.end()) {
          mergeCells(C.Facts[It->second].Cell, F.Cell);
          return;
        }
      if (!Pointer)
        return;
    }
  } else {
    for (unsigned I : C.Strided) {
      Fact &Old = C.Facts[I];
      if (Old.Kind != F.Kind || Old.Size != F.Size || Old.Lvl != F.Lvl || Old.Soft.firm() != F.Soft.firm() ||
          !sameWalk(Old, F.Off, F.S))
        continue;
      if (F.Lo < Old.Lo) {
        Old.Lo = F.Lo;
        Changed = true;
      }
      if (Pointer && Old.Cell != NoCell)
        mergeCells(Old.Cell, F.Cell);
      if (Pointer && Old.Cell == NoCell)
        continue;
      return;
    }
  }
  unsigned Index = C.Facts.size();
  if (Index >= MaxFacts || (!F.S.empty() && C.Strided.size() >= MaxStrided)) {
    C.Overflow = true;
    Changed = true;
    return;
  }
  if (Pointer) {
    if (F.S.empty()) {
      if (auto It = C.ExactPointers.find(F.Off); It != C.ExactPointers.end())
        mergeCells(C.Facts[It->second].Cell, F.Cell);
      C.ExactPointers[F.Off] = Index;
    } else {
      for (auto [Off, I] : C.ExactPointers)
        if (mayMeet(C.Facts[I], F))
          mergeCells(C.Facts[I].Cell, F.Cell);
    }
    for (unsigned I : C.Strided)
      if (C.Facts[I].Cell != NoCell && mayMeet(C.Facts[I], F))
        mergeCells(C.Facts[I].Cell, F.Cell);
  }
  if (!F.S.empty())
    C.Strided.push_back(Index);
  else
    C.Exact[F.Off].push_back(Index);
  C.Facts.push_back(std::move(F));
  Changed = true;
}

void Graph::addFact(const Place &P, uint64_t Size, ScalarKind K, Level L, const Instruction *Why,
                    Softness Soft, unsigned Cell) {
  // A declared array stays one; a choice between few places is written out.
  for (const Place &Q : L == Level::Hint ? SmallVector<Place, 4>{P} : expandShort(P)) {
    Place R = root(Q);
    insert(R.Class, {R.Off, R.Lo, Size, R.S, K, L, Soft, Cell, Why});
  }
  drain();
}

unsigned Graph::cellAt(const Place &P, uint64_t PtrSize, Level L, const Instruction *Why) {
  unsigned Found = NoCell;
  bool Missing = false;
  for (const Place &Q : expandShort(P)) {
    Place R = root(Q);
    const Class &C = Classes[R.Class];
    unsigned Here = NoCell;
    if (R.S.empty()) {
      if (auto It = C.ExactPointers.find(R.Off); It != C.ExactPointers.end())
        Here = C.Facts[It->second].Cell;
    } else {
      for (unsigned I : C.Strided)
        if (C.Facts[I].Cell != NoCell && sameWalk(C.Facts[I], R.Off, R.S) && C.Facts[I].Lo <= R.Lo)
          Here = C.Facts[I].Cell;
    }
    Missing |= Here == NoCell || (Found != NoCell && findCell(Found) != findCell(Here));
    if (Here != NoCell)
      Found = Here;
  }
  if (Found == NoCell)
    Found = makeCell();
  if (Missing)
    addFact(P, PtrSize, ScalarKind::Pointer, L, Why, {}, Found);
  return findCell(Found);
}

Place Graph::pointee(const Place &P, uint64_t PtrSize, Level L, const Instruction *Why) {
  return root(Cells[cellAt(P, PtrSize, L, Why)].Target);
}

void Graph::storePointer(const Place &P, uint64_t PtrSize, const Place &Target, const Instruction *Why) {
  unsigned C = cellAt(P, PtrSize, Level::Access, Why);
  Place T = Cells[C].Target;
  // Joining may merge this very cell with others: what they designate then is joined again by drain().
  bool Outer = std::exchange(Draining, true);
  join(T, Target);
  Draining = Outer;
  Cells[C].Target = T;
  drain();
}

/// The strides of a copy of F's elements to a place with strides To.
static Strides sumOf(const Strides &F, const Strides &To) {
  Strides S = F;
  for (const Stride &X : To)
    addStride(S, X);
  return S;
}

void Graph::linkOneWay(const Place &A, const Place &B, std::optional<uint64_t> Len, bool SelfShift) {
  uint64_t GA = gcdOf(A.S);
  // Insertion may move facts of A's class when pointers merge: work on a copy.
  std::vector<Fact> Source;
  const Class &From = Classes[A.Class];
  if (Len && GA == 0) {
    auto End = From.Exact.lower_bound(A.Off + static_cast<int64_t>(*Len));
    for (auto It = From.Exact.lower_bound(A.Off - 16); It != End; ++It)
      for (unsigned I : It->second)
        Source.push_back(From.Facts[I]);
    for (unsigned I : From.Strided)
      Source.push_back(From.Facts[I]);
  } else {
    Source = From.Facts;
  }
  Work += Source.size() + 1;
  for (const Fact &F : Source) {
    auto Emit = [&](int64_t Rel, const Strides &S, int64_t Lo, Softness Soft) {
      uint64_t Size = F.Size;
      if (F.Kind == ScalarKind::Integer) {
        // Part of an integer is one; part of a float is not.
        if (Rel < 0 && static_cast<uint64_t>(-Rel) < Size) {
          Size -= static_cast<uint64_t>(-Rel);
          Rel = 0;
        }
        if (Len && Rel >= 0 && static_cast<uint64_t>(Rel) < *Len)
          Size = std::min(Size, *Len - static_cast<uint64_t>(Rel));
      }
      if (Rel < 0 || (Len && static_cast<uint64_t>(Rel) + Size > *Len))
        return;
      Place To = B.plus(Rel);
      bool WasExact = To.S.empty();
      To.S = sumOf(S, To.S);
      if (WasExact)
        To.Lo = S.empty() ? To.Off : B.Off + std::max<int64_t>(Lo, 0);
      addFact(To, Size, F.Kind, F.Lvl, F.Why, Soft, F.Cell);
    };
    int64_t Rel = F.Off - A.Off;
    uint64_t GF = gcdOf(F.S);
    if (GA == 0 && GF == 0) {
      Strides S;
      // A shifted copy within one class walks by its shift.
      if (SelfShift && !Len)
        addStride(S, {static_cast<uint64_t>(std::abs(A.Off - B.Off)), 0});
      else if (Widen && !Len)
        addStride(S, {F.Size, 0});
      Emit(Rel, S, Rel, F.Soft);
      continue;
    }
    if (GA == 0 && !Len) {
      // An open copy of a walk: keep its strides, start at its first element inside.
      int64_t Low = std::max<int64_t>(0, F.Lo - A.Off);
      uint64_t Inner = F.S.back().Step;
      int64_t First = Rel < Low ? Low + floorMod(Rel - Low, Inner) : Rel;
      Strides S = F.S;
      if (SelfShift)
        addStride(S, {static_cast<uint64_t>(std::abs(A.Off - B.Off)), 0});
      Emit(First, S, Low, F.Soft);
      continue;
    }
    if (GF == 0 && F.Off < A.Lo)
      continue;
    uint64_t G = std::gcd(GA, GF);
    if (!Len) {
      // Only the phase is known.
      Strides S = F.S;
      addStride(S, {G, 0});
      Emit(floorMod(Rel, G), S, 0, F.Soft.firm() && GA && GF && GF % GA ? Softness{GF, 0, GF} : F.Soft);
      continue;
    }
    // A bounded window, element by element.
    if (*Len <= MaxWindow && GA <= MaxWindow) {
      auto EmitAt = [&](int64_t At, Softness Soft) {
        At -= A.Off;
        if (GA == 0)
          return Emit(At, {}, At, Soft);
        for (At = floorMod(At, GA); At < static_cast<int64_t>(*Len); At += static_cast<int64_t>(GA))
          Emit(At, {}, At, Soft);
      };
      if (GA == 0)
        forEachElement(F, A.Off, static_cast<int64_t>(*Len), EmitAt);
      else
        forEachResidue(F, GA, EmitAt);
      continue;
    }
    // A long one: as a walk with a bound.
    int64_t Low = std::max<int64_t>(0, GA ? 0 : F.Lo - A.Off);
    int64_t First = Rel < Low || GA ? Low + floorMod(Rel - Low, G) : Rel;
    if (First + static_cast<int64_t>(F.Size) > static_cast<int64_t>(*Len))
      continue;
    Strides S;
    if (F.S.empty())
      addStride(S, {G, (*Len - F.Size - First) / G + 1});
    else
      S = F.S;
    if (!S.empty() && S.front().Count == 0)
      S.front().Count = (*Len - F.Size - First) / S.front().Step + 1;
    Emit(First, S, First, F.Soft);
  }
}

void Graph::link(const Place &A, const Place &B, std::optional<uint64_t> Len) {
  for (const Place &PA : expandShort(A))
    for (const Place &PB : expandShort(B)) {
      auto Shifted = [&](const Place &X, const Place &Y) {
        return X.Class == Y.Class && X.Off != Y.Off && X.S.empty() && Y.S.empty();
      };
      Place X = root(PA), Y = root(PB);
      if (X == Y)
        continue;
      linkOneWay(X, Y, Len, Shifted(X, Y));
      X = root(PA), Y = root(PB);
      linkOneWay(Y, X, Len, Shifted(X, Y));
    }
}

} // namespace tapefree
