// malloc fails at the k-th call, for every k: a derivative that has no memory says so through the handler, and never
// goes on with what it did not get.
// LEVELS: O0 O2
// NOLANES: about the heap
// FLAGS: -Wno-vla-cxx-extension
// LIBS: -Wl,--wrap=malloc
// NOSANITIZE: malloc is replaced
#include <tapefree/tapefree.hpp>

#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>

namespace tf = tapefree;

extern "C" void* __real_malloc(std::size_t);
static bool armed = false;
static int calls = 0, fails_at = -1;
extern "C" void* __wrap_malloc(std::size_t bytes) {
  if (armed && calls++ == fails_at) return nullptr;
  return __real_malloc(bytes);
}

static std::jmp_buf out;
static std::size_t missing;
extern "C" void tapefree_out_of_memory(std::size_t bytes) {
  armed = false;
  missing = bytes;
  std::longjmp(out, 1);
}

static int failures = 0;
// Runs `gradient` with every malloc failing in turn, until none fails; `own`: how many failures the function itself
// sees. All others come to the handler.
template <class G> static void each_failure(const char* name, int own, G gradient) {
  volatile int seen = 0, total = 0;
  double want = gradient();
  for (volatile int k = 0; k < 100; k = k + 1) {
    calls = 0, fails_at = k, armed = true;
    if (setjmp(out)) {
      seen = seen + 1;
      if (missing == 0) {
        std::printf("FAIL: %s: nothing was asked for\n", name);
        ++failures;
      }
      continue;
    }
    double got = gradient();
    armed = false;
    total = calls;
    if (calls > k) continue; // the function itself saw the failure
    if (got != want) {
      std::printf("FAIL: %s: %g in place of %g\n", name, got, want);
      ++failures;
    }
    break;
  }
  if (seen == 0 || seen + own != total) {
    std::printf("FAIL: %s: %d of %d failures came to the handler, and %d to the function\n", name, int(seen),
                int(total), own);
    ++failures;
  }
}

// One exact block.
static double carried(double x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i) s = std::sin(s * x);
  return s;
}

// A block that grows, from the stack to the heap, three times.
static double data_dependent(double x, double end) {
  double s = 1;
  for (double t = 0; t < end; t += 1 + 1e-9 * s) s = std::sin(s * x + 0.1);
  return s;
}

// A record for each call.
static double recursive(double x, int n) { return n == 0 ? x : std::sin(recursive(x, n - 1) * x); }

// A block of the function's own, which it checks, and the shadow of it, which it cannot check.
static double own_block(double x, int n) {
  double* a = static_cast<double*>(std::malloc(sizeof(double) * n));
  if (!a) return x;
  for (int i = 0; i < n; ++i) a[i] = x * i;
  double s = 0;
  for (int i = 0; i < n; ++i) s += a[i] * a[n - 1 - i];
  std::free(a);
  return s;
}

// An array of variable length in each iteration, and its shadow.
static double variable_length(double x, int n) {
  double s = 0;
  for (int i = 1; i <= 3; ++i) {
    double a[n];
    for (int j = 0; j < n; ++j) a[j] = x * (i + j);
    for (int j = 0; j < n; ++j) s += a[j] * a[n - 1 - j];
  }
  return s;
}

// A derivative whose blocks an outer one differentiates.
static double slope(double x, int n) { return tf::gradient(carried, tf::active(x), tf::constant(n)); }

int main() {
  volatile int hidden = 5; // else blocks become registers
  const int n = hidden;
  each_failure("exact", 0, [=] { return tf::gradient(carried, tf::active(0.7), tf::constant(200 * n)); });
  each_failure("growing", 0,
               [=] { return tf::gradient(data_dependent, tf::active(0.7), tf::constant(4000.0 * n)); });
  each_failure("records", 0, [=] { return tf::gradient(recursive, tf::active(0.7), tf::constant(n)); });
  each_failure("shadow", 1, [=] { return tf::gradient(own_block, tf::active(0.7), tf::constant(n)); });
  each_failure("forward", 1, [=] { return tf::derivative(own_block, tf::dup(0.7, 1.0), tf::constant(n)); });
  each_failure("arrays", 0, [=] { return tf::gradient(variable_length, tf::active(0.7), tf::constant(n)); });
  each_failure("forward over reverse", 0,
               [=] { return tf::derivative(slope, tf::dup(0.7, 1.0), tf::constant(200 * n)); });
  each_failure("reverse over reverse", 0,
               [=] { return tf::gradient(slope, tf::active(0.7), tf::constant(200 * n)); });
  std::printf(failures ? "%d checks failed\n" : "all checks pass\n", failures);
  return failures != 0;
}
