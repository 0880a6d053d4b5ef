// Lengths that only the run knows: checked where they are given, because a shadow that is too short would be
// written past its end.
#pragma once
#include "types.hpp"

// What happens on a wrong length: a line on stderr, then abort. Define TAPEFREE_FAIL(text) before the first
// include, the same in every file, to do something else; it must not return.
#ifndef TAPEFREE_FAIL
#include <cstdio>
#include <cstdlib>
#define TAPEFREE_FAIL(text) (std::fprintf(stderr, "tapefree: %s\n", text), std::abort())
#endif

namespace tapefree::detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void wrong_length(const char *text) {
  TAPEFREE_FAIL(text);
  __builtin_unreachable();
}

TAPEFREE_INLINE constexpr void check_length(bool right, const char *text) {
  if (!right) [[unlikely]]
    wrong_length(text);
}

// An object that says where its elements lie and how many there are: std::span, std::vector, std::array.
template <class S>
concept contiguous = requires(S &s) {
  { *s.data() };
  { static_cast<std::size_t>(s.size()) };
};
template <class S> using element_of = std::remove_reference_t<decltype(*std::declval<S &>().data())>;

} // namespace tapefree::detail
