// MemoryHelpers: what memcpy, memmove and memset do to shadows, by small generated functions: one for each
// pattern of types and layout of lanes. They are internal to the module and get inlined. All lengths are in
// bytes of the primal.
#pragma once
#include "Analysis/Types/MemoryTypes.h"
#include "Emit/LaneOps.h"

namespace tapefree {

class MemoryHelpers {
public:
  MemoryHelpers(llvm::IRBuilderBase &B, const LaneOps &Ops) : B(B), Ops(Ops) {}
  /// Adjoint of `memcpy(to, from, bytes)`: for each float of the pattern, from += to and to = 0.
  /// `MayOverlap`: of memmove, whose reverse must visit the elements from the right end.
  void reverseCopy(const AccessPattern &P, llvm::Value *To, llvm::Value *From, llvm::Value *Bytes,
                   bool MayOverlap);
  /// Copies the fields of the pattern that are not floats.
  void copyPointers(const AccessPattern &P, llvm::Value *To, llvm::Value *From, llvm::Value *Bytes,
                    bool MayOverlap);
  /// Copies everything. False if the lanes lie differently on both sides and the pattern does not say what is
  /// moved.
  bool copyAll(const AccessPattern &P, llvm::Value *To, llvm::Value *From, llvm::Value *Bytes,
               bool MayOverlap);
  /// Copies from primal memory into every lane. False if the pattern does not say what is moved.
  bool copyFromPrimal(const AccessPattern &P, llvm::Value *To, llvm::Value *From, llvm::Value *Bytes);
  /// Sets the bytes of the pattern's floats, of all its other fields, or all bytes to `Byte`.
  enum class Fields : uint8_t { Floats, Others, All };
  void set(const AccessPattern &P, llvm::Value *To, llvm::Value *Byte, llvm::Value *Bytes, Fields Which);

private:
  llvm::IRBuilderBase &B;
  const LaneOps &Ops;
};

} // namespace tapefree
