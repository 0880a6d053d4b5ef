// Interchange: swaps two loops of a derivative whose inner one walks through memory in long steps.
//
//   for (j) { d = dc[j]; dc[j] = 0;               for (k) for (j) { d = dc[j];
//     for (k) { da[k] += d * b[k][j];      ──▶      da[k] += d * b[k][j];
//               db[k][j] += d * a[k]; } }           db[k][j] += d * a[k]; }
//                                                 for (j) dc[j] = 0;
//
// A reversed product of matrices has this form whatever the order of the primal's loops is good for. Every
// location gets the same additions in the same order as before, so no bit of a result changes.
#pragma once
#include "llvm/IR/PassManager.h"

namespace tapefree {

/// What may overlap is taken from the no-alias scopes that are declared in the entry block (AliasTags).
/// Whether anything changed.
bool interchangeLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace tapefree
