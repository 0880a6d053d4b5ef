// Gradient: whole derivative functions, put together from the sweeps.
#pragma once
#include "Emit/Emission.h"

namespace tapefree {

/// What a derivative function is made for.
struct DerivativeSignature {
  llvm::SmallVector<ArgActivity, 8> Args;
  bool ReturnActive = false;
  bool ReturnPrimal = false;
};

/// Both sweeps in one function:
///   (each argument, followed by its shadow if dup; the seed if the result is active)
///     -> { [result], derivative of each out argument }, or void when that is empty.
/// Null after an error.
/// `Tested`: buffers whose disjointness is tested before this body is called, or null.
llvm::Function *emitGradient(const Facts &F, const Plan &P, const DerivativeSignature &S, const Extents *Tested,
                             SplitProvider Split, Diag &D, const llvm::Twine &Name);

/// Declares the two functions of a split derivative, so that recursive bodies can call them before they exist.
SplitFunctions declareSplit(llvm::Function &Source, const DerivativeSignature &S);
/// Fills in the bodies. False after an error.
bool emitSplit(const SplitFunctions &Into, const Facts &F, const Plan &P, const DerivativeSignature &S, SplitProvider Split,
               Diag &D);

} // namespace tapefree
