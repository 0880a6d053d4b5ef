// Of which arithmetic form is an index: Factor * anything + Offset?
//
// Front ends and instcombine hide an element's size in the index: i8 GEPs with `mul %i, 24`, `shl %i, 3`, or
// a counter that itself steps by 4. The factor times the GEP's element size is the stride that memory has.
#pragma once
#include <cstdint>

namespace llvm {
class Value;
}

namespace tapefree {

struct IndexForm {
  uint64_t Factor; ///< 0: a constant
  int64_t Offset;
};

IndexForm indexForm(const llvm::Value *V, unsigned Depth = 0);

} // namespace tapefree
