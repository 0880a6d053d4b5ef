// Atomic counters of integers beside differentiated numbers, fences, a once flag.
#include "compare.hpp"
#include <atomic>

static std::atomic<long> visits{0};
static std::atomic<bool> ready{false};
double f(const double *x, int n) {
  if (!ready.exchange(true))
    visits.store(0, std::memory_order_relaxed);
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += x[i] * x[i] * (i + 1);
    visits.fetch_add(1, std::memory_order_relaxed);
  }
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return s * x[0];
}

int main() {
  compare_at<f>("atomics", 5, -1, 1);
  check_true("counted", visits > 0);
  return finish();
}
