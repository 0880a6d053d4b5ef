/// \file
/// Can the reverse sweep read this location again, or has the forward sweep overwritten it by then, and who
/// did?
///
///   for (j = 0; j < n; ++j) {
///     x = load a[j]            reload: nothing writes a after it
///     t = load s[0]            overwritten by the store below, in the same iteration
///     u = load b[j + 1]        overwritten by the store below, in the next one
///     store x, s[0]
///     store u, b[j]
///   }
///
/// A load may be repeated iff no instruction that may run between it and the end of the forward sweep, later
/// iterations of all loops around it included, may write its bytes. A write that follows in the same
/// iteration is judged by alias analysis; one of a later iteration by what alias analysis and metadata say of
/// *all* iterations (ScopeFacts) and by the distance of the two addresses (IterationDistance). When unsure:
/// overwritten.
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <memory>

namespace llvm {
class AAResults;
class CallBase;
class DominatorTree;
class Function;
class Instruction;
class LoadInst;
class LoopInfo;
class MemoryLocation;
class ScalarEvolution;
class TargetLibraryInfo;
class raw_ostream;
} // namespace llvm

namespace tapefree {

enum class OverwriteKind : uint8_t {
  None,
  Store,           ///< a store, also an atomic one
  MemoryIntrinsic, ///< memcpy, memmove, memset
  Call,            ///< any other call, also of an intrinsic
  Free,            ///< free, delete; realloc always, since the emitter cannot delay that
  LifetimeEnd,     ///< lifetime.end or .start, and stackrestore for an alloca of variable size
  Caller,          ///< what called the function, after its return
  Volatile,        ///< the load is volatile or atomic, or another thread may write after this synchronisation
};

llvm::StringRef name(OverwriteKind Kind);

struct Overwrite {
  OverwriteKind Kind = OverwriteKind::None;
  const llvm::Instruction *By = nullptr;
  /// It writes just what was read, rather than something that may overlap it.
  bool Exact = false;
  /// Both addresses are known to come from one object: no comparison of address ranges at run time can help.
  bool SameObject = false;

  explicit operator bool() const { return Kind != OverwriteKind::None; }
  void print(llvm::raw_ostream &OS) const;
};

struct OverwriteOptions {
  /// The emitter delays the frees of memory that the reverse sweep needs.
  bool IgnoreFrees = true;
  /// The emitter drops lifetime markers and hoists allocas of constant size.
  bool IgnoreLifetimeEnds = true;
  /// The function is one part of a sweep: before its own reverse sweep runs, its callers may write all memory
  /// that is not its own.
  bool CallerWrites = false;
};

class Overwrites {
public:
  /// \p CallIsHarmless: calls known not to write the program's own memory (libm with errno, printf); asked
  /// during construction only. The function must not change while the object lives.
  Overwrites(llvm::Function &F, llvm::AAResults &AA, llvm::DominatorTree &DT, llvm::LoopInfo &LI,
             llvm::ScalarEvolution &SE, const llvm::TargetLibraryInfo &TLI, OverwriteOptions Options = {},
             llvm::function_ref<bool(const llvm::CallBase &)> CallIsHarmless = {});
  Overwrites(Overwrites &&);
  ~Overwrites();

  /// Who may change the memory that \p Load reads, between it and the end of the forward sweep? An exact
  /// culprit goes before one that may be none, then the earliest in program order. Memoised.
  Overwrite after(const llvm::LoadInst &Load);

  /// The same for the bytes \p Loc as \p At reads them (the source of a memcpy, an argument of a call).
  Overwrite after(const llvm::Instruction &At, const llvm::MemoryLocation &Loc);

  /// May anything that \p Call reads be written between its return and the end of the forward sweep?
  bool mayFollowReadsOf(const llvm::CallBase &Call) const;

  const OverwriteOptions &options() const;

private:
  class Impl;
  std::unique_ptr<Impl> I;
};

} // namespace tapefree
