// The reversed product of matrices runs through rows: its two inner loops change places, where nothing that they touch
// can be reached in another order.
// RUN: %clangxx -O1 -fno-unroll-loops -S -emit-llvm -Xclang -disable-llvm-passes %s -o %t.ll
// RUN: %opt -passes='tapefree,verify' -S %t.ll | FileCheck %s

int enzyme_const;
template <class R, class... A> R __enzyme_autodiff(void *, A...);

void product(const double *a, const double *b, double *c, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = s;
    }
}
// What may overlap stays as it is.
// CHECK-LABEL: define internal void @tapefree.gradient._Z7productPKdS0_Pdi(
// CHECK-NOT: tapefree.inner:
// CHECK-LABEL: define internal void @tapefree.gradient._Z7productPKdS0_Pdi.disjoint(
// CHECK: tapefree.outer:
// CHECK: tapefree.inner:
// CHECK: [[SEED:%.*]] = load double
// CHECK-NOT: store double 0.000000e+00
// CHECK: call double @llvm.fmuladd.f64(double [[SEED]]
// CHECK: br i1 %{{.*}}, label %tapefree.outer.again, label %tapefree.inner
// CHECK: tapefree.outer.again:
// CHECK: tapefree.rows:
// CHECK: store double 0.000000e+00
// CHECK: br i1 %{{.*}}, label %{{.*}}, label %tapefree.rows

// Rows of b that overlap (m < n is possible): the order of what is added would change.
void overlapping(const double *a, const double *b, double *c, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[k * m + j];
      c[i * n + j] = s;
    }
}
// CHECK-LABEL: define internal void @tapefree.gradient._Z11overlappingPKdS0_Pdii.disjoint(
// CHECK-NOT: tapefree.inner:
// CHECK: ret void

// The inner loop walks through memory in short steps already.
void transposed(const double *a, const double *b, double *c, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[j * n + k];
      c[i * n + j] = s;
    }
}
// CHECK-LABEL: define internal void @tapefree.gradient._Z10transposedPKdS0_Pdi.disjoint(
// CHECK-NOT: tapefree.inner:
// CHECK: ret void

void all(double *a, double *da, double *b, double *db, double *c, double *dc, int n, int m) {
  __enzyme_autodiff<void>((void *)product, a, da, b, db, c, dc, n);
  __enzyme_autodiff<void>((void *)overlapping, a, da, b, db, c, dc, n, m);
  __enzyme_autodiff<void>((void *)transposed, a, da, b, db, c, dc, n);
}
