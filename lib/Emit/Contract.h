// Contract: products of the derivative that are added up become multiply-adds, where the user's compiler may
// form them in the primal.
#pragma once
#include "llvm/IR/Function.h"

namespace tapefree {

/// Whether clang was free to contract expressions of `F` (-ffp-contract=on, its default): it says so by
/// llvm.fmuladd. With -ffp-contract=fast flags on the instructions say more than that, and stay as they are.
bool contractsProducts(const llvm::Function &F);

/// Turns x + a * b into llvm.fmuladd(a, b, x) where the flags of both operations allow it: derivatives give
/// them to what they compute themselves (contractsProducts), never to copies of the primal. Here and not in
/// the backend, so that every layout of a batch, every body and every optimisation level rounds alike: only
/// the two operations decide, not where they end up.
void contractProducts(llvm::Function &F);

} // namespace tapefree
