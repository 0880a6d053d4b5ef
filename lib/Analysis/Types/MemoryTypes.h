// Which bytes of the memory that an instruction accesses hold which scalar type?
//
//   %v = load i64, ptr %p            copies a double           : {period 8: [0] double}
//   memcpy(%d, %s, %n)               moves {double, i32} pairs : {period 16: [0] double, [8] int}
//
// Reverse mode must know this before it can add, copy or clear a shadow; opaque pointers do not say it. The
// answer is found by unification (Graph.h) over a function in prepared form: callees inlined, SROA done.
// Nothing is guessed: bytes without evidence are unknown, bytes with contradicting evidence are a conflict.
//
// USAGE: opt -load-pass-plugin=Tapefree.so -passes='print<tapefree-types>' -disable-output x.ll
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"
#include <memory>
#include <optional>

namespace llvm {
class Argument;
class DataLayout;
class Instruction;
class LLVMContext;
class raw_ostream;
class Type;
class Value;
} // namespace llvm

namespace tapefree {

enum class ScalarKind : uint8_t {
  Unknown,
  Integer,
  Pointer,
  Half,
  BFloat,
  Float,
  Double,
  X86FP80,
  FP128,
  PPCFP128,
  Conflict
};

inline bool isFloatKind(ScalarKind K) { return K >= ScalarKind::Half && K <= ScalarKind::PPCFP128; }
/// The LLVM type of a floating kind, null for all other kinds.
llvm::Type *floatType(ScalarKind K, llvm::LLVMContext &Ctx);
/// The kind of a scalar type; Unknown for aggregates and vectors.
ScalarKind scalarKind(llvm::Type *T);
llvm::StringRef kindName(ScalarKind K);

struct TypeField {
  uint64_t Offset;
  uint64_t Size; ///< in memory, so that an x86_fp80 has its 16 bytes
  ScalarKind Kind;
  bool operator==(const TypeField &) const = default;
};

/// The bytes that one access covers, as a pattern that repeats with a period. When the access has a known
/// length the pattern covers it: Period is then that length or a divisor of it (three doubles: period 8).
struct AccessPattern {
  uint64_t Period = 0;
  llvm::SmallVector<TypeField, 4> Fields; ///< sorted; gaps are padding or unknown
  /// The length is not constant and nothing says that Fields repeat: bytes past Period are unknown.
  bool Open = false;

  /// Every byte is known, without conflict.
  bool fullyKnown() const;
  /// The first bytes [Begin, End) of which nothing is known and that have room for a floating number; the end
  /// is UINT64_MAX where it can not be told. None where all bytes that matter are known.
  std::optional<std::pair<uint64_t, uint64_t>> unknownBytes() const;
  /// The same with the bytes between the fields as fields of unknown kind.
  AccessPattern withGaps() const;
  bool hasFloat() const;
  bool hasConflict() const;
  bool has(ScalarKind K) const;
  /// Every byte is of kind K.
  bool allOf(ScalarKind K) const;
  /// Every byte belongs to one floating kind, which is put into K.
  bool isHomogeneousFloat(ScalarKind &K) const;
  void print(llvm::raw_ostream &OS) const;
};

class MemoryTypes {
public:
  using ArgumentHint = std::pair<const llvm::Argument *, AccessPattern>;

  /// Solves F. A hint says what the memory behind a pointer argument holds, repeated with the hint's period.
  MemoryTypes(llvm::Function &F, const llvm::DataLayout &DL, llvm::ArrayRef<ArgumentHint> Hints = {});
  MemoryTypes(MemoryTypes &&);
  ~MemoryTypes();

  /// What the bytes that I accesses hold: load, store, atomics, memset, and memcpy or memmove (what is known
  /// of either side). Empty for any other instruction.
  AccessPattern pattern(const llvm::Instruction &I) const;
  /// What the bytes [0, Bytes) from Ptr hold; no or zero Bytes: as far as the memory goes.
  AccessPattern pattern(const llvm::Value *Ptr, std::optional<uint64_t> Bytes) const;
  /// Two instructions whose uses of the memory contradict each other; null where there is no conflict or
  /// where the evidence is not an instruction.
  std::pair<const llvm::Instruction *, const llvm::Instruction *> conflict(const llvm::Instruction &I) const;
  void print(llvm::raw_ostream &OS) const;

private:
  struct Impl;
  std::unique_ptr<Impl> P;
};

/// print<tapefree-types>: one line for each memory instruction, in instruction order.
class PrintTypesPass : public llvm::PassInfoMixin<PrintTypesPass> {
public:
  explicit PrintTypesPass(llvm::raw_ostream &OS) : OS(OS) {}
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream &OS;
};

} // namespace tapefree
