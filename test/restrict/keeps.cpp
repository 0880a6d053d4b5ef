// FLAGS: -mllvm -tapefree-alias=c
// LEVELS: O0 O2
// Programs in which restrict does not say that a value can be read again: the numbers are right all the same.
#include "../programs/support.hpp"
#define R __restrict__

enum { N = 6 };
int length = N, one = 0, other = 0; // known to the run only
template <class T> struct Bufs { T *R in; T *R out; };
template <class T> struct Plain { T *in; T *out; };

// Of a local variable's block only: behind it, others may write.
template <class T> static T behind_the_block(T *x, T *) {
  const int n = length;
  T s = T(0);
  {
    const T *R q = x;
    for (int i = 0; i < n; ++i)
      s += q[i] * q[i];
  }
  for (int i = 0; i < n; ++i)
    x[i] = s * T(0.1 * i);
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
  return s;
}

// A new block, and so a new scope, in each iteration.
template <class T> static T ping_pong(T *x, T *y) {
  const int n = length;
  T *b[2] = {x, y};
  for (int k = 0; k < 20; ++k) {
    const T *R in = b[k % 2];
    T *R out = b[(k + 1) % 2];
    for (int i = 0; i < n; ++i)
      out[i] = sin(in[i]) + T(0.3) * in[(i + 1) % n] * in[i];
  }
  return x[0] + x[3];
}

// A function's scope is one call of it.
template <class T> static void step(const Bufs<T> *b) {
  const int n = length;
  for (int i = 0; i < n; ++i)
    b->out[i] = sin(b->in[i]) + T(0.3) * b->in[(i + 1) % n] * b->in[i];
}
template <class T> static T one_call(T *x, T *y) {
  const int n = length;
  T *b[2] = {x, y};
  for (int k = 0; k < 20; ++k) {
    Bufs<T> now = {b[k % 2], b[(k + 1) % 2]};
    step(&now);
  }
  return x[0] + x[3];
}

// One member of one struct, reached in two ways.
template <class T> static T squares(const Bufs<T> *a, const Bufs<T> *b) {
  const int n = length;
  T s = T(0);
  for (int i = 0; i < n; ++i) {
    s += a->in[i] * a->in[i];
    b->in[i] = s;
  }
  return s;
}
template <class T> static void twice(const Bufs<T> *a, const Bufs<T> *b, T *s) { *s = squares(a, b); }

// One of several structs, or rows, and which one only the run knows.
template <class T> static void of_array(const Bufs<T> *all, int i, int j, T *s) {
  const int n = length;
  for (int k = 0; k < n; ++k) {
    *s += all[i].in[k] * all[i].in[k];
    all[j].in[k] = *s;
  }
}
template <class T> static void of_rows(T *R *rows, int i, int j, T *s) {
  const int n = length;
  for (int k = 0; k < n; ++k) {
    *s += rows[i][k] * rows[i][k];
    rows[j][k] = *s;
  }
}
// The same for each layer of a loop.
template <class T> static void of_layers(const Bufs<T> *all, int layers, T *s) {
  const int n = length;
  for (int l = 0; l + 1 < layers; ++l)
    for (int k = 0; k < n; ++k)
      *s += all[l].in[k] * (all[l + 1].in[k] = sin(all[l].in[k]));
}

// Pointers that are based on the member and do not look like it: copied with the struct, stored elsewhere, walking.
template <class T> static void copied(const Bufs<T> *b, T *s) {
  const int n = length;
  Plain<T> c;
  std::memcpy(&c, b, sizeof c);
  for (int k = 0; k < n; ++k) {
    *s += b->in[k] * b->in[k];
    c.in[k] = *s;
  }
}
template <class T> static void stored(const Bufs<T> *b, Plain<T> *where, T *s) {
  const int n = length;
  where[one].in = b->in;
  for (int k = 0; k < n; ++k) {
    *s += b->in[k] * b->in[k];
    where[other].in[k] = *s;
  }
}
template <class T> static void walking(Bufs<T> *b, T *s) {
  const int n = length;
  for (int k = 0; k < n; ++k) {
    *s += b->in[0] * b->in[0];
    b->in[0] = *s;
    b->in += 1;
  }
  b->in -= n;
}
template <class T> static T *either(const Bufs<T> *b, int which) { return which ? b->in : b->out; }
template <class T> static void chosen(const Bufs<T> *b, int which, T *s) {
  const int n = length;
  for (int k = 0; k < n; ++k) {
    *s += b->in[k] * b->out[k];
    either(b, which)[k] = *s;
  }
}
// A member that is a union's: both names are one object.
template <class T> union Two { Bufs<T> a; struct { T *R first; T *R second; } b; };
template <class T> static void of_union(Two<T> *u, T *s) {
  const int n = length;
  for (int k = 0; k < n; ++k) {
    *s += u->a.in[k] * u->a.in[k];
    u->b.first[k] = *s;
  }
}

template <class T> static T tail(const T *x, const T *y, T s) {
  for (int i = 0; i < N; ++i)
    s += x[i] * y[i];
  return s;
}
template <int Case, class T> static T members(const Bufs<T> *b, Plain<T> *p, Two<T> *u, T *s) {
  T *rows[2] = {b->in, b->out};
  switch (Case) {
  case 0: twice(b, b, s); break;
  case 1: of_array(b, one, other, s); break;
  case 2: of_rows(rows, one, other, s); break;
  case 3: of_layers(b, one + 2, s); break;
  case 4: copied(b, s); break;
  case 5: stored(b, p, s); break;
  case 6: walking(const_cast<Bufs<T> *>(b), s); break;
  case 7: chosen(b, one, s); break;
  case 8: chosen(b, one + 1, s); break;
  case 9: of_union(u, s); break;
  }
  return tail(p->in, p->out, *s);
}

template <class F> static void compare(const char *what, F f) {
  double x[2 * N], dx[2 * N] = {}, want[2 * N];
  fill(x, 2 * N, 31, 0.2, 0.9);
  reference(want, x, 2 * N, [&](auto *p) { return f(p, p + N, nullptr, nullptr); });
  f(x, x + N, dx, dx + N);
  check_all(what, dx, want, 2 * N);
}

template <auto fn, class T> static T call(T *x, T *y, double *dx, double *dy) {
  if constexpr (std::is_same_v<T, double>)
    if (dx) {
      __tapefree_autodiff<void>((void *)fn, tapefree_dup, x, dx, tapefree_dup, y, dy);
      return 0;
    }
  return fn(x, y);
}

template <int Case, class T> static T call_members(T *x, T *y, double *dx, double *dy) {
  Bufs<T> b[2] = {{x, y}, {y, x}};
  Plain<T> p = {x, y};
  Two<T> u = {{x, y}};
  T s = T(0);
  if constexpr (std::is_same_v<T, double>)
    if (dx) {
      Bufs<double> db[2] = {{dx, dy}, {dy, dx}};
      Plain<double> dp = {dx, dy};
      Two<double> du = {{dx, dy}};
      double ds = 0;
      __tapefree_autodiff<void>((void *)members<Case, double>, tapefree_dup, b, db, tapefree_dup, &p, &dp, tapefree_dup, &u,
                                &du, tapefree_dup, &s, &ds);
      return 0;
    }
  return members<Case>(b, &p, &u, &s);
}

#define CALL(fn) \
  compare(#fn, [](auto *x, auto *y, auto dx, auto dy) { \
    using T = std::remove_reference_t<decltype(*x)>; \
    return call<fn<T>>(x, y, (double *)dx, (double *)dy); \
  })
#define MEMBERS(number) \
  compare("members " #number, [](auto *x, auto *y, auto dx, auto dy) { \
    return call_members<number>(x, y, (double *)dx, (double *)dy); \
  })

int main() {
  CALL(behind_the_block);
  CALL(ping_pong);
  CALL(one_call);
  MEMBERS(0);
  MEMBERS(1);
  MEMBERS(2);
  MEMBERS(3);
  MEMBERS(4);
  MEMBERS(5);
  MEMBERS(6);
  MEMBERS(7);
  MEMBERS(8);
  MEMBERS(9);
  return finish();
}
