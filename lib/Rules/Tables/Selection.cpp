//===- Selection.cpp - Functions that pick one of their arguments ---------===//
#include "Rules/Tables/Tables.h"

#include "llvm/IR/Intrinsics.h"

namespace tapefree::rules {
using namespace dsl;
namespace Intrinsic = llvm::Intrinsic;

// 1 if \p First holds, else 0 unless y is NaN: then x was chosen.
static constexpr Formula takesX(const Condition &First) {
  return select(First, c(1), select(isnan(y), c(1), c(0)));
}
static constexpr Formula takesY(const Condition &First) {
  return select(First, c(0), select(isnan(y), c(0), c(1)));
}

static constexpr ScalarRule Rules[] = {
    {.Name = "copysign",
     .Arity = 2,
     .Value = copysign(x, y),
     .Partial = {select(x == 0, c(0), copysign(1, x) * copysign(1, y)), 0},
     .Intrinsics = {Intrinsic::copysign},
     .Library = {"copysign"},
     .Edges = "d/dx at x = 0 is 0, as for fabs"},
    {.Name = "fabs",
     .Value = fabs(x),
     .Partial = {select(x == 0, c(0), copysign(1, x))},
     .Intrinsics = {Intrinsic::fabs},
     .Library = {"fabs"},
     .Edges = "fabs'(0) = 0"},
    {.Name = "fdim",
     .Arity = 2,
     .Value = fdim(x, y),
     .Partial = {select(y < x, c(1), c(0)), select(y < x, c(-1), c(0))},
     .Library = {"fdim"},
     .Edges = "at x = y: 0, 0"},
    {.Name = "fmax",
     .Arity = 2,
     .Value = fmax(x, y),
     .Partial = {takesX(y <= x), takesY(y <= x)},
     .Intrinsics = {Intrinsic::maximum, Intrinsic::maximumnum, Intrinsic::maxnum},
     .Library = {"fmax", "fmaximum", "fmaximum_num"},
     .Edges = "at x = y the first argument takes all: 1, 0; if one argument is NaN the other one takes all"},
    {.Name = "fmin",
     .Arity = 2,
     .Value = fmin(x, y),
     .Partial = {takesX(x <= y), takesY(x <= y)},
     .Intrinsics = {Intrinsic::minimum, Intrinsic::minimumnum, Intrinsic::minnum},
     .Library = {"fmin", "fminimum", "fminimum_num"},
     .Edges = "at x = y the first argument takes all: 1, 0; if one argument is NaN the other one takes all"},
};

std::span<const ScalarRule> selectionRules() { return Rules; }

} // namespace tapefree::rules
