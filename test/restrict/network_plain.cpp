// LEVELS: O1 O2 O3
// The same network without a single restrict: a run-time test finds that the buffers are apart, or that they are not.
#define TAPEFREE_COUNT_HEAP
#define RESTRICT
#include "network.hpp"

int main() {
  check_heap_counters();
  check_at_most("heap calls", gradient_of(784, 100, 100, 10, 100), 0);
  check_at_most("heap calls", gradient_of(5, 4, 3, 2, 4), 0);
  gradient_of(5, 4, 3, 2, 0); // in place
  gradient_of(5, 4, 3, 2, 1);
  gradient_of(784, 100, 100, 10, 7);
  return finish();
}
