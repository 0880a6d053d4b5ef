//===- Tables.h - All scalar rules ------------------------------*- C++ -*-===//
//
// How to add a rule:
//  1. Add the function to Functions.def if a formula must be able to call it, and its value to FormulaEval.h.
//  2. Write one entry in the table that fits: name, Value (the function itself), one Partial for each
//  argument in
//     terms of x, y, z (arguments), r (the result), n (an integer argument). Prefer r where it is exact and
//     cheap.
//  3. An argument through which nothing flows has Partial 0. Write no partial that divides 0 by 0 or
//  multiplies 0 by
//     infinity at an edge: select a harmless operand first (`x / select(r == 0, c(1), r)`).
//  4. Set StrongZero for the partials that can be infinite or NaN at finite arguments; the unit test finds
//  omissions.
//  5. State Domain (where differences can check the partials) and Edges (the value chosen where there is no
//  derivative).
//  6. Give it its triggers: Opcode, Intrinsics, Library.
//  7. Rebuild docs/rules.md: TAPEFREE_UPDATE_DOCS=1 tapefree_unittests --gtest_filter='RuleDocs*'.
//
// The formulas are textbook calculus (Abramowitz and Stegun, chapters 4, 6 and 7) unless a comment says
// otherwise.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Rules/ScalarRule.h"

#include <span>

namespace tapefree::rules {

std::span<const ScalarRule> arithRules(); ///< instructions and identities
std::span<const ScalarRule>
elementaryRules();                            ///< exponentials, logarithms, circular and hyperbolic functions
std::span<const ScalarRule> powerRules();     ///< powers, roots, hypot, and the error and gamma functions
std::span<const ScalarRule> selectionRules(); ///< fabs, fmin, copysign and their like
std::span<const ScalarRule> roundingRules();  ///< floor and its like, remainders, scaling by powers of two

/// Every table, in the order of the documentation.
inline std::array<std::span<const ScalarRule>, 5> scalarRuleTables() {
  return {arithRules(), elementaryRules(), powerRules(), selectionRules(), roundingRules()};
}

} // namespace tapefree::rules
