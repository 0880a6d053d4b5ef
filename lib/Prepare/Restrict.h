/// \file
/// `restrict` of local variables and of members, handed down by the front-end plugin as annotations
/// (Support/RestrictMark.h), becomes scoped no-alias facts. C (6.7.3.1) speaks of
///
///   an object P, the pointer that is restrict-qualified: a local variable, or a member;
///   a block B: that of the local variable; of a member, the body of the function one of whose parameters
///   leads to it;
///   accesses through pointers based on P, while B runs: what they touch, and somebody writes, nobody touches
///   but through pointers based on P.
///
/// So the accesses of B that are surely based on P get a scope of P, and those that are surely not based on
/// it exclude that scope. An access of which neither can be said gets neither. The steps, in the order of
/// inlining:
///
///   takeRestrictMarks     a clone's annotations become marks: calls of functions without effect, on the
///   address
///                         of a member where it is loaded, on the value of a local variable
///   scopeRestrictLocals   at the end of its function's own preparation; these marks are gone then
///   scopeRestrictObjects  the same for members, once in each function that is inlined, where the scope is
///                         its body, and last for the whole
///   dropObjectMarks
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class CallInst;
class Function;
class Instruction;
class Module;
class Value;
} // namespace llvm

namespace tapefree {

/// The annotations of a function that was just cloned, as marks.
void takeRestrictMarks(llvm::Function &F);

void scopeRestrictLocals(llvm::Function &F);
void scopeRestrictObjects(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

bool hasObjectMarks(const llvm::Function &F);
/// Of all restrict members, or of those of the function's own local variables: a mark would keep these from
/// becoming values, and nothing is said about them. True if there were any.
bool dropObjectMarks(llvm::Function &F, bool OnlyOfLocals);

/// Takes the annotations out of the program: nothing needs them when all derivatives are made.
bool stripRestrictAnnotations(llvm::Module &M);

// The marks themselves.

/// ptr (ptr address, ptr annotation or null): a load from the result reads a restrict-qualified pointer.
inline constexpr llvm::StringLiteral ObjectMark = "tapefree.restrict.object";
/// ptr (ptr value, i64 number): the value of a restrict-qualified local variable of the function.
inline constexpr llvm::StringLiteral LocalMark = "tapefree.restrict.local";
/// void (i64 number): where the block of that variable begins and ends.
inline constexpr llvm::StringLiteral BeginMark = "tapefree.restrict.begin";
inline constexpr llvm::StringLiteral EndMark = "tapefree.restrict.end";

/// The call, if it is one of that mark.
llvm::CallInst *markCall(llvm::Value *V, llvm::StringRef Mark);
/// The number of a local variable in a mark of it.
uint64_t localNumber(const llvm::CallInst &Mark);
/// The member's name in an object's mark; empty if that is not known.
llvm::StringRef objectName(const llvm::CallInst &Mark);

/// What a pointer may be based on, as far as the function shows.
struct Basis {
  /// Where its values come from: arguments, allocations, loads, and whatever else.
  llvm::SmallVector<const llvm::Value *, 4> Roots;
  /// The local restrict variables that a value may have passed through.
  llvm::SmallVector<uint64_t, 4> Locals;
  bool Known = true;
};
Basis basisOf(const llvm::Value *Ptr);

/// An object that the function can only have got from outside or made itself, not by reading memory.
bool isOwnRoot(const llvm::Value *Root);

/// The addresses that the instruction accesses memory at; none if it is not only those.
llvm::SmallVector<const llvm::Value *, 2> accessedPointers(const llvm::Instruction &I);

/// Adds \p Scopes to its !alias.scope, \p NoAlias to its !noalias.
void addScopes(llvm::Instruction &I, llvm::ArrayRef<llvm::Metadata *> Scopes,
               llvm::ArrayRef<llvm::Metadata *> NoAlias);

} // namespace tapefree
