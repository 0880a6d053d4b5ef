// FLAGS: -mllvm -tapefree-alias=c -mllvm -tapefree-strict
// LEVELS: O1 O3
// What restrict says of local variables, of members however they are reached, and of pointers to restrict pointers:
// nothing is kept (strict holds).
#include "../programs/support.hpp"
#define R __restrict__

enum { N = 7 };
int length = N; // known to the run only

template <class T> static T locals(T *x, T *y) {
  const int n = length;
  const T *R in = x;
  T *R out = y;
  for (int i = 0; i < n; ++i)
    out[i] = sin(in[i]) * in[i];
  T s = T(0);
  for (int i = 0; i < n; ++i)
    s += out[i] * out[i] * in[i];
  return s;
}

template <class T> struct Pair {
  T *R in;
  T *R out;
  int n;
  T run() const { // by this
    for (int i = 0; i < n; ++i)
      out[i] = sin(in[i]) * in[i];
    T s = T(0);
    for (int i = 0; i < n; ++i)
      s += out[i] * in[i];
    return s;
  }
};
template <class T> struct Outer { struct { Pair<T> pair; } nested; };
template <class T> struct Holder { const Outer<T> *const *far; };

template <class T> static T by_this(const Pair<T> *p) { return p->run(); }
template <class T> static T by_nesting(const Holder<T> *h) {
  const Pair<T> &p = (*h->far)->nested.pair;
  T s = T(0);
  for (int i = 0; i < p.n; ++i)
    p.out[i] = sin(p.in[i]) * p.in[i];
  for (int i = 0; i < p.n; ++i)
    s += p.out[i] * p.in[i];
  return s;
}
// Against a parameter that is not restrict-qualified, too.
template <class T> static T against_plain(const Pair<T> *p, const T *x) {
  T s = T(0);
  for (int i = 0; i < p->n; ++i)
    p->out[i] = sin(x[i]) * x[i];
  for (int i = 0; i < p->n; ++i)
    s += p->out[i] * x[i];
  return s;
}

template <class T> static T rows(T *R *r, int n) {
  T s = T(0);
  for (int i = 0; i < n; ++i)
    r[1][i] = sin(r[0][i]) * r[0][i];
  for (int i = 0; i < n; ++i)
    s += r[1][i] * r[0][i];
  return s;
}

// The buffers of layer k and k + 1 are different members of one array.
template <class T> struct Stack { T *R at[4]; int n; };
template <class T> static T stack(const Stack<T> *s) {
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < s->n; ++i)
      s->at[k + 1][i] = sin(s->at[k][i]) * s->at[k][i];
  T sum = T(0);
  for (int i = 0; i < s->n; ++i)
    sum += s->at[3][i];
  return sum;
}

template <class T> struct Level { T *R weights; T *R values; };
template <class T> struct Levels { Level<T> *R level; int count, n; };
// A number of layers that only the run knows: the weights are read-only, and other members.
template <class T> static T levels(const Levels<T> *l) {
  T s = T(0);
  for (int k = 0; k < l->count; ++k)
    for (int i = 0; i < l->n; ++i) {
      l->level[k].values[i] = sin(l->level[k].weights[i]);
      s += l->level[k].weights[i] * l->level[k].weights[i];
    }
  return s;
}

template <int Case, class T> struct World {
  T buffers[4 * N];
  Pair<T> pair;
  Outer<T> outer;
  const Outer<T> *far;
  Holder<T> holder;
  T *R rows[2];
  Stack<T> stack;
  Level<T> level[2];
  Levels<T> levels;
  World(const T *x, const T *y) {
    for (int i = 0; i < N; ++i) {
      buffers[i] = x[i];
      buffers[N + i] = y[i];
      buffers[2 * N + i] = buffers[3 * N + i] = T(0);
    }
    wire();
  }
  void wire() {
    T *b = buffers;
    pair = {b, b + N, N};
    outer.nested.pair = pair;
    far = &outer;
    holder = {&far};
    rows[0] = b;
    rows[1] = b + N;
    for (int k = 0; k < 4; ++k)
      stack.at[k] = b + k * N;
    stack.n = N;
    level[0] = {b, b + 2 * N};
    level[1] = {b + N, b + 3 * N};
    levels = {level, 2, N};
  }
  T value() {
    if constexpr (Case == 0) return ::locals(buffers, buffers + N);
    if constexpr (Case == 1) return by_this(&pair);
    if constexpr (Case == 2) return by_nesting(&holder);
    if constexpr (Case == 3) return against_plain(&pair, buffers);
    if constexpr (Case == 4) return ::rows(rows, N);
    if constexpr (Case == 5) return ::stack(&stack);
    if constexpr (Case == 6) return ::levels(&levels);
  }
  void gradient(World &d) {
    if constexpr (Case == 0)
      __tapefree_autodiff<void>((void *)::locals<T>, tapefree_dup, buffers, d.buffers, tapefree_dup, buffers + N, d.buffers + N);
    if constexpr (Case == 1) __tapefree_autodiff<void>((void *)by_this<T>, tapefree_dup, &pair, &d.pair);
    if constexpr (Case == 2) __tapefree_autodiff<void>((void *)by_nesting<T>, tapefree_dup, &holder, &d.holder);
    if constexpr (Case == 3)
      __tapefree_autodiff<void>((void *)against_plain<T>, tapefree_dup, &pair, &d.pair, tapefree_dup, (const T *)buffers,
                                d.buffers);
    if constexpr (Case == 4)
      __tapefree_autodiff<void>((void *)::rows<T>, tapefree_dup, (T **)rows, (T **)d.rows, tapefree_const, length);
    if constexpr (Case == 5) __tapefree_autodiff<void>((void *)::stack<T>, tapefree_dup, &stack, &d.stack);
    if constexpr (Case == 6) __tapefree_autodiff<void>((void *)::levels<T>, tapefree_dup, &levels, &d.levels);
  }
};

template <int Case> static void run() {
  double x[2 * N], want[2 * N], zero[N] = {};
  fill(x, 2 * N, 41, 0.2, 0.9);
  reference(want, x, 2 * N, [](auto *p) {
    World<Case, std::remove_reference_t<decltype(*p)>> w(p, p + N);
    return w.value();
  });
  World<Case, double> w(x, x + N), d(zero, zero);
  w.gradient(d);
  char name[20];
  std::snprintf(name, sizeof name, "case %d", Case);
  check_all(name, d.buffers, want, 2 * N);
}

int main() {
  run<0>();
  run<1>();
  run<2>();
  run<3>();
  run<4>();
  run<5>();
  run<6>();
  return finish();
}
