// BatchRequest: what one call of `__tapefree_batch` asks for, as plain data: a function, called once for each
// lane.
#pragma once
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"

namespace llvm {
class raw_ostream;
}

namespace tapefree {

/// How an argument differs between the lanes.
///  Vector  one value for each lane
///  Scalar  one value for all lanes
///  Buffer  a pointer that moves on by a stride of bytes from lane to lane
enum class LaneKind : uint8_t { Vector, Scalar, Buffer };

struct LaneArgument {
  LaneKind Kind = LaneKind::Scalar;
  llvm::SmallVector<llvm::Value *, 1>
      Values;                    // Vector: one for each lane; otherwise one. Of the parameter's type
  llvm::Value *Stride = nullptr; // Buffer: bytes from one lane to the next
};

struct BatchRequest {
  llvm::CallBase *Call = nullptr;
  llvm::Function *Callee = nullptr;
  unsigned Width = 0;
  llvm::SmallVector<LaneArgument, 8> Args; // one for each parameter of Callee
  llvm::Value *ResultMemory = nullptr;     // the call's sret pointer, if any
  llvm::Type *ResultType = nullptr; // type in which the call wants its result, an array of Width values
  void print(llvm::raw_ostream &OS) const;
};

} // namespace tapefree
