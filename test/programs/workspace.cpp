// Gradients in a workspace: the numbers are those of gradient, workspace_size is exact to the byte, nothing behind
// the workspace is touched, and a workspace that is too small calls the handler.
// LEVELS: O0 O2
// SANITIZE: address
// NOLANES: workspaces are the subject, not lanes
#include <tapefree/tapefree.hpp>

#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace tf = tapefree;

static int failures = 0;
static void check(bool good, const char* what) {
  if (good) return;
  std::printf("FAIL: %s\n", what);
  ++failures;
}

static std::jmp_buf out;
static std::size_t missing;
extern "C" void tapefree_out_of_memory(std::size_t bytes) {
  missing = bytes;
  std::longjmp(out, 1);
}

alignas(64) static std::byte memory[1 << 16];

// Runs `in(span)` in workspaces of `size` bytes, one byte less, and misaligned.
template <class In> static void exact(const char* name, std::size_t size, In in) {
  for (int shift : {0, 1, 8}) {
    std::memset(memory, 0x5a, sizeof memory);
    if (setjmp(out)) {
      check(false, name);
      std::printf("  asked for %zu bytes, had %zu\n", missing, size);
      return;
    }
    in(std::span(memory + shift, size));
    for (std::size_t k = 0; k < sizeof memory; ++k)
      if ((k < std::size_t(shift) || k >= shift + size) && memory[k] != std::byte(0x5a)) {
        check(false, name);
        std::printf("  byte %zu behind a workspace of %zu was written\n", k - shift, size);
        break;
      }
  }
  if (!size) {
    in(std::span<std::byte>()); // nothing is kept: no workspace is enough
    return;
  }
  missing = 0;
  if (!setjmp(out)) {
    in(std::span(memory, size - 1));
    check(false, name);
    std::printf("  %zu bytes were enough in place of %zu\n", size - 1, size);
  }
  check(missing == size, name);
}

static double carried(const double* x, double a, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i) s = std::sin(s * a + x[i]);
  return s;
}

// Two loops, of which the second may not run, and whose length is read from memory.
struct sizes {
  int n, m;
};
static double two(double* u, const sizes& z, bool both) {
  int n = z.n, m = z.m;
  for (int i = 0; i < n; ++i) u[i] = u[i] * u[i];
  if (both)
    for (int i = 0; i < m; ++i) u[i] = std::sin(u[i]) * u[i];
  double s = 0;
  for (int i = 0; i < n; ++i) s += u[i];
  return s;
}

// Nested: 1 + 2 + ... + n iterations, of values of two sizes.
static double triangle(const double* x, float b, int n) {
  double s = 1;
  float t = b;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      s = std::cos(s * x[j]);
      t = std::sin(t + float(i));
    }
  return s * t;
}

// How long the second loop is depends on a count in memory that the function only reads.
static double counted(const double* x, const int* flags, int n) {
  int m = 0;
  for (int i = 0; i < n; ++i) m += flags[i];
  double s = 1;
  for (int i = 0; i < m; ++i) s = std::sin(s + x[i]);
  return s;
}

static double on_the_stack(const double* c, double x) {
  double p = 0;
  for (int i = 0; i < 100; ++i) p = p * x + c[i];
  return p;
}

// Only the run tells how often these go round: no size, but a workspace of one's own choice.
static double data_dependent(double x, const int* row, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i) {
    for (int k = row[i]; k < row[i + 1]; ++k) s = std::sin(s * x);
    for (double e = s; e > 0.01; e = e * e) s += std::sin(e * s);
  }
  return s;
}

// Keeps only where the buffers overlap.
static void square(const double* x, double* z, int n) {
  for (int i = 0; i < n; ++i) z[i] = x[i] * x[i];
}

int main() {
  constexpr int n = 100;
  double x[n], dx[n] = {}, dy[n] = {};
  for (int i = 0; i < n; ++i) x[i] = 0.01 * i;
  {
    double g = tf::gradient(carried, tf::dup(x, dx), tf::active(0.5), tf::constant(n));
    std::size_t size = tf::workspace_size(carried, tf::dup(x, dx), tf::active(0.5), tf::constant(n));
    check(size == 8 * n, "carried: size");
    exact("carried", size, [&](std::span<std::byte> w) {
      std::memset(dy, 0, sizeof dy);
      check(tf::gradient_in(w, carried, tf::dup(x, dy), tf::active(0.5), tf::constant(n)) == g, "carried: g");
      check(!std::memcmp(dx, dy, sizeof dx), "carried: dx");
      auto [value, slope] =
          tf::value_and_gradient_in<carried>(w, tf::constant(x), tf::active(0.5), tf::constant(n));
      check(value == carried(x, 0.5, n) && slope == g, "carried: value");
    });
    check(tf::workspace_size(carried, tf::dup(x, dx), tf::active(0.5), tf::constant(0)) == 0, "carried: none");
  }
  for (bool both : {false, true}) {
    sizes z{n, 50};
    double u[n], du[n] = {};
    std::memcpy(u, x, sizeof u);
    tf::gradient(two, tf::dup(u, du), tf::constant(z), tf::constant(both));
    std::memcpy(u, x, sizeof u);
    std::size_t size = tf::workspace_size(two, tf::dup(u, du), tf::constant(z), tf::constant(both));
    check(!std::memcmp(u, x, sizeof u), "workspace_size has no effect");
    exact("two", size, [&](std::span<std::byte> w) {
      std::memcpy(u, x, sizeof u);
      std::memset(dy, 0, sizeof dy);
      tf::gradient_in(w, two, tf::dup(u, dy), tf::constant(z), tf::constant(both));
      check(!std::memcmp(du, dy, sizeof du), "two: du");
    });
  }
  {
    constexpr int m = 30;
    std::memset(dx, 0, sizeof dx);
    float g = tf::gradient(triangle, tf::dup(x, dx), tf::active(0.25f), tf::constant(m));
    std::size_t size = tf::workspace_size(triangle, tf::dup(x, dx), tf::active(0.25f), tf::constant(m));
    exact("triangle", size, [&](std::span<std::byte> w) {
      std::memset(dy, 0, sizeof dy);
      check(tf::gradient_in(w, triangle, tf::dup(x, dy), tf::active(0.25f), tf::constant(m)) == g,
            "triangle: g");
      check(!std::memcmp(dx, dy, sizeof dx), "triangle: dx");
    });
  }
  {
    int flags[n];
    for (int i = 0; i < n; ++i) flags[i] = i % 3 == 0;
    std::memset(dx, 0, sizeof dx);
    tf::gradient(counted, tf::dup(x, dx), tf::constant(flags), tf::constant(n));
    std::size_t size = tf::workspace_size(counted, tf::dup(x, dx), tf::constant(flags), tf::constant(n));
    check(size == 8 * 34, "counted: size");
    exact("counted", size, [&](std::span<std::byte> w) {
      std::memset(dy, 0, sizeof dy);
      tf::gradient_in(w, counted, tf::dup(x, dy), tf::constant(flags), tf::constant(n));
      check(!std::memcmp(dx, dy, sizeof dx), "counted: dx");
    });
  }
  {
    double g = tf::gradient(on_the_stack, tf::constant(x), tf::active(0.9));
    std::size_t size = tf::workspace_size(on_the_stack, tf::constant(x), tf::active(0.9));
    check(size == 0, "stack: size");
    exact("stack", size, [&](std::span<std::byte> w) {
      check(tf::gradient_in(w, on_the_stack, tf::constant(x), tf::active(0.9)) == g, "stack: g");
    });
  }
  {
    int row[n + 1];
    for (int i = 0; i <= n; ++i) row[i] = 7 * i + i % 5;
    double g = tf::gradient(data_dependent, tf::active(0.7), tf::constant(row), tf::constant(n));
    int enough = 0;
    for (std::size_t size : {0, 100, 5000, 20000, 40000, 60000}) {
      std::memset(memory, 0x5a, sizeof memory);
      missing = 0;
      if (!setjmp(out)) {
        double h = tf::gradient_in(std::span(memory, size), data_dependent, tf::active(0.7), tf::constant(row),
                                   tf::constant(n));
        check(h == g, "data_dependent");
        ++enough;
      } else {
        check(missing > size, "data_dependent: bytes asked for");
      }
      for (std::size_t k = size; k < sizeof memory; ++k)
        if (memory[k] != std::byte(0x5a)) {
          check(false, "data_dependent: overrun");
          break;
        }
    }
    check(enough > 0 && enough < 5, "data_dependent: some workspaces are enough, some are not");
  }
  for (int overlap : {0, 1}) {
    double b[2 * n], db[2 * n], want[2 * n];
    double *in = b, *res = overlap ? b + 1 : b + n, *din = db, *dres = overlap ? db + 1 : db + n;
    auto fill = [&] {
      for (int i = 0; i < 2 * n; ++i) b[i] = 0.5 + 0.001 * i, db[i] = i;
    };
    fill();
    tf::gradient(square, tf::dup(in, din), tf::dup(res, dres), tf::constant(n));
    std::memcpy(want, db, sizeof want);
    fill();
    std::size_t size = tf::workspace_size(square, tf::dup(in, din), tf::dup(res, dres), tf::constant(n));
    check(size == (overlap ? 8 * n : 0), "square: size");
    exact("square", size, [&](std::span<std::byte> w) {
      fill();
      tf::gradient_in(w, square, tf::dup(in, din), tf::dup(res, dres), tf::constant(n));
      check(!std::memcmp(db, want, sizeof want), "square: derivatives");
    });
  }
  {
    double d[4][n] = {}, e[4][n] = {};
    auto g = tf::batch<4>::gradient(carried, tf::dup(x, d[0], d[1], d[2], d[3]), tf::active(0.5),
                                    tf::constant(n));
    std::size_t size = tf::batch<4>::workspace_size(carried, tf::dup(x, d[0], d[1], d[2], d[3]),
                                                    tf::active(0.5), tf::constant(n));
    exact("batch", size, [&](std::span<std::byte> w) {
      std::memset(e, 0, sizeof e);
      auto h = tf::batch<4>::gradient_in(w, carried, tf::dup(x, e[0], e[1], e[2], e[3]), tf::active(0.5),
                                         tf::constant(n));
      check(!std::memcmp(d, e, sizeof d) && !std::memcmp(&g, &h, sizeof g), "batch: derivatives");
    });
  }
  std::printf(failures ? "%d checks failed\n" : "all checks pass\n", failures);
  return failures != 0;
}
