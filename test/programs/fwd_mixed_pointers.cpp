// LANES: 0 1
// Pointers that have a shadow in some runs and none in others: chosen between dup, const and global memory.
#include "forward.hpp"

static double table[4] = {0.5, -1.5, 2, 0.25};

template <class T> static T choose(const T* x, const T* c, int n, int mode) {
  const T* p = mode & 1 ? x : c;
  const T* q = mode & 2 ? x + 1 : c + 1;
  T s = T(0);
  for (int i = 0; i + 1 < n; ++i) s = s * T(0.5) + p[i] * q[i] * x[i];
  return s;
}
template <class T> static T copied(const T* x, const T* c, int n, int mode) {
  T local[8];
  std::memcpy((void*)local, mode & 1 ? x : c, n * sizeof(T));
  const T* rows[2] = {x, c};
  T s = T(0);
  for (int i = 0; i < n; ++i) s += local[i] * local[i] + rows[(i + mode) & 1][i] * x[0];
  return s;
}
template <class T> static void written(const T* x, T* out, T* log, int n, int mode) {
  T scratch[8] = {};
  T* to = mode & 1 ? out : scratch;
  for (int i = 0; i < n; ++i) to[i] = x[i] * x[i];
  for (int i = 0; i < n; ++i) out[i] = out[i] * T(0.5) + scratch[i];
  (void)log;
}
static double looked_up(const double* x, int n, int mode) {
  const double* p = mode & 1 ? table : x;
  double s = 0;
  for (int i = 0; i < n; ++i) s += p[i & 3] * x[i];
  return s;
}

struct Node { double* data; int n; };
static double behind(const Node* a, const Node* b, const double* x, int mode) {
  const Node* p = mode ? a : b;
  double s = 0;
  for (int i = 0; i < p->n; ++i) s += p->data[i] * x[i];
  return s;
}

template <class T> static void run(int argc) {
  enum { N = 6 };
  T x[N], dx[N], c[N], out[N], dout[N];
  double value[N], want[N];
  fill(x, N, 101, -1, 1);
  fill(c, N, 103, -1, 1);
  direction(dx, N, 102);
  for (int mode = 0; mode < 4; ++mode) {
    auto with = [&](auto fn) {
      return tangent(x, dx, N, [&](auto* p) {
        using V = std::remove_reference_t<decltype(*p)>;
        V k[N];
        for (int i = 0; i < N; ++i) k[i] = V(c[i]);
        return fn((const V*)p, (const V*)k);
      });
    };
    auto w = with([&](auto* p, auto* k) { return choose(p, k, N, mode); });
    if (argc == 1)
      check("choose", __enzyme_fwddiff<T>((void*)choose<T>, enzyme_dup, (const T*)x, (const T*)dx, enzyme_const, (const T*)c, enzyme_const, (int)N, enzyme_const, mode), w.tangent, kTolerance<T>);
    w = with([&](auto* p, auto* k) { return copied(p, k, N, mode); });
    if (argc == 1)
      check("copied", __enzyme_fwddiff<T>((void*)copied<T>, enzyme_dup, (const T*)x, (const T*)dx, enzyme_const, (const T*)c, enzyme_const, (int)N, enzyme_const, mode), w.tangent, kTolerance<T>);
    tangents(value, want, N, x, dx, N, [&](auto* p, auto* o) { written(p, o, o, N, mode); });
    if (argc == 1) {
      for (int i = 0; i < N; ++i) out[i] = dout[i] = 0;
      __enzyme_fwddiff<void>((void*)written<T>, enzyme_dup, (const T*)x, (const T*)dx, enzyme_dup, (T*)out, (T*)dout, enzyme_const, (T*)nullptr, enzyme_const, (int)N, enzyme_const, mode);
      check_all("out", out, value, N);
      check_all("dout", dout, want, N);
    }
  }
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  double x[4] = {1, 2, 3, 4}, dx[4] = {1, 0.5, -1, 2};
  for (int mode = 0; mode < 2; ++mode) {
    double want = 0;
    for (int i = 0; i < 4; ++i) want += mode ? table[i] * dx[i] : 2 * x[i] * dx[i];
    if (argc == 1) check("global", __enzyme_fwddiff<double>((void*)looked_up, enzyme_dup, (const double*)x, (const double*)dx, enzyme_const, 4, enzyme_const, mode), want);
    check("table intact", table[1], -1.5, 0);
  }
  double d[4] = {0.5, -1, 2, 3}, dd[4] = {1, 2, -1, 0}, e[4] = {2, 1, 0.5, 4};
  Node a = {d, 4}, da = {dd, 4}, b = {e, 4};
  for (int mode = 0; mode < 2; ++mode) {
    double want = 0;
    for (int i = 0; i < 4; ++i) want += mode ? d[i] * dx[i] + dd[i] * x[i] : e[i] * dx[i];
    if (argc == 1) check("behind", __enzyme_fwddiff<double>((void*)behind, enzyme_dup, &a, &da, enzyme_const, &b, enzyme_dup, (const double*)x, (const double*)dx, enzyme_const, mode), want);
  }
  return finish();
}
