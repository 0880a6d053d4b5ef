//===- Power.cpp - Powers, roots, error and gamma functions ---------------===//
#include "Rules/Tables/Tables.h"

#include "llvm/IR/Intrinsics.h"

namespace tapefree::rules {
using namespace dsl;
namespace Intrinsic = llvm::Intrinsic;

// y * x^(y-1), with the exponent 0 at y == 0: 0 * 0^-1 would be NaN there. It is right at every edge of C's
// pow: 0^1 has 1, 0^2 and 0^1.875 have 0, (-2)^3 has 12, (-2)^-2 has 0.25.
static constexpr Formula PowBase = y * pow(x, select(y == 0, c(0), y - 1));

// For a base <= 0 the function is not differentiable in the exponent (defined at single points only, or
// constantly 0 at base 0). The answer 0 means "as if the exponent were constant", so that the derivative in
// the base, which exists, survives in forward mode, where both are added. The inner select keeps the log of
// the branch not taken finite, for second derivatives.
static constexpr Formula PowExponent = select(x <= 0, c(0), r *log(select(x <= 0, c(1), x)));

// n * x^(n-1); for negative n as x^n / x, because n - 1 could wrap around. At n == 0 every factor is finite.
static constexpr Formula PowiBase = real(n) * (powi(x, select(n <= 0, n, n - 1)) / select(n < 0, x, c(1)));

static constexpr Formula HypotRadius = select(r == 0, c(1), r);

static constexpr ScalarRule Rules[] = {
    {.Name = "cbrt",
     .Value = cbrt(x),
     .Partial = {1 / (3 * (r * r))},
     .StrongZero = 1,
     .Library = {"cbrt"},
     .Domain = {{{0.2, 4}}},
     .Edges = "cbrt'(0) = inf"},
    {.Name = "hypot",
     .Arity = 2,
     .Value = hypot(x, y),
     .Partial = {x / HypotRadius, y / HypotRadius},
     .Library = {"hypot"},
     .Domain = {{{0.5, 2}, {-2, 2}}},
     .Edges = "at (0, 0): 0, 0"},
    {.Name = "pow",
     .Arity = 2,
     .Value = pow(x, y),
     .Partial = {PowBase, PowExponent},
     .StrongZero = 0b11,
     .Intrinsics = {Intrinsic::pow},
     .Library = {"pow"},
     .Domain = {{{0.2, 3}, {-2, 3}}},
     .Edges = "d/dx is 0 at y = 0; at x = 0 it is 1 for y = 1, 0 for y > 1, inf for 0 < y < 1; x < 0 with an "
              "integer y "
              "is exact; d/dy is 0 for x <= 0"},
    {.Name = "powi",
     .HasInt = true,
     .Value = powi(x, n),
     .Partial = {PowiBase},
     .StrongZero = 1,
     .Intrinsics = {Intrinsic::powi},
     .Domain = {{{0.2, 3}}},
     .Edges = "0 at n = 0; at x = 0 it is 1 for n = 1, 0 for n > 1, inf for n < 0"},
    {.Name = "sqrt",
     .Value = sqrt(x),
     .Partial = {0.5 / r},
     .StrongZero = 1,
     .Intrinsics = {Intrinsic::sqrt},
     .Library = {"sqrt"},
     .Domain = {{{0.1, 4}}},
     .Edges = "sqrt'(0) = inf"},
    {.Name = "erf",
     .Value = erf(x),
     .Partial = {c(NamedConstant::TwoOverSqrtPi) * exp(-(x * x))},
     .Library = {"erf"}},
    {.Name = "erfc",
     .Value = erfc(x),
     .Partial = {-(c(NamedConstant::TwoOverSqrtPi) * exp(-(x * x)))},
     .Library = {"erfc"}},
    {.Name = "lgamma",
     .Value = lgamma(x),
     .Partial = {digamma(x)},
     .StrongZero = 1,
     .Library = {"gamma", "lgamma"}, // glibc's gamma is lgamma
     .Domain = {{{0.2, 6}}},
     .Edges = "infinite at 0 and the negative integers"},
    {.Name = "tgamma",
     .Value = tgamma(x),
     .Partial = {r * digamma(x)},
     .StrongZero = 1,
     .Library = {"tgamma"},
     .Domain = {{{0.2, 6}}},
     .Edges = "infinite or NaN at 0 and the negative integers"},
};

std::span<const ScalarRule> powerRules() { return Rules; }

} // namespace tapefree::rules
