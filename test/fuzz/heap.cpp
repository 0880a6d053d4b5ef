// heap.cpp: a heap that counts what is live, and fills what is new or freed with NaN. Under a sanitizer, which has its own,
// the count stays zero.
#include "harness.hpp"
#include <malloc.h>

#if !defined(TAPEFREE_FUZZ_SANITIZED)
extern "C" void *__libc_malloc(size_t);
extern "C" void *__libc_calloc(size_t, size_t);
extern "C" void *__libc_realloc(void *, size_t);
extern "C" void __libc_free(void *);
volatile long live_blocks = 0;
extern "C" void *malloc(size_t n) {
  void *p = __libc_malloc(n);
  live_blocks = live_blocks + 1;
  return memset(p, 0xff, malloc_usable_size(p));
}
extern "C" void *calloc(size_t n, size_t s) {
  live_blocks = live_blocks + 1;
  return __libc_calloc(n, s);
}
extern "C" void *realloc(void *p, size_t n) {
  if (!p) live_blocks = live_blocks + 1;
  return __libc_realloc(p, n);
}
extern "C" void free(void *p) {
  if (!p) return;
  live_blocks = live_blocks - 1;
  memset(p, 0xff, malloc_usable_size(p));
  __libc_free(p);
}
#else
volatile long live_blocks = 0;
#endif
