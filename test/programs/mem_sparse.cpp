// NOLANES: counts heap calls
// LEVELS: O0 O2 O3
// Loops over index arrays: which addresses they reach is found by a walk over the indices before the function runs, and
// where nothing overlaps nothing is kept. Where something does, the numbers are the same.
#define TAPEFREE_COUNT_HEAP
#include "support.hpp"

enum { kRows = 64, kEntries = 10 * kRows };

// Rows of a sparse matrix: their entries lie anywhere, some rows are empty.
template <class T> static T product(const int* start, const int* col, const T* val, const T* x, T* y, int rows) {
  for (int i = 0; i < rows; ++i) {
    T s = T(0);
    for (int k = start[i]; k < start[i + 1]; ++k) s += val[k] * x[col[k]];
    y[i] = s;
  }
  T s = T(0);
  for (int i = 0; i < rows; ++i) s += y[i] * y[i];
  return s;
}

// Indices of indices, of two types; elements with four corners each.
template <class T> static T corners(const long* order, const int* corner, const T* u, T* r, int n) {
  for (int e = 0; e < n; ++e) {
    T s = T(1);
    for (int a = 0; a < 4; ++a) s *= u[order[corner[4 * e + a]]];
    r[e] += sin(s);
  }
  T s = T(0);
  for (int e = 0; e < n; ++e) s += r[e] * r[e];
  return s;
}

// What is not used is no index at all.
template <class T> static T masked(const char* use, const int* index, const T* x, T* y, int n) {
  for (int i = 0; i < n; ++i)
    if (use[i]) y[i] = exp(x[index[i]] * x[i]);
  T s = T(0);
  for (int i = 0; i < n; ++i) s += y[i] * y[i];
  return s;
}

// Rows that are written through indices as well, so that nothing of what is read is sure.
template <class T> static T scattered(const int* from, const int* to, const T* x, T* y, int n) {
  for (int i = 0; i < n; ++i) y[to[i]] += x[from[i]] * x[from[i]];
  T s = T(0);
  for (int i = 0; i < n; ++i) s += y[i] * y[i] * x[i];
  return s;
}

// Steps that grow geometrically, and a table of which each of them uses a part.
template <class T> static T butterflies(T* re, const double* table, int n) {
  for (int len = 2; len <= n; len *= 2) {
    int half = len / 2, step = n / len;
    for (int s = 0; s < n; s += len)
      for (int k = 0; k < half; ++k) {
        T b = re[s + k + half] * T(table[k * step]), a = re[s + k];
        re[s + k + half] = a - b;
        re[s + k] = a + b;
      }
  }
  T s = T(0);
  for (int i = 0; i < n; ++i) s += re[i] * T(i % 5 - 2);
  return s;
}

static int start[kRows + 1], col[kEntries], from[kEntries], to[kRows];
static long order[kRows];
static int corner[4 * kRows];
static char use[kRows];

static void make_indices() {
  unsigned r = 7;
  auto next = [&](unsigned n) { return (r = r * 1664525u + 1013904223u) / 65536 % n; };
  for (int i = 0; i < kRows; ++i) start[i + 1] = start[i] + (i % 7 == 3 ? 0 : 3 + int(next(14)));
  for (int& c : col) c = int(next(kRows));
  for (int i = 0; i < kRows; ++i) order[i] = (i * 13 + 5) % kRows;
  for (int& c : corner) c = int(next(kRows));
  for (int i = 0; i < kRows; ++i) {
    use[i] = i % 3 != 1;
    from[i] = use[i] ? int(next(kRows)) : int(2000000000u + next(1000));
    to[i] = int(next(kRows));
  }
}

// All numbers lie in one array, so that buffers can be made to overlap.
template <class T, class F, class G> static void compare(const char* what, int size, long heap, F f, G gradient) {
  static T p[4096], dp[4096];
  static double want[4096];
  fill(p, size, 611, -1, 1);
  reference(want, p, size, f);
  std::memset(dp, 0, sizeof dp);
  fill(p, size, 611, -1, 1);
  HeapUse used = heap_use([&] { gradient(p, dp); });
  check_all(what, dp, want, size);
  if (heap >= 0) check_at_most(what, used.calls, heap);
}

template <class T> static void products(int val, int x, int y, int size, long heap) {
  compare<T>("product", size, heap, [&](auto* q) { return product(start, col, q + val, q + x, q + y, kRows); },
             [&](T* p, T* d) {
               __enzyme_autodiff<void>((void*)product<T>, enzyme_const, (const int*)start, enzyme_const, (const int*)col,
                                       enzyme_dup, (const T*)p + val, d + val, enzyme_dup, (const T*)p + x, d + x,
                                       enzyme_dup, p + y, d + y, enzyme_const, (int)kRows);
             });
}

template <class T> static void all_corners(int u, int r, int size, long heap) {
  compare<T>("corners", size, heap, [&](auto* q) { return corners(order, corner, q + u, q + r, kRows); },
             [&](T* p, T* d) {
               __enzyme_autodiff<void>((void*)corners<T>, enzyme_const, (const long*)order, enzyme_const,
                                       (const int*)corner, enzyme_dup, (const T*)p + u, d + u, enzyme_dup,
                                       p + r, d + r, enzyme_const, (int)kRows);
             });
}

template <class T> static void all_masked(int x, int y, int size) {
  compare<T>("masked", size, -1, [&](auto* q) { return masked(use, from, q + x, q + y, kRows); },
             [&](T* p, T* d) {
               __enzyme_autodiff<void>((void*)masked<T>, enzyme_const, (const char*)use, enzyme_const, (const int*)from,
                                       enzyme_dup, (const T*)p + x, d + x, enzyme_dup, p + y, d + y, enzyme_const,
                                       (int)kRows);
             });
}

template <class T> static void all_scattered(int x, int y, int size, long heap) {
  compare<T>("scattered", size, heap, [&](auto* q) { return scattered(col, to, q + x, q + y, kRows); },
             [&](T* p, T* d) {
               __enzyme_autodiff<void>((void*)scattered<T>, enzyme_const, (const int*)col, enzyme_const, (const int*)to,
                                       enzyme_dup, (const T*)p + x, d + x, enzyme_dup, p + y, d + y, enzyme_const,
                                       (int)kRows);
             });
}

template <class T> static void run() {
  products<T>(0, kEntries, kEntries + kRows, kEntries + 2 * kRows, 0);
  products<T>(0, kEntries, kEntries + 9, kEntries + 9 + kRows, -1); // y over x
  products<T>(0, kEntries, kEntries - kRows, kEntries + kRows, -1); // y over the last entries, which are read after it
  products<T>(kRows / 2, 0, 20, kRows + kEntries, -1);              // y over x and over the first entries
  all_corners<T>(0, kRows, 2 * kRows, 0);
  all_corners<T>(0, 5, kRows + 5, -1);
  all_masked<T>(0, kRows, 2 * kRows);
  all_masked<T>(3, 0, kRows + 3);
  all_scattered<T>(0, kRows, 2 * kRows, -1);
  all_scattered<T>(0, 11, kRows + 11, -1);

  static double table[256];
  for (int k = 0; k < 256; ++k) table[k] = cos(0.01 * k);
  for (int n : {1, 2, 512})
    compare<T>("butterflies", n, 0, [&](auto* q) { return butterflies(q, table, n); },
               [&](T* p, T* d) {
                 __enzyme_autodiff<void>((void*)butterflies<T>, enzyme_dup, p, d, enzyme_const, (const double*)table,
                                         enzyme_const, n);
               });
}

int main() {
  check_heap_counters();
  make_indices();
  run<double>();
  run<float>();
  return finish();
}
