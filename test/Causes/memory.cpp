// Programs with one cause of keeping each: memory that is overwritten, or may be. Compiled as they are, the report names
// cause, bytes and edit of each; with the edits made, nothing is kept.
// REQUIRES: program
// RUN: %clangxx -O1 -g -mllvm -tapefree-alias=c -fsave-optimization-record -foptimization-record-passes=tapefree -foptimization-record-file=%t.yaml -c %s -o /dev/null
// RUN: %tapefree report %t.yaml | FileCheck %s
// RUN: %clangxx -O1 -g -mllvm -tapefree-alias=c -fsave-optimization-record -foptimization-record-passes=tapefree -foptimization-record-file=%t.fixed.yaml -DFIXED -c %s -o /dev/null
// RUN: %tapefree report %t.fixed.yaml | FileCheck %s --check-prefix=FIXED --implicit-check-not=because
#include "../Remarks/Inputs/autodiff.h"
#include <cstdlib>
#include <cstring>
#ifdef FIXED
#define RESTRICT __restrict__
#else
#define RESTRICT
#endif

// FIXED: 16 gradients, 16 without a kept value; 0 values kept

// 1. Two parameters.
void parameters(const double *RESTRICT x, double *RESTRICT z, int n) {
  for (int i = 0; i < n; ++i)
    z[i] = x[i] * x[i];
}
// CHECK-LABEL: gradient of 'parameters'
// CHECK: keeps 1 value (8·n bytes)
// CHECK: 'x[i]': 8·n bytes, in one heap block
// CHECK: because the store to 'z[i]' at line [[#@LINE-5]] may overwrite 'x[i]': nothing says that 'x' and 'z' do not overlap
// CHECK: edit make 'x' and 'z' __restrict__ parameters of one function that holds both accesses

// 2. Two members of a struct.
struct Net {
  double *x, *z;
  int n;
};
#ifdef FIXED
static void layer(const double *__restrict__ x, double *__restrict__ z, int n) {
  for (int i = 0; i < n; ++i)
    z[i] = x[i] * x[i];
}
void members(const Net *w) { layer(w->x, w->z, w->n); }
#else
void members(const Net *w) {
  for (int i = 0; i < w->n; ++i)
    w->z[i] = w->x[i] * w->x[i];
}
#endif
// CHECK-LABEL: gradient of 'members'
// CHECK: 'w->x[i]': 8·w->n bytes, in one heap block
// CHECK: because the store to 'w->z[i]' at line [[#@LINE-5]] may overwrite 'w->x[i]': nothing says that 'w->x' and 'w->z' do not overlap
// CHECK: edit make 'w->x' and 'w->z' __restrict__ parameters of one function that holds both accesses

// 3. The same in a callee, which is named with the call that leads there.
static inline void square(const float *RESTRICT x, float *RESTRICT z, int n) {
  for (int i = 0; i < n; ++i)
    z[i] = x[i] * x[i];
}
void in_callee(const float *x, float *z, int n) {
  square(x, z, n);
}
// CHECK-LABEL: gradient of 'in_callee'
// CHECK: 'x[i]': 4·n bytes, in one heap block
// CHECK: in 'square', which 'in_callee' calls at {{.*}}memory.cpp:[[#@LINE-4]]:3
// CHECK: because the store to 'z[i]' at line [[#@LINE-8]] may overwrite 'x[i]'
// CHECK: edit make 'x' and 'z' __restrict__ parameters of one function

// 4. A copy of a whole array.
double copies(const double *RESTRICT x, double *RESTRICT z, const double *__restrict__ y, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += x[i] * x[i];
    std::memcpy(z, y, 80);
    s += z[0];
  }
  return s;
}
// CHECK-LABEL: gradient of 'copies'
// CHECK: 'x[i]': 8·n bytes, in one heap block
// CHECK: because the copy to {{.*}} at line [[#@LINE-7]] may overwrite 'x[i]'
// CHECK: edit make 'x' and 'z' __restrict__ parameters of one function

// 5. A fill of a whole array.
double fills(const double *RESTRICT x, double *RESTRICT z, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += x[i] * x[i];
    std::memset(z, 0, 80);
  }
  return s;
}
// CHECK-LABEL: gradient of 'fills'
// CHECK: 'x[i]': 8·n bytes, in one heap block
// CHECK: because the fill of {{.*}} at line [[#@LINE-6]] may overwrite 'x[i]'
// CHECK: edit make 'x' and 'z' __restrict__ parameters of one function

// 6. An index, in memory of integers.
double indices(const double *__restrict__ x, const int *RESTRICT index, int *RESTRICT count, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += x[index[i]] * x[i];
    count[i] = i;
  }
  return s;
}
// CHECK-LABEL: gradient of 'indices'
// CHECK: 'index[i]': 4·n bytes, in one heap block
// CHECK: because the store to 'count[i]' at line [[#@LINE-6]] may overwrite 'index[i]'
// CHECK: edit make 'index' and 'count' __restrict__ parameters of one function

// 7. In place.
#ifdef FIXED
void in_place(const double *__restrict__ u, double *__restrict__ v, int n) {
  for (int i = 0; i < n; ++i)
    v[i] = u[i] * u[i];
}
#else
void in_place(double *u, double *, int n) {
  for (int i = 0; i < n; ++i)
    u[i] = u[i] * u[i];
}
#endif
// CHECK-LABEL: gradient of 'in_place'
// CHECK: 'u[i]': 8·n bytes, in one heap block
// CHECK: because the store to 'u[i]' at line [[#@LINE-5]] overwrites 'u[i]'
// CHECK: edit write the new values to a second buffer instead of over 'u', both of them __restrict__ parameters

// 8. In place, time after time: the buffer gets a row for each.
#ifdef FIXED
void steps(const double *__restrict__ u, double *__restrict__ v, int n, int m) {
  for (int t = 0; t < m; ++t)
    for (int i = 0; i < n; ++i)
      v[t * n + i] = u[t * n + i] * u[t * n + i];
}
#else
void steps(double *u, double *, int n, int m) {
  for (int t = 0; t < m; ++t)
    for (int i = 0; i < n; ++i)
      u[i] = u[i] * u[i];
}
#endif
// CHECK-LABEL: gradient of 'steps'
// CHECK: 'u[i]': 8·m·n bytes, in one heap block
// CHECK: because the store to 'u[i]' at line [[#@LINE-5]] overwrites 'u[i]'
// CHECK: edit write the new values to a second buffer instead of over 'u'

// 9. A triangle of a matrix in place.
#ifdef FIXED
#define INTO v
#else
#define INTO u
#endif
void triangle(double *__restrict__ u, [[maybe_unused]] double *__restrict__ v, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j)
      INTO[i * n + j] = u[i * n + j] * u[i * n + j];
}
// CHECK-LABEL: gradient of 'triangle'
// CHECK: 'u[i*n + j]': 4·n·n - 4·n bytes, in one heap block
// CHECK: because the store to 'u[i*n + j]' at line [[#@LINE-4]] overwrites 'u[i*n + j]'
// CHECK: edit write the new values to a second buffer instead of over 'u'

// 10. A scalar behind a pointer.
void scalar([[maybe_unused]] double *__restrict__ u, [[maybe_unused]] double *__restrict__ v, const double *__restrict__ x, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
#ifdef FIXED
      v[i * n + j] = u[i * n + j] * x[j];
#else
      u[j] = u[j] * x[j];
#endif
}
// CHECK-LABEL: gradient of 'scalar'
// CHECK: 'u[j]': 8·n·n bytes, in one heap block
// CHECK: because the store to 'u[j]' at line [[#@LINE-5]] overwrites 'u[j]'
// CHECK: edit write the new values to a second buffer instead of over 'u'

// 11. Over elements that are read later, through the same pointer.
void permute(double *__restrict__ u, [[maybe_unused]] double *__restrict__ v, const int *__restrict__ p, int n) {
  for (int i = 0; i < n; ++i)
    INTO[p[i]] = u[i] * u[i];
}
// CHECK-LABEL: gradient of 'permute'
// CHECK: 'u[i]': 8·n bytes, in one heap block
// CHECK: because the store to 'u[p[i]]' at line [[#@LINE-4]] may overwrite 'u[i]' in this iteration or a later one
// CHECK: edit write the new values to a second buffer with a __restrict__ parameter of its own, not to 'u'

// 12. The outcome of a condition.
double condition(double *__restrict__ u, const double *__restrict__ y, [[maybe_unused]] double *__restrict__ v, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    if (u[i] > 0)
      s += y[i] * y[i];
    INTO[i] = 2 * y[i];
  }
  return s;
}
// CHECK-LABEL: gradient of 'condition'
// CHECK: the outcome of the condition: n bytes, in one heap block
// CHECK: because it is computed from 'u[i]', and the store to 'u[i]' at line [[#@LINE-6]] overwrites 'u[i]'
// CHECK: edit write the new values to a second buffer instead of over 'u'

// 13. A local array that each iteration fills again.
#ifdef FIXED
#define T(i, j) t[40 * (i) + (j)]
#else
#define T(i, j) local[j]
#endif
double scratch(const double *__restrict__ a, [[maybe_unused]] double *__restrict__ t, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    [[maybe_unused]] double local[40];
    for (int j = 0; j < 40; ++j)
      T(i, j) = a[i] * a[j];
    T(i, 0) += a[i];
    for (int j = 0; j < 40; ++j)
      s += T(i, j) * T(i, j);
  }
  return s;
}
// CHECK-LABEL: gradient of 'scratch'
// CHECK: 'local[j]': 320·n bytes, in one heap block
// CHECK: because the store to 'local[j]' at line [[#@LINE-9]] fills 'local' again in this iteration or a later one
// CHECK: edit give each iteration its own part of a larger array, handed in as a __restrict__ parameter, instead of 'local'

// 14. Memory that grows.
double grown(const double *__restrict__ x, int n) {
  double s = 0;
#ifdef FIXED
  double *all = (double *)std::malloc(sizeof(double) * n);
#else
  double *all = nullptr;
#endif
  for (int i = 0; i < n; ++i) {
#ifndef FIXED
    all = (double *)std::realloc(all, sizeof(double) * (i + 1));
#endif
    all[i] = x[i] * x[i];
    s += all[i] * all[i];
  }
  std::free(all);
  return s;
}
// CHECK-LABEL: gradient of 'grown'
// CHECK: 'all': 8·n bytes, in one heap block
// CHECK: because the memory is allocated again at line [[#@LINE-10]] in each iteration, and then lies elsewhere
// CHECK: edit make the memory as large as it will ever be before the loop, and release it behind the loop

// 15. Volatile memory.
double hardware(volatile const double *v, [[maybe_unused]] double *__restrict__ x, int n) {
  double s = 0;
#ifdef FIXED
  for (int i = 0; i < n; ++i)
    x[i] = v[i];
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
#else
  for (int i = 0; i < n; ++i) {
    double y = v[i];
    s += y * y;
  }
#endif
  return s;
}
// CHECK-LABEL: gradient of 'hardware'
// CHECK: 'y': 8·n bytes, in one heap block
// CHECK: because 'v[i]' is volatile or atomic, or another thread may write it: a second read could give something else
// CHECK: edit copy it to an ordinary array in a loop of its own before this one, and read that

// 16. Memory that each iteration allocates.
#ifdef FIXED
double allocation(const double *__restrict__ a, double *__restrict__ all, int n) {
#else
double allocation(const double *__restrict__ a, double *, int n) {
#endif
  double s = 0;
  for (int i = 0; i < n; ++i) {
#ifdef FIXED
    double *t = all + 4 * i;
#else
    double *t = (double *)std::malloc(32);
#endif
    for (int j = 0; j < 4; ++j)
      t[j] = a[i] * a[j];
    for (int j = 0; j < 4; ++j)
      s += t[j] * t[j];
#ifndef FIXED
    std::free(t);
#endif
  }
  return s;
}
// CHECK-LABEL: gradient of 'allocation'
// CHECK: 't': 8·n bytes, in one heap block
// CHECK: because the memory allocated at line [[#@LINE-14]] is another one in each iteration
// CHECK: edit allocate once before the loop and hand it in as a __restrict__ parameter, with a part for each iteration

#define D tapefree_dup
#define C tapefree_const
void gradients(double *x, double *dx, double *y, double *dy, double *z, double *dz, float *f, float *df, float *g, float *dg,
               Net *w, Net *dw, int *p, int *q, int n, int m) {
  __tapefree_autodiff((void *)parameters, D, x, dx, D, z, dz, C, n);
  __tapefree_autodiff((void *)members, D, w, dw);
  __tapefree_autodiff((void *)in_callee, D, f, df, D, g, dg, C, n);
  __tapefree_autodiff((void *)copies, D, x, dx, D, z, dz, D, y, dy, C, n);
  __tapefree_autodiff((void *)fills, D, x, dx, D, z, dz, C, n);
  __tapefree_autodiff((void *)indices, D, x, dx, C, p, C, q, C, n);
  __tapefree_autodiff((void *)in_place, D, x, dx, D, z, dz, C, n);
  __tapefree_autodiff((void *)steps, D, x, dx, D, z, dz, C, n, C, m);
  __tapefree_autodiff((void *)triangle, D, x, dx, D, z, dz, C, n);
  __tapefree_autodiff((void *)scalar, D, x, dx, D, z, dz, D, y, dy, C, n);
  __tapefree_autodiff((void *)permute, D, x, dx, D, z, dz, C, p, C, n);
  __tapefree_autodiff((void *)condition, D, x, dx, D, y, dy, D, z, dz, C, n);
  __tapefree_autodiff((void *)scratch, D, x, dx, D, z, dz, C, n);
  __tapefree_autodiff((void *)grown, D, x, dx, C, n);
  __tapefree_autodiff((void *)hardware, D, x, dx, D, z, dz, C, n);
  __tapefree_autodiff((void *)allocation, D, x, dx, D, z, dz, C, n);
}
