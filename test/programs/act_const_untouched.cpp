// const pointers: read ones have no shadow (even in read-only memory), written ones get their values and stop derivatives.
#include "support.hpp"
#include <sys/mman.h>

template <class T> static T f(const T* x, const T* table, T* log, int n) {
  T s = T(0);
  for (int i = 0; i < n; ++i) {
    T v = x[i] * table[i] + table[n - 1 - i];
    log[i] = v;                                          // for the caller's eyes only
    s += v * v * table[i] + x[i];
  }
  return s;
}

template <class T> static void run(int argc) {
  constexpr int n = 6;
  T x[n], dx[n] = {}, log[n] = {};
  double want[n];
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  T* table = (T*)page;
  fill(x, n, 440, -1, 1);
  fill(table, n, 441, -1, 1);
  mprotect(page, 4096, PROT_READ);                       // a write into it ends the program
  reference(want, x, n, [&](auto* p) {
    using S = std::remove_reference_t<decltype(*p)>;
    S t[n], l[n];
    for (int i = 0; i < n; ++i) t[i] = table[i];
    return f<S>(p, t, l, n);
  });
  if (argc == 1) {
    __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, (const T*)table, enzyme_const, (T*)log, enzyme_const, n);
    check_all("dx", dx, want, n);
    for (int i = 0; i < n; ++i) check("log", log[i], x[i] * table[i] + table[n - 1 - i], 1e-6);
  }
  munmap(page, 4096);
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
