//===- CallEffects.h - What is known of library calls -----------*- C++ -*-===//
#pragma once

#include <cstdint>
#include <string_view>

namespace llvm {
class CallBase;
} // namespace llvm

namespace tapefree::rules {

enum class CallKind : std::uint8_t {
  Scalar,         ///< has a derivative rule: scalarRule()
  Allocate,       ///< returns fresh memory of unspecified contents
  AllocateZeroed, ///< returns fresh memory of zeros
  AllocateInto,   ///< writes the address of fresh memory to *Pointer (posix_memalign)
  Reallocate,     ///< moves Pointer's contents to new memory of Size bytes
  Free,           ///< releases Pointer
  Inactive,       ///< no floating value that carries a derivative passes through, nor a pointer to one
  Declared,       ///< inactive because the program says so; what it does to memory is not known
  NoReturn,       ///< does not come back, so no derivative comes back through it
  Unknown,
};

/// Called where memory for a derivative is missing: the user's, or a default. Whatever its body, it does not
/// come back.
inline constexpr std::string_view OutOfMemoryHandler = "tapefree_out_of_memory";
/// What derivatives call to see whether they got memory. To a further derivative it is one inactive call: its
/// branches, in the middle of everything, would only hide what memory holds.
inline constexpr std::string_view DemandFunction = "tapefree.demand";

/// How the names of exits begin: code of the primal that ends in an exception that leaves it
/// (Prepare/Exits.h).
inline constexpr std::string_view ExitPrefix = "tapefree.exit.";
constexpr bool isExit(std::string_view Name) { return Name.starts_with(ExitPrefix); }

/// Functions whose bodies no analysis looks at.
constexpr bool isOpaque(std::string_view Name) {
  return Name == OutOfMemoryHandler || Name == DemandFunction || isExit(Name);
}

/// Which allocator memory belongs to: it must be released by the same one.
enum class AllocFamily : std::uint8_t { None, C, New, NewArray, Rust, User };

/// What a call does. The numbers are operand indexes, -1 where the call has no such operand.
struct CallEffect {
  CallKind Kind = CallKind::Unknown;
  AllocFamily Family = AllocFamily::None;
  std::int8_t Size = -1;      ///< bytes, or bytes of one element where Count is there
  std::int8_t Count = -1;     ///< elements (calloc, reallocarray)
  std::int8_t Pointer = -1;   ///< memory released, moved, or (AllocateInto) where the address goes
  std::int8_t Alignment = -1; ///< requested alignment in bytes
  bool NeverNull = false;     ///< throws instead of returning null
};

/// Direct calls only. What the program registers comes first. A function with a body in this module is judged
/// by its body, so it is Unknown here, except the reserved names of the C++ library's streams and clocks.
CallEffect callEffect(const llvm::CallBase &Call);

/// The same by name alone, for a declared function; never Scalar.
CallEffect callEffect(std::string_view Name);

/// Of functions that do not come back: whether they throw. The others end the program.
bool leavesByException(std::string_view Name);

} // namespace tapefree::rules
