// Gradient: whole derivative functions, put together from the sweeps.
#pragma once
#include "Emit/PromiseCheck.h"

namespace tapefree {

/// Attribute of a gradient that keeps values in memory of its caller. Differentiated again it would store
/// there what carries a derivative, in memory without a shadow.
inline constexpr llvm::StringLiteral WorkspaceMark = "tapefree.workspace";

/// What a derivative function is made for.
struct DerivativeSignature {
  llvm::SmallVector<ArgActivity, 8> Args;
  bool ReturnActive = false;
  bool ReturnPrimal = false;
  bool InWorkspace = false; // kept arrays lie in memory that the caller gives
  bool Guarded = false;     // an exception may leave the primal, or what calls it: then nothing leaks
  LaneSignature Lanes;
};

/// Both sweeps in one function:
///   (each argument, followed by its shadow if dup; the seed if the result is active; workspace and its
///   bytes)
///     -> { [result], derivative of each out argument }, or void when that is empty.
/// At width N shadows, seed and derivatives are differentials of N lanes (differentialType).
/// Null after an error.
/// `Apart`: buffers that may be taken for disjoint in this body, or null.
/// `Check`: the promise that this body looks after; `Message`: what it says where that is broken.
llvm::Function *emitGradient(const Facts &F, const Plan &P, const DerivativeSignature &S,
                             const DisjointBuffers *Apart, SplitProvider Split, Diag &D,
                             const llvm::Twine &Name, const PromisedBuffers *Check = nullptr,
                             OverlapMessage Message = nullptr);

/// The types of these parameters.
llvm::SmallVector<llvm::Type *, 16> gradientParameters(const llvm::Function &Source,
                                                       const DerivativeSignature &S);
/// Whether the gradient gets a shadow for such an argument.
bool hasShadowArgument(ArgActivity A);

/// Declares the two functions of a split derivative, so that recursive bodies can call them before they
/// exist.
SplitFunctions declareSplit(llvm::Function &Source, const DerivativeSignature &S);
/// Fills in the bodies. False after an error.
bool emitSplit(const SplitFunctions &Into, const Facts &F, const Plan &P, const DerivativeSignature &S,
               SplitProvider Split, Diag &D);

} // namespace tapefree
