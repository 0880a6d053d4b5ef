// UserRule: the derivative functions of a call whose callee has a rule of the user's (Rules/UserRules.h).
// They only pass on what the rule wants, lane by lane.
//
//   augmented   (arguments with shadows) -> { tape, [result] }; none where the rule has none: the primal
//   itself
//               is called
//   reverse     (arguments with shadows, [tape], [seed]) -> { derivatives of the out arguments }
//   tangent     as of every call that stays a call
//
// Shadows that a call does not have are null.
#pragma once
#include "Emit/Gradient.h"
#include "Emit/Tangent.h"
#include "Rules/UserRules.h"

namespace tapefree {

SplitFunctions emitRuleGradient(llvm::Function &Source, const rules::UserRule &Rule, const CallSignature &S);
void emitRuleTangent(llvm::Function &Into, llvm::Function &Source, const rules::UserRule &Rule,
                     const TangentSignature &S);

} // namespace tapefree
