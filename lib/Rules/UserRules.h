//===- UserRules.h - What the program itself says of its functions -*- C++ -*-===//
//
// Registrations (Frontend/Registrations.h) leave their meaning on the functions and globals that they name,
// as attributes and metadata of one run of the plugin: every stage asks the callee.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace llvm {
class CallBase;
class Function;
class Type;
} // namespace llvm

namespace tapefree::rules {

/// Attribute of functions through which no derivative passes, and of globals that need no shadow.
inline constexpr char InactiveMark[] = "tapefree.inactive";
/// Attribute of functions that are taken for a library function; its value is that function's name.
inline constexpr char LikeMark[] = "tapefree.like";
/// Attribute of functions that allocate: the operand with the number of bytes.
inline constexpr char AllocatorMark[] = "tapefree.allocator";
/// Attribute of functions that release what such a function gave.
inline constexpr char ReleaseMark[] = "tapefree.release";

/// The derivatives that the user gives for a function.
struct UserRule {
  llvm::Function *Augmented = nullptr;  ///< runs the primal and leaves a tape; none: the primal itself runs
  llvm::Function *Gradient = nullptr;   ///< reverse mode
  llvm::Function *Derivative = nullptr; ///< forward mode
  /// Written in C++ (tapefree/rule.hpp): called through functions that take everything by address,
  ///   (addresses of arguments, addresses of their shadows or tangents, seed, tape, results).
  bool PlainReverse = false, PlainForward = false;
  bool PerCall = false;       ///< the augmented function gets shadows: one call serves one derivative
  bool GivesValue = false;    ///< the derivative returns the function's value as well, and does its work
  std::uint64_t Unread = 0;   ///< parameters that the gradient does not read
  llvm::Type *Tape = nullptr; ///< null: none
};
std::optional<UserRule> userRule(const llvm::Function &F);
void setUserRule(llvm::Function &F, const UserRule &Rule);
void clearUserRule(llvm::Function &F);

/// Of a direct call: the rule of its callee, if any; that for reverse mode alone.
std::optional<UserRule> userRule(const llvm::CallBase &Call);
std::optional<UserRule> gradientRule(const llvm::CallBase &Call);

/// Whether a call keeps the callee's body to itself: the program says all that there is to say of it.
bool isRegistered(const llvm::Function &F);

/// What stands in the way of differentiating a call with the rule that its callee has, in reverse mode or
/// not, at a width; empty if nothing does.
std::string ruleObstacle(const llvm::CallBase &Call, bool Reverse, unsigned Width);

/// What releases the memory that a function with AllocatorMark gave; null for other functions.
llvm::Function *releaseOf(const llvm::Function &Allocator);
void setRelease(llvm::Function &Allocator, llvm::Function &Release);

} // namespace tapefree::rules
