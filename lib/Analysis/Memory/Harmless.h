// Harmless: calls that leave all memory as it was which somebody could read before and after them.
#pragma once
namespace llvm {
class CallBase;
}

namespace tapefree {

/// Judged by what is known of library functions, and by the bodies of visible ones. Errno does not count.
bool leavesMemoryAlone(const llvm::CallBase &Call);

} // namespace tapefree
