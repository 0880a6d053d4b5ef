// DisjointBuffers: buffers that do not overlap in one body of a derivative, because a test at run time has
// said so or because the caller promises it.
#pragma once
#include "llvm/Analysis/AliasAnalysis.h"
#include <optional>

namespace tapefree {

class DisjointBuffers {
public:
  virtual ~DisjointBuffers();
  /// They are numbered from 0.
  virtual unsigned size() const = 0;
  /// The buffer in which all accesses of the frozen function through `Pointer` lie; none where nothing is
  /// known.
  virtual std::optional<unsigned> bufferOf(const llvm::Value *Pointer) const = 0;
  /// Whether the shadows of two different buffers are as disjoint as these.
  virtual bool shadowsApart(unsigned A, unsigned B) const = 0;
};

} // namespace tapefree
