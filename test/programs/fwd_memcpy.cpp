// Bytes moved and set as a whole: memcpy, memmove and memset of floats and of structs, from shadowed and from const memory,
// of lengths that only the run knows.
#include "forward.hpp"

template <class T> struct Mixed {
  int id;
  T a;
  const T* p;
  T b;
};

template <class T> static void shuffle(const T* x, const T* table, T* out, int n) {
  T buffer[32];
  std::memcpy((void*)buffer, x, n * sizeof(T));
  std::memcpy((void*)(buffer + n), table, n * sizeof(T)); // no derivative arrives here
  std::memmove((void*)(buffer + 1), buffer, 2 * (n - 1) * sizeof(T));
  for (int i = 0; i < n; ++i) out[i] = buffer[i] * buffer[i + n / 2] * T(i + 1);
  std::memset((void*)(out + n / 2), 0, 2 * sizeof(T));
  std::memmove((void*)out, out + 1, (n - 1) * sizeof(T));
}
template <class T> static T structs(const Mixed<T>* in, const Mixed<T>* constant, int n) {
  Mixed<T> m[6];
  std::memset((void*)m, 0, sizeof m);
  std::memcpy((void*)m, in, n * sizeof(Mixed<T>));
  T s = T(0);
  for (int i = 0; i < 6; ++i) s += m[i].a * m[i].b * T(m[i].id + 1) + (m[i].p ? m[i].p[0] : T(0));
  std::memcpy((void*)(m + 1), constant, 3 * sizeof(Mixed<T>));
  for (int i = 0; i < 6; ++i) s = s * (m[i].a + m[i].b) + m[0].a + (m[i].p ? m[i].p[1] : T(0));
  return s;
}
template <class T> static T refilled(const T* x, int n) {
  T scratch[8], s = T(0);
  for (int r = 0; r < 3; ++r) {
    std::memset((void*)scratch, 0, sizeof scratch);
    for (int i = r; i < n; i += 2) scratch[i] = x[i] * x[i];
    for (int i = 0; i < 8; ++i) s += scratch[i] * T(r + 1) + s * scratch[i];
  }
  return s;
}

template <class T> struct Tagged {
  int id;
  T a;
};
template <class T> static T heap_structs(const T* x, int n) {
  Tagged<T>* m = (Tagged<T>*)std::malloc(n * sizeof(Tagged<T>));
  T s = T(0);
  for (int i = 0; i < n; ++i) m[i].id = i, m[i].a = x[i] * x[i];
  for (int i = 0; i < n; ++i) s += m[i].a * T(m[i].id + 1);
  std::memset((void*)m, 0, n * sizeof(Tagged<T>));
  for (int i = 0; i < n; ++i) m[i].a += x[i] * s;
  for (int i = 0; i < n; ++i) s = s * T(0.5) + m[i].a * m[i].a;
  std::free(m);
  return s;
}

template <class T> static void run(int argc) {
  enum { N = 8 };
  T x[N], dx[N], table[N];
  double value[N], want[N];
  fill(x, N, 41, -1, 1);
  fill(table, N, 43, -1, 1);
  direction(dx, N, 42);
  tangents(value, want, N, x, dx, N, [&](auto* p, auto* out) {
    using V = std::remove_reference_t<decltype(*p)>;
    V t[N];
    for (int i = 0; i < N; ++i) t[i] = V(table[i]);
    shuffle(p, (const V*)t, out, N);
  });
  if (argc == 1) {
    T out[N], dout[N];
    fill(dout, N, 5, -1, 1);
    __enzyme_fwddiff<void>((void*)shuffle<T>, enzyme_dup, (const T*)x, (const T*)dx, enzyme_const, (const T*)table, enzyme_dup, (T*)out, (T*)dout, enzyme_const, (int)N);
    check_all("out", out, value, N);
    check_all("dout", dout, want, N);
  }
  for (int n = 1; n <= 3; ++n) {
    auto build = [&](auto* p, auto* m, auto* c) {
      using V = std::remove_reference_t<decltype(*p)>;
      for (int i = 0; i < 3; ++i) {
        m[i] = {i, p[i], p + i, p[i + 1]};
        c[i] = {i, V(table[i]), nullptr, V(table[i + 3])};
      }
    };
    auto w = tangent(x, dx, N, [&](auto* p) {
      using V = std::remove_reference_t<decltype(*p)>;
      Mixed<V> m[3], c[3];
      build(p, m, c);
      return structs((const Mixed<V>*)m, (const Mixed<V>*)c, n);
    });
    if (argc == 1) {
      Mixed<T> m[3], c[3], dm[3];
      build(x, m, c);
      build(dx, dm, c);
      for (int i = 0; i < 3; ++i) c[i] = {i, table[i], nullptr, table[i + 3]};
      check("structs", __enzyme_fwddiff<T>((void*)structs<T>, enzyme_dup, (const Mixed<T>*)m, (const Mixed<T>*)dm, enzyme_const, (const Mixed<T>*)c, enzyme_const, n),
            w.tangent, kTolerance<T>);
    }
  }
  auto w = tangent(x, dx, N, [](auto* p) { return refilled(p, N); });
  if (argc == 1) check("refilled", __enzyme_fwddiff<T>((void*)refilled<T>, (const T*)x, (const T*)dx, (int)N), w.tangent, kTolerance<T>);
  w = tangent(x, dx, N, [](auto* p) { return heap_structs(p, N); });
  if (argc == 1) check("heap structs", __enzyme_fwddiff<T>((void*)heap_structs<T>, (const T*)x, (const T*)dx, (int)N), w.tangent, kTolerance<T>);
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
