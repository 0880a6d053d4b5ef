// Tangent: forward mode. The tangent function runs the primal as it is and, right behind each of its
// instructions, what that instruction does to derivatives: floating values have tangents, pointers have
// shadows, and shadow memory holds tangents.
#pragma once
#include "Analysis/Lanes/Lanes.h"
#include "Analysis/Types/MemoryTypes.h"
#include "Prepare/Prepare.h"

namespace tapefree {

/// What a tangent function is made for. An argument that is not Const is followed by its shadow or tangent.
struct TangentSignature {
  llvm::SmallVector<ArgActivity, 8> Args;
  bool ReturnPrimal = false;
  bool ReturnTangent = false; // of a floating result, or the shadow of a pointer
  LaneSignature Lanes;
  bool OnlyReleases = false; // of an exit: shadows are released, and derivatives are nobody's any more
};

/// What the emission reads of the frozen primal.
struct TangentFacts {
  const Prepared &P;
  const MemoryTypes &Types;
  const Activity &Act;
  const Lanes &L;
};

/// Gives the tangent function of a call that stays a call (a recursive one), with { result, tangent or shadow
/// } as results: callTangentSignature(). Null after an error.
using TangentProvider = llvm::function_ref<llvm::Function *(llvm::Function &, const CallSignature &)>;

/// The tangent function of a callee as its callers want it.
TangentSignature callTangentSignature(const llvm::Function &Callee, const CallSignature &S);
/// Declares (each argument, followed by its shadow or tangent) -> { [result], [tangent] }, or void when that
/// is empty.
llvm::Function *declareTangent(llvm::Function &Source, const TangentSignature &S, const llvm::Twine &Name);
/// Fills in the body. False after an error; `Into` has no body then.
bool emitTangent(llvm::Function &Into, const TangentFacts &F, const TangentSignature &S,
                 TangentProvider Callee, Diag &D);

} // namespace tapefree
