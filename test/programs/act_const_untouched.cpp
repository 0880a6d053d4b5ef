// const pointers have no shadow: one points to read-only memory, one holds integers that count.
#include "support.hpp"
#include <sys/mman.h>

template <class T> static T f(const T* x, const T* table, int* counts, int n) {
  T s = T(0);
  for (int i = 0; i < n; ++i) {
    T v = x[i] * table[i] + table[n - 1 - i];
    ++counts[i % 2];                                     // integers may be written
    s += v * v * table[i] + x[i];
  }
  return s;
}

template <class T> static void run(int argc) {
  constexpr int n = 6;
  T x[n], dx[n] = {};
  int counts[2] = {5, 7};
  double want[n];
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  T* table = (T*)page;
  fill(x, n, 440, -1, 1);
  fill(table, n, 441, -1, 1);
  mprotect(page, 4096, PROT_READ);                       // a write into it ends the program
  reference(want, x, n, [&](auto* p) {
    using S = std::remove_reference_t<decltype(*p)>;
    S t[n];
    int c[2];
    for (int i = 0; i < n; ++i) t[i] = table[i];
    c[0] = c[1] = 0;
    return f<S>(p, t, c, n);
  });
  if (argc == 1) {
    __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, (const T*)table, enzyme_const, (int*)counts, enzyme_const, n);
    check_all("dx", dx, want, n);
    check_true("counts", counts[0] == 8 && counts[1] == 10);
  }
  munmap(page, 4096);
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
