// NOLANES: derivatives of derivatives
// Derivatives used inside larger functions that are differentiated in turn: a Newton step, a gradient descent, an adjoint in
// place, derivatives with respect to the direction, values and gradients together, pointers without derivatives in records.
#include "nest.hpp"

template <class T> struct ValueAndGradient { T value, gradient; };

// A root by Newton's method, with the slope from reverse mode (plain scalars) or dual numbers (the reference).
template <class T> static T equation(T x, T a) { return x * x * x + a * x - T(2) + sin(a * x); }
static double slope(double x, double a) { return __enzyme_autodiff<double>((void*)equation<double>, enzyme_out, x, enzyme_const, a); }
template <class T> static T slope(T x, T a) { return equation(Nested<T>(x, T(1)), Nested<T>(a, T(0))).d; }
template <class T> static T newton(const T* x, int n) {
  T root = T(1), a = x[0] * x[n - 1];
  for (int k = 0; k < 4; ++k) root = root - equation(root, a) / slope(root, a);
  return root * x[1];
}

// A few steps of gradient descent on an energy; the steps make blocks on the heap, the gradient of the energy keeps values.
template <class T> static T energy(const T* u, const T* x, int n) {
  T e = T(0), s = T(1);
  for (int i = 0; i < n; ++i) {
    s = s * u[i] * T(0.5) + x[i];
    e += s * s * T(0.1);
  }
  return e;
}
static void slopes(const double* u, double* g, const double* x, int n) {
  __tapefree_autodiff<void>((void*)energy<double>, tapefree_dup, u, g, tapefree_const, x, tapefree_const, n);
}
template <class T> static void slopes(const T* u, T* g, const T* x, int n) {
  for (int i = 0; i < n; ++i) {
    Nested<T> p[kMost], q[kMost];
    for (int k = 0; k < n; ++k) {
      p[k] = Nested<T>(u[k], T(k == i));
      q[k] = Nested<T>(x[k], T(0));
    }
    g[i] = energy(p, q, n).d;
  }
}
template <class T> static T descent(const T* x, int n) {
  T* u = (T*)std::malloc(sizeof(T) * n);
  for (int i = 0; i < n; ++i) u[i] = x[i];
  for (int k = 0; k < 3; ++k) {
    T* g = (T*)std::malloc(sizeof(T) * n);
    for (int i = 0; i < n; ++i) g[i] = T(0);
    slopes((const T*)u, g, x, n);
    for (int i = 0; i < n; ++i) u[i] = u[i] - g[i] * T(0.5);
    std::free(g);
  }
  T e = energy((const T*)u, x, n);
  std::free(u);
  return e;
}

// The adjoint of a function that writes over its argument; the seed comes from the data and is consumed.
template <class T> static void step(T* u, int n) {
  for (int r = 0; r < 2; ++r)
    for (int i = 0; i < n; ++i) u[i] = sin(u[i]) + u[(i + 1) % n] * u[i];
}
static void adjoint(double* u, double* du, int n) {
  __enzyme_autodiff<void>((void*)step<double>, enzyme_dup, u, du, enzyme_const, n);
}
template <class T> static void adjoint(T* u, T* du, int n) {
  Nested<T> p[kMost];
  T sum[kMost];
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) p[k] = Nested<T>(u[k], T(k == i));
    step(p, n);
    sum[i] = T(0);
    for (int k = 0; k < n; ++k) sum[i] += du[k] * p[k].d;
  }
  for (int i = 0; i < n; ++i) {
    u[i] = p[i].v;
    du[i] = sum[i];
  }
}
template <class T> static T in_place(const T* x, int n) {
  T u[kMost], du[kMost], s = T(0);
  for (int i = 0; i < n; ++i) {
    u[i] = x[i];
    du[i] = cos(x[i]);
  }
  adjoint(u, du, n);
  for (int i = 0; i < n; ++i) s += u[i] * du[i] * T(i + 1);
  return s;
}

// A directional derivative whose direction depends on the data.
template <class T> static T product(const T* x, int n) {
  T s = T(1);
  for (int i = 0; i < n; ++i) s = s * x[i] + sin(s);
  return s;
}
static double along(const double* x, const double* v, int n) {
  return __tapefree_fwddiff<double>((void*)product<double>, tapefree_dup, x, v, tapefree_const, n);
}
template <class T> static T along(const T* x, const T* v, int n) {
  Nested<T> p[kMost];
  for (int i = 0; i < n; ++i) p[i] = Nested<T>(x[i], v[i]);
  return product(p, n).d;
}
template <class T> static T direction_from_data(const T* x, int n) {
  T v[kMost];
  for (int i = 0; i < n; ++i) v[i] = x[n - 1 - i] * x[i];
  return along(x, (const T*)v, n) * x[0];
}

// Value and gradient in one struct, and a recursion given tables without derivatives next to data with them.
template <class T> static T weighed(T x, const T* w, int n) { return n ? x * w[0] + weighed(x, w + 1, n - 1) * x * w[0] : x; }
static ValueAndGradient<double> both(double x, const double* w, int n) {
  return __enzyme_autodiff<ValueAndGradient<double>>((void*)weighed<double>, enzyme_primal_return, enzyme_out, x, enzyme_const, w, enzyme_const, n);
}
template <class T> static ValueAndGradient<T> both(T x, const T* w, int n) {
  Nested<T> q[kMost];
  for (int i = 0; i < n; ++i) q[i] = Nested<T>(w[i], T(0));
  Nested<T> r = weighed(Nested<T>(x, T(1)), (const Nested<T>*)q, n);
  return {r.v, r.d};
}
template <class T> static T tables(const T* x, int n) {
  T fixed[kMost];
  for (int i = 0; i < n; ++i) fixed[i] = T(0.25 * (i + 1));
  auto p = both(x[0] * x[1], (const T*)fixed, n); // nothing in the table depends on x
  auto q = both(x[2] * p.gradient, x, n);         // the table does
  return p.value * q.gradient + q.value * x[n - 1];
}

#define EACH(X) X(newton) X(descent) X(in_place) X(direction_from_data) X(tables)
EACH(NEST_DEFINE)

int main() {
  check_heap_counters();
  enum { N = 4 };
  double x[N], along[3 * N];
  fill(x, N, 431, 0.5, 1);
  direction(along, 3 * N, 432);
#define TEST(f)                                                                                                          \
  check_chain<double, &f##_of<double>, 'F'>(#f, x, along, N, [](auto* p, int n) { return f(p, n); });                    \
  check_chain<double, &f##_of<double>, 'R'>(#f, x, along, N, [](auto* p, int n) { return f(p, n); });                    \
  check_twice<double, &f##_of<double>>(#f, x, along, N, [](auto* p, int n) { return f(p, n); });
  EACH(TEST)
  return finish();
}
