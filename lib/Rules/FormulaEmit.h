//===- FormulaEmit.h - A formula as IR --------------------------*- C++ -*-===//
#pragma once

#include "Rules/Formula.h"

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class IRBuilderBase;
class Type;
class Value;
} // namespace llvm

namespace tapefree::rules {

/// Emits \p F at \p B with the builder's fast-math flags. \p Args are the floating arguments, all of one
/// scalar or fixed vector type, followed by the integer argument if the rule has one; arguments and \p Result
/// that the formula does not read (needs()) may be null. \p Ty is the type of the value; it may be left out
/// when any floating argument or \p Result is given.
llvm::Value *emitFormula(llvm::IRBuilderBase &B, const Formula &F, llvm::ArrayRef<llvm::Value *> Args,
                         llvm::Value *Result, llvm::Type *Ty = nullptr);

} // namespace tapefree::rules
