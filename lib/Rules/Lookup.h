//===- Lookup.h - From an instruction to its rule ---------------*- C++ -*-===//
#pragma once

#include "Rules/ScalarRule.h"

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Instruction;
class Type;
} // namespace llvm

namespace tapefree::rules {

/// The rule of a floating instruction, of an intrinsic call, or of a call to a C library function that is
/// only declared (a function with a body is the program's own, whatever its name) and whose signature fits:
/// floating arguments and result of one scalar or fixed vector type, then the integer argument if the rule
/// has one. Otherwise null. Formula argument i is operand i of \p I; the integer argument is operand Arity.
const ScalarRule *scalarRule(const llvm::Instruction &I);

/// Whether the product of an adjoint with Partial[\p Argument] needs the guard of ScalarRule::StrongZero in
/// \p I: not when the divisor is a nonzero constant.
bool needsStrongZero(const ScalarRule &Rule, unsigned Argument, const llvm::Instruction &I);

/// The rule of the C library function \p Name for values of type \p Ty (`sin` for double, `sinf` for float,
/// `sinl`,
/// `__sin_finite`), or null.
const ScalarRule *libraryRule(llvm::StringRef Name, const llvm::Type &Ty);

} // namespace tapefree::rules
