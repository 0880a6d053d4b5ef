//===- Rounding.cpp - Rounding, remainders, scaling -----------------------===//
#include "Rules/Tables/Tables.h"

#include "llvm/IR/Instruction.h"
#include "llvm/IR/Intrinsics.h"

namespace tapefree::rules {
using namespace dsl;
namespace Intrinsic = llvm::Intrinsic;

// Piecewise constant: nothing flows through. lround and its like return integers and are inactive calls
// (CallEffects.cpp).
static constexpr std::string_view AtJumps = "0 everywhere, also at the jumps";

// A remainder is r = x - q*y, so d/dy = -q. The quotient comes from the result: trunc(x / y) is one too large
// where the division rounds up to an integer that the remainder did not reach.
static constexpr Formula MinusQuotient = rint((r - x) / y);
static constexpr std::string_view AtQuotientJumps = "at a jump the quotient is the one that the result used";

static constexpr ScalarRule Rules[] = {
    {.Name = "ceil",
     .Value = ceil(x),
     .Partial = {0},
     .Intrinsics = {Intrinsic::ceil},
     .Library = {"ceil"},
     .Edges = AtJumps},
    {.Name = "floor",
     .Value = floor(x),
     .Partial = {0},
     .Intrinsics = {Intrinsic::floor},
     .Library = {"floor"},
     .Edges = AtJumps},
    {.Name = "nearbyint",
     .Value = nearbyint(x),
     .Partial = {0},
     .Intrinsics = {Intrinsic::nearbyint},
     .Library = {"nearbyint"},
     .Edges = AtJumps},
    {.Name = "rint",
     .Value = rint(x),
     .Partial = {0},
     .Intrinsics = {Intrinsic::rint},
     .Library = {"rint"},
     .Edges = AtJumps},
    {.Name = "round",
     .Value = round(x),
     .Partial = {0},
     .Intrinsics = {Intrinsic::round},
     .Library = {"round"},
     .Edges = AtJumps},
    {.Name = "roundeven",
     .Value = roundeven(x),
     .Partial = {0},
     .Intrinsics = {Intrinsic::roundeven},
     .Library = {"roundeven"},
     .Edges = AtJumps},
    {.Name = "trunc",
     .Value = trunc(x),
     .Partial = {0},
     .Intrinsics = {Intrinsic::trunc},
     .Library = {"trunc"},
     .Edges = AtJumps},
    {.Name = "fmod",
     .Arity = 2,
     .Value = fmod(x, y),
     .Partial = {1, MinusQuotient},
     .StrongZero = 0b10, // y == 0
     .Opcode = llvm::Instruction::FRem,
     .Library = {"fmod"},
     .Domain = {{{-5, 5}, {0.5, 2}}},
     .Edges = AtQuotientJumps},
    {.Name = "remainder",
     .Arity = 2,
     .Value = remainder(x, y),
     .Partial = {1, MinusQuotient},
     .StrongZero = 0b10,
     .Library = {"drem", "remainder"},
     .Domain = {{{-5, 5}, {0.5, 2}}},
     .Edges = AtQuotientJumps},
    {.Name = "ldexp",
     .HasInt = true,
     .Value = ldexp(x, n),
     .Partial = {ldexp(1, n)},
     .StrongZero = 1, // 2^n can overflow
     .Intrinsics = {Intrinsic::ldexp},
     .Library = {"ldexp", "scalbln", "scalbn"}},
};

std::span<const ScalarRule> roundingRules() { return Rules; }

} // namespace tapefree::rules
