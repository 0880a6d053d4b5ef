// FLAGS: -mllvm -tapefree-alias=c -mllvm -tapefree-strict
// LEVELS: O0 O1 O2 O3
// Members that are restrict-qualified prove it all: strict holds without any run-time test.
#define TAPEFREE_COUNT_HEAP
#define RESTRICT __restrict__
#include "network.hpp"

int main() {
  check_heap_counters();
  check_at_most("heap calls", gradient_of(784, 100, 100, 10, 100), 0);
  check_at_most("heap calls", gradient_of(5, 4, 3, 2, 4), 0);
  return finish();
}
