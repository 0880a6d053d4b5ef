// Copies and memsets of memory of which the function itself uses only a part, in both modes: what the rest holds
// follows from how its pointers are declared, and from padding.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <tapefree/abi.h>

static int failures = 0;
static void same(const char *what, double got, double want) {
  if (std::fabs(got - want) > 1e-9)
    ++failures, std::printf("%s: %g instead of %g\n", what, got, want);
}

struct Record {
  double a;
  int k; // and padding
  double b;
  float c;
};

double moved(double *x) {
  std::memmove(x + 1, x, 3 * sizeof(double));
  return x[2];
}
double some(const double *x, double *y, int n) {
  std::memcpy(y, x, n * sizeof(double));
  return x[0];
}
void record(const Record *from, Record *to) {
  *to = *from;
  to->a *= 2;
}
void records(const Record *from, Record *to, int n) {
  std::memcpy(to, from, n * sizeof(Record));
  to[1].a *= from[0].a;
}
double filled(double *y) {
  std::memset(y, 0x3f, 4 * sizeof(double));
  return 0.5;
}
double cleared(Record *r, int n) {
  std::memset(r, 0, n * sizeof(Record));
  return r[0].a;
}

static void reverse() {
  double x[] = {1, 2, 3, 4}, dx[] = {1, 10, 100, 1000};
  __tapefree_autodiff<double>((void *)moved, tapefree_primal_return, x, dx);
  same("moved", dx[0], 11);
  same("moved", dx[1], 101);
  same("moved", dx[2], 1000);
  same("moved", dx[3], 0);
  double y[4], dy[] = {1, 2, 3, 4};
  std::memset(dx, 0, sizeof dx);
  __tapefree_autodiff<double>((void *)some, tapefree_primal_return, x, dx, y, dy, 4);
  same("some", dx[0], 2);
  same("some", dx[3], 4);
  same("some", dy[3], 0);
  Record r = {1, 2, 3, 4}, dr = {0, 7, 0, 0}, s, ds = {1, 8, 10, 100};
  __tapefree_autodiff<void>((void *)record, &r, &dr, &s, &ds);
  same("record", dr.a, 2);
  same("record", dr.k, 7);
  same("record", dr.b, 10);
  same("record", dr.c, 100);
  same("record", ds.k, 8);
  same("record", ds.c, 0);
  Record rs[2] = {{2, 1, 3, 4}, {5, 1, 6, 7}}, drs[2] = {}, ss[2], dss[2] = {{1, 9, 2, 3}, {4, 9, 5, 6}};
  __tapefree_autodiff<void>((void *)records, rs, drs, ss, dss, 2);
  same("records", drs[0].a, 1 + 4 * 5);
  same("records", drs[1].a, 4 * 2);
  same("records", drs[1].b, 5);
  same("records", drs[1].c, 6);
  same("records", dss[1].k, 9);
  double z[4], dz[] = {1, 2, 3, 4};
  __tapefree_autodiff<double>((void *)filled, tapefree_primal_return, z, dz);
  same("filled", dz[0] + dz[1] + dz[2] + dz[3], 0);
  __tapefree_autodiff<double>((void *)cleared, tapefree_primal_return, ss, drs, 2);
  same("cleared", drs[0].a + drs[1].b + drs[1].c, 0);
}

static void forward() {
  double z[4], dz[] = {1, 2, 3, 4};
  __tapefree_fwddiff<double>((void *)filled, z, dz);
  same("filled forward", dz[0], 0);
  same("filled forward", dz[3], 0);
  Record r = {1, 2, 3, 4}, s, ds = {1, 8, 10, 100};
  __tapefree_fwddiff<void>((void *)record, tapefree_const, &r, &s, &ds);
  same("record from const", ds.a, 0);
  same("record from const", ds.b, 0);
  same("record from const", ds.c, 0);
  double x[] = {1, 2, 3, 4}, y[4], dy[] = {1, 2, 3, 4};
  __tapefree_fwddiff<double>((void *)some, tapefree_const, x, y, dy, 4);
  same("some from const", dy[0] + dy[3], 0);
}

int main() {
  reverse();
  forward();
  return failures != 0;
}
