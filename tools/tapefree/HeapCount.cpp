// The C library's allocation functions, replaced by ones that count and pass the call on. Only this file
// knows of it: every other file sees the ordinary declarations and is compiled as usual.
#include "HeapCount.hpp"

#include <atomic>
#include <cerrno>
#include <cstdlib>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#define TAPEFREE_FOREIGN_HEAP 1
#endif
#endif
#if defined(__GLIBC__) && !defined(TAPEFREE_FOREIGN_HEAP)
#define TAPEFREE_COUNT_HEAP 1
#else
#define TAPEFREE_COUNT_HEAP 0
#endif

static std::atomic<std::uint64_t> Calls{0}, Bytes{0};

#if TAPEFREE_COUNT_HEAP

static void count(std::size_t Size) {
  Calls.fetch_add(1, std::memory_order_relaxed);
  Bytes.fetch_add(Size, std::memory_order_relaxed);
}

extern "C" {
void *__libc_malloc(std::size_t);
void *__libc_calloc(std::size_t, std::size_t);
void *__libc_realloc(void *, std::size_t);
void *__libc_memalign(std::size_t, std::size_t);
void __libc_free(void *);

void *malloc(std::size_t Size) noexcept {
  count(Size);
  return __libc_malloc(Size);
}

void *calloc(std::size_t Number, std::size_t Size) noexcept {
  count(Number * Size); // where this wraps round, the call fails
  return __libc_calloc(Number, Size);
}

void *realloc(void *Old, std::size_t Size) noexcept {
  count(Size);
  return __libc_realloc(Old, Size);
}

void free(void *Old) noexcept {
  if (Old)
    count(0);
  __libc_free(Old);
}

void *memalign(std::size_t Alignment, std::size_t Size) noexcept {
  count(Size);
  return __libc_memalign(Alignment, Size);
}

void *aligned_alloc(std::size_t Alignment, std::size_t Size) noexcept {
  count(Size);
  return __libc_memalign(Alignment, Size);
}

int posix_memalign(void **Result, std::size_t Alignment, std::size_t Size) noexcept {
  if (Alignment % sizeof(void *) != 0 || Alignment == 0 || (Alignment & (Alignment - 1)) != 0)
    return EINVAL;
  count(Size);
  void *Memory = __libc_memalign(Alignment, Size);
  if (!Memory)
    return ENOMEM;
  *Result = Memory;
  return 0;
}
} // extern "C"

#endif // TAPEFREE_COUNT_HEAP

tapefree::tool::HeapCount tapefree::tool::heapCount() {
  return {Calls.load(std::memory_order_relaxed), Bytes.load(std::memory_order_relaxed)};
}

bool tapefree::tool::heapCountAvailable() { return TAPEFREE_COUNT_HEAP; }
