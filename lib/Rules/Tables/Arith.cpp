//===- Arith.cpp - Floating instructions and identities -------------------===//
#include "Rules/Tables/Tables.h"

#include "llvm/IR/Instruction.h"
#include "llvm/IR/Intrinsics.h"

namespace tapefree::rules {
using namespace dsl;

static constexpr ScalarRule Rules[] = {
    {.Name = "fadd", .Arity = 2, .Value = x + y, .Partial = {1, 1}, .Opcode = llvm::Instruction::FAdd},
    {.Name = "fsub", .Arity = 2, .Value = x - y, .Partial = {1, -1}, .Opcode = llvm::Instruction::FSub},
    {.Name = "fmul", .Arity = 2, .Value = x * y, .Partial = {y, x}, .Opcode = llvm::Instruction::FMul},
    {.Name = "fdiv",
     .Arity = 2,
     .Value = x / y,
     .Partial = {1 / y, -r / y}, // not -x / (y * y): the square would overflow
     .StrongZero = 0b11,
     .Opcode = llvm::Instruction::FDiv,
     .Domain = {{{-2, 2}, {0.5, 3}}}},
    {.Name = "fneg", .Value = -x, .Partial = {-1}, .Opcode = llvm::Instruction::FNeg},
    {.Name = "fma",
     .Arity = 3,
     .Value = fma(x, y, z),
     .Partial = {y, x, 1},
     .Intrinsics = {llvm::Intrinsic::fma, llvm::Intrinsic::fmuladd},
     .Library = {"fma"}},
    {.Name = "identity",
     .Value = x,
     .Partial = {1},
     .Opcode = llvm::Instruction::Freeze,
     .Intrinsics = {llvm::Intrinsic::arithmetic_fence, llvm::Intrinsic::canonicalize,
                    llvm::Intrinsic::ssa_copy}},
};

std::span<const ScalarRule> arithRules() { return Rules; }

} // namespace tapefree::rules
