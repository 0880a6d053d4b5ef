// Counts the program's heap calls, so that "the gradient allocates nothing" is measured and not merely said.
#pragma once

#include <cstdint>

namespace tapefree::tool {

struct HeapCount {
  std::uint64_t Calls = 0; // malloc, calloc, realloc, free and the aligned ones; operator new ends in malloc
  std::uint64_t Bytes = 0; // bytes asked for; freeing gives nothing back
};

// Since the program started, over all threads.
HeapCount heapCount();

// False where the C library is not glibc, or a sanitizer has put its own heap in place: then nothing is
// counted.
bool heapCountAvailable();

inline HeapCount operator-(HeapCount Later, HeapCount Earlier) {
  return {Later.Calls - Earlier.Calls, Later.Bytes - Earlier.Bytes};
}

} // namespace tapefree::tool
