//===- FormulaNeeds.h - What a formula reads --------------------*- C++ -*-===//
#pragma once

#include "Rules/Formula.h"

namespace tapefree::rules {

/// The primal values that a formula reads: the plan must make exactly these available in the reverse sweep.
struct Needs {
  bool Arg[3] = {};
  bool Result = false;
  bool IntArg = false;

  constexpr Needs &operator|=(const Needs &Other) {
    for (unsigned I = 0; I < 3; ++I)
      Arg[I] |= Other.Arg[I];
    Result |= Other.Result;
    IntArg |= Other.IntArg;
    return *this;
  }
  constexpr bool operator==(const Needs &) const = default;
  constexpr bool none() const { return *this == Needs(); }
};

constexpr Needs needs(const Formula &F) {
  Needs Read;
  for (unsigned I = 0; I < F.size(); ++I) {
    const Node &N = F[I];
    if (N.Operation == Op::Arg)
      Read.Arg[N.Id] = true;
    Read.Result |= N.Operation == Op::Result;
    Read.IntArg |= N.Operation == Op::IntArg;
  }
  return Read;
}

} // namespace tapefree::rules
