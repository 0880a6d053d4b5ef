// Programs with one cause of keeping each: what iterations hand on, ways through conditions, loops and calls. Compiled as
// they are, the report names cause, bytes and edit of each; with the edits made, nothing is kept.
// REQUIRES: program
// RUN: %clangxx -O1 -g -mllvm -tapefree-alias=c -fsave-optimization-record -foptimization-record-passes=tapefree -foptimization-record-file=%t.yaml -c %s -o /dev/null
// RUN: %tapefree report %t.yaml | FileCheck %s
// RUN: %clangxx -O1 -g -mllvm -tapefree-alias=c -fsave-optimization-record -foptimization-record-passes=tapefree -foptimization-record-file=%t.fixed.yaml -DFIXED -c %s -o /dev/null
// RUN: %tapefree report %t.fixed.yaml | FileCheck %s --check-prefix=FIXED --implicit-check-not=because
#include "../Remarks/Inputs/autodiff.h"
#include <cmath>
#define RESTRICT __restrict__
extern "C" int choose(int n);
extern "C" void tick(int i);

// FIXED: 14 gradients, 14 without a kept value; 0 values kept

// 1. A number that each iteration makes from the one before.
#ifdef FIXED
double carried(const double *RESTRICT x, double *RESTRICT s, int n) { // the caller sets s[0] = 1
  for (int i = 0; i < n; ++i)
    s[i + 1] = std::sin(s[i] * x[i]);
  return s[n];
}
#else
double carried(const double *RESTRICT x, double *, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i)
    s = std::sin(s * x[i]);
  return s;
}
#endif
// CHECK-LABEL: gradient of 'carried'
// CHECK: 's': 8·n bytes, in one heap block
// CHECK: because each iteration computes it at line [[#@LINE-6]] from the one before, which is then gone
// CHECK: edit give it an array: read 's[i]' and write 's[i + 1]' (a __restrict__ parameter whose first element the caller sets)

// 2. A product over a nest.
#ifdef FIXED
double product(const double *RESTRICT x, double *RESTRICT p, int n, int m) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      p[i * m + j + 1] = p[i * m + j] * x[j];
  return p[n * m];
}
#else
double product(const double *RESTRICT x, double *, int n, int m) {
  double p = 1;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      p = p * x[j];
  return p;
}
#endif
// CHECK-LABEL: gradient of 'product'
// CHECK: 'p': 8·n·m bytes, in one heap block
// CHECK: because each iteration computes it at line [[#@LINE-6]] from the one before, which is then gone
// CHECK: edit give it an array: read 'p[i]' and write 'p[i + 1]'

// 3. An integer without a pattern.
#ifdef FIXED
double generator(const double *RESTRICT x, unsigned *RESTRICT k, int n) {
  for (int i = 0; i < n; ++i)
    k[i + 1] = k[i] * 1664525u ^ 1013904223u;
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[k[i] >> 24] * x[i];
  return s;
}
#else
double generator(const double *RESTRICT x, unsigned *, int n) {
  double s = 0;
  unsigned k = 1;
  for (int i = 0; i < n; ++i) {
    s += x[k >> 24] * x[i];
    k = k * 1664525u ^ 1013904223u;
  }
  return s;
}
#endif
// CHECK-LABEL: gradient of 'generator'
// CHECK: because {{.*}}each iteration computes it at line [[#@LINE-6]] from the one before, which is then gone
// CHECK: edit give it an array: read '{{[a-z]+}}[i]' and write '{{[a-z]+}}[i + 1]'

// 4. What an inner loop arrives at.
double result(const double *RESTRICT a, [[maybe_unused]] double *RESTRICT r, int n, int m) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double t = 0;
    for (int j = 0; j < m; ++j)
      t += a[i * m + j];
#ifdef FIXED
    r[i] = t;
  }
  for (int i = 0; i < n; ++i)
    s += r[i] * r[i];
#else
    s += t * t;
  }
#endif
  return s;
}
// CHECK-LABEL: gradient of 'result'
// CHECK: 't': 8·n bytes, in one heap block
// CHECK: because it is what the loop at line [[#@LINE-15]] arrived at, and only running that loop again would give it again
// CHECK: edit write it to an array, 't[i]' (a __restrict__ parameter), and read that in a loop of its own behind this one

// 5. The same, which a function is taken of.
double norms(const double *RESTRICT a, [[maybe_unused]] double *RESTRICT r, int n, int m) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double square = 0;
    for (int j = 0; j < m; ++j)
      square += a[i * m + j] * a[i * m + j];
#ifdef FIXED
    r[i] = square;
  }
  for (int i = 0; i < n; ++i)
    s += std::sin(r[i]);
#else
    s += std::sin(square);
  }
#endif
  return s;
}
// CHECK-LABEL: gradient of 'norms'
// CHECK: 'square': 8·n bytes, in one heap block
// CHECK: because it is what the loop at line [[#@LINE-15]] arrived at
// CHECK: edit write it to an array, 'square[i]'

#ifdef FIXED
#define AND &
#define OR |
#else
#define AND &&
#define OR ||
#endif
// 6. A value that depends on the way taken.
double branches(const double *RESTRICT a, const double *RESTRICT b, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double t = 1;
    if ((a[i] > 0) AND (b[i] > 0))
      t = a[i] * b[i];
    else if (b[i] < -1)
      t = b[i];
    s += t * t;
  }
  return s;
}
// CHECK-LABEL: gradient of 'branches'
// CHECK: 't': 8·n bytes, in one heap block
// CHECK: because its value depends on the way taken through the conditions at line [[#@LINE-10]], and no single condition tells which one that was
// CHECK: edit write the conditions with & and | instead of && and ||

// 7. The way itself.
double path(const double *RESTRICT a, const double *RESTRICT b, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    if ((a[i] > 0) AND (b[i] > 0))
      s += a[i] * a[i];
    else if (b[i] < -1)
      s -= b[i];
  }
  return s;
}
// CHECK-LABEL: gradient of 'path'
// CHECK: the way taken through the branches: n bytes, in one heap block
// CHECK: because several ways through the conditions at line [[#@LINE-9]] meet, and no single condition tells which one was taken
// CHECK: edit write the conditions with & and | instead of && and ||

// 8. The way through an "or".
double either(const double *RESTRICT a, const double *RESTRICT b, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    if ((a[i] > 1) OR (b[i] > 1))
      s += a[i] * b[i];
    else if (a[i] < 0)
      s += std::sin(b[i]);
  }
  return s;
}
// CHECK-LABEL: gradient of 'either'
// CHECK: the way taken through the branches: n bytes, in one heap block
// CHECK: because several ways through the conditions at line [[#@LINE-9]] meet
// CHECK: edit write the conditions with & and | instead of && and ||

// 9. An inner loop whose end only its run finds.
double trips(const double *RESTRICT x, const int *RESTRICT stop, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
#ifdef FIXED
    int m = stop[i];
    for (int j = 0; j < m; ++j)
#else
    for (int j = 0; stop[j] != i; ++j)
#endif
      s += x[j] * x[i];
  }
  return s;
}
// CHECK-LABEL: gradient of 'trips'
// CHECK: the number of iterations of the loop: 8·n bytes, in one heap block
// CHECK: because only the run of the loop at line [[#@LINE-8]] tells how often it runs
// CHECK: edit make it a for loop up to a number that is known before it (counted earlier, and handed in)

// 10. A loop that is left from inside.
double left(const double *RESTRICT x, [[maybe_unused]] const int *RESTRICT length, int n, int m) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
#ifdef FIXED
    for (int j = 0; j < length[i]; ++j)
      s += x[j] * x[i];
#else
    for (int j = 0; j < m; ++j) {
      if (x[j] > x[i])
        break;
      s += x[j] * x[i];
    }
#endif
  }
  return s;
}
// CHECK-LABEL: gradient of 'left'
// CHECK: the number of iterations of the loop: 8·n bytes, in one heap block
// CHECK: because only the run of the loop at line [[#@LINE-11]] tells how often it runs
// CHECK: edit make it a for loop up to a number that is known before it

// 11. A loop that goes on until it is near enough: kept bytes for each iteration.
#ifdef FIXED
double newton(double x, double *RESTRICT y, int n) { // the caller sets y[0] = x
  for (int i = 0; i < n; ++i)
    y[i + 1] = (y[i] + x / y[i]) / 2;
  return y[n];
}
#else
double newton(double x, double *, int) {
  double y = x;
  while (y * y > x + 1e-9)
    y = (y + x / y) / 2;
  return y;
}
#endif
// CHECK-LABEL: gradient of 'newton'
// CHECK: keeps 1 value (how many bytes, only the run tells)
// CHECK: 'y': 8 bytes for each iteration of the loop at line [[#@LINE-7]], in a heap block that grows
// CHECK: because each iteration computes it at line [[#@LINE-7]] from the one before
// CHECK: edit give it an array: read 'y[i]' and write 'y[i + 1]'

// 12. The result of a call.
double call(const double *RESTRICT a, [[maybe_unused]] const int *RESTRICT chosen, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
#ifdef FIXED
    int k = chosen[i];
#else
    int k = choose(n);
#endif
    s += k * a[i];
  }
  return s;
}
// CHECK-LABEL: gradient of 'call'
// CHECK: 'k': 4·n bytes, in one heap block
// CHECK: because {{.*}}calling 'choose' at line [[#@LINE-8]] a second time could give something else
// CHECK: edit make the calls of 'choose' in a loop of their own before this one, and hand in an array of what they return

// 13. A call that may write.
double ticks(const double *a, int n) {
  double s = 0;
#ifdef FIXED
  for (int i = 0; i < n; ++i)
    tick(i);
#endif
  for (int i = 0; i < n; ++i) {
    s += a[i] * a[i];
#ifndef FIXED
    tick(i);
#endif
  }
  return s;
}
// CHECK-LABEL: gradient of 'ticks'
// CHECK: 'a[i]': 8·n bytes, in one heap block
// CHECK: because the call of 'tick' at line [[#@LINE-7]] may write 'a[i]'
// CHECK: edit make the calls of 'tick' in a loop of their own before this one

// 14. Recursion.
#ifdef FIXED
double recursion(const double *x, int k) {
  double s = 0;
  for (int i = 1; i <= k; ++i)
    s += x[i] * x[i];
  return s;
}
#else
double recursion(const double *x, int k) {
  return k ? x[k] * x[k] + recursion(x, k - 1) : 0;
}
#endif
// CHECK-LABEL: gradient of 'recursion'
// CHECK: the record of the call of 'recursion': as many bytes as that call keeps, in a heap block of its own
// CHECK: because 'recursion' calls itself or is too large to be taken apart here: each call at line [[#@LINE-5]] leaves a record
// CHECK: edit write 'recursion' as a loop over arrays, with no recursion
// CHECK: a part of the gradient of 'recursion', reached by the call at {{.*}}flow.cpp:[[#@LINE-7]]

#define D tapefree_dup
#define C tapefree_const
void gradients(double *x, double *dx, double *y, double *dy, double *z, double *dz, double v, int *p, unsigned *u, int n,
               int m) {
  __tapefree_autodiff((void *)carried, D, x, dx, D, z, dz, C, n);
  __tapefree_autodiff((void *)product, D, x, dx, D, z, dz, C, n, C, m);
  __tapefree_autodiff((void *)generator, D, x, dx, C, u, C, n);
  __tapefree_autodiff((void *)result, D, x, dx, D, z, dz, C, n, C, m);
  __tapefree_autodiff((void *)norms, D, x, dx, D, z, dz, C, n, C, m);
  __tapefree_autodiff((void *)branches, D, x, dx, D, y, dy, C, n);
  __tapefree_autodiff((void *)path, D, x, dx, D, y, dy, C, n);
  __tapefree_autodiff((void *)either, D, x, dx, D, y, dy, C, n);
  __tapefree_autodiff((void *)trips, D, x, dx, C, p, C, n);
  __tapefree_autodiff((void *)left, D, x, dx, C, p, C, n, C, m);
  __tapefree_autodiff((void *)newton, tapefree_out, v, D, z, dz, C, n);
  __tapefree_autodiff((void *)call, D, x, dx, C, p, C, n);
  __tapefree_autodiff((void *)ticks, D, x, dx, C, n);
  __tapefree_autodiff((void *)recursion, D, x, dx, C, n);
}
