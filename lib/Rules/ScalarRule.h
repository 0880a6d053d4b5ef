//===- ScalarRule.h - What one table entry states ---------------*- C++ -*-===//
#pragma once

#include "Rules/Formula.h"
#include "Rules/FormulaNeeds.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace tapefree::rules {

/// Where the derivative formulas of an argument are ordinary: the unit test compares them with differences
/// here.
struct Interval {
  double Low = -2;
  double High = 2;
};

/// The derivative of one scalar function or instruction, good for forward and reverse and any number of
/// lanes. Argument i of the formulas is operand i of the instruction; the integer argument n, if any, is
/// operand Arity.
struct ScalarRule {
  std::string_view Name;
  /// Number of floating arguments.
  unsigned Arity = 1;
  /// An integer argument n follows the floating ones: ldexp(x, n).
  bool HasInt = false;
  /// The function itself, in terms of its arguments.
  Formula Value;
  /// d Value / d argument i. Constant zero: no derivative ever flows through that argument.
  std::array<Formula, 3> Partial = {};
  /// Bit i: Partial[i] may be infinite or NaN at finite arguments. The product with a zero adjoint (or
  /// tangent) is then zero by decree: `adjoint == 0 ? 0 : adjoint * partial`. A path that was not taken has
  /// zero adjoints, and 0 * inf on it must not poison the gradient.
  std::uint8_t StrongZero = 0;
  /// llvm::Instruction opcode, or 0.
  unsigned Opcode = 0;
  /// llvm::Intrinsic IDs, filled up with 0.
  std::array<unsigned, 4> Intrinsics = {};
  /// C library names in double; float and long double spellings follow from them.
  std::array<std::string_view, 4> Library = {};
  std::array<Interval, 3> Domain = {};
  /// Values at points where the textbook derivative does not exist, for docs/rules.md.
  std::string_view Edges = {};

  constexpr bool isActive(unsigned Argument) const { return Argument < Arity && !Partial[Argument].isZero(); }
  constexpr bool strongZero(unsigned Argument) const { return StrongZero >> Argument & 1; }
  /// Every partial is a constant: the derivative needs no primal value.
  constexpr bool isLinear() const {
    for (unsigned I = 0; I < Arity; ++I)
      if (!needs(Partial[I]).none())
        return false;
    return true;
  }
};

} // namespace tapefree::rules
