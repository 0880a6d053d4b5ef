// Expression templates: sums, products and functions of vectors are evaluated in one loop, element by element.
#include "compare.hpp"

template <class E> struct Expr {
  const E &self() const { return static_cast<const E &>(*this); }
};
template <class L, class R, class Op> struct Binary : Expr<Binary<L, R, Op>> {
  const L l;
  const R r;
  Binary(const L &a, const R &b) : l(a), r(b) {}
  auto operator[](int i) const { return Op::of(l[i], r[i]); }
};
template <class E> struct Sine : Expr<Sine<E>> {
  const E e;
  explicit Sine(const E &a) : e(a) {}
  auto operator[](int i) const { return sin(e[i]); }
};
struct Add { template <class T> static T of(T a, T b) { return a + b; } };
struct Mul { template <class T> static T of(T a, T b) { return a * b; } };
template <class T> struct View : Expr<View<T>> {
  T *p;
  explicit View(T *at) : p(at) {}
  T &operator[](int i) const { return p[i]; }
};
template <class A, class B> static auto operator+(const Expr<A> &a, const Expr<B> &b) { return Binary<A, B, Add>(a.self(), b.self()); }
template <class A, class B> static auto operator*(const Expr<A> &a, const Expr<B> &b) { return Binary<A, B, Mul>(a.self(), b.self()); }
template <class E> static auto sine(const Expr<E> &e) { return Sine<E>(e.self()); }

template <class T> static T f(const T *x, int n) {
  T local[8], s = 0;
  View<const T> v(x);
  View<T> w(local);
  auto e = v * v + sine(v * v * v);
  for (int i = 0; i < n; ++i)
    w[i] = e[i];
  auto g = w * v + w;
  for (int i = 0; i < n; ++i)
    s += g[i] * g[n - 1 - i];
  return s;
}

int main() {
  compare_at<f<float>, f<double>>("expressions", 6, -1, 1);
  return finish();
}
