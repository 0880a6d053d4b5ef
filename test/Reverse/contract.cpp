// The derivative's own products are contracted as clang contracts those of an expression (-ffp-contract=on, its default), the
// primal's never anew; with -ffp-contract=off nothing is.
// RUN: %clangxx -O0 -S -emit-llvm -Xclang -disable-llvm-passes -Xclang -disable-O0-optnone %s -o %t.ll
// RUN: %opt -passes='tapefree,verify' -S %t.ll | FileCheck %s
// RUN: %clangxx -O0 -ffp-contract=off -S -emit-llvm -Xclang -disable-llvm-passes -Xclang -disable-O0-optnone %s -o %t.off.ll
// RUN: %opt -passes='tapefree,verify' -S %t.off.ll | FileCheck --check-prefix=OFF %s
// OFF-NOT: fmuladd

int enzyme_const, enzyme_width;
template <class R, class... A> R __enzyme_autodiff(void *, A...);
template <class R, class... A> R __enzyme_fwddiff(void *, A...);

// Three statements: clang contracts the last alone.
double mixed(const double *x, const double *y) {
  double p = *x * *y;
  double s = p + *y;
  return s * *x + p;
}
// CHECK-LABEL: define internal void @tapefree.gradient._Z5mixedPKdS0_(
// CHECK: fmul double
// CHECK-NEXT: fadd double
// CHECK: call double @llvm.fmuladd.f64(
// CHECK-NEXT: call double @llvm.fmuladd.f64(
// CHECK-NEXT: call double @llvm.fmuladd.f64(
// CHECK-NOT: {{fadd|fmul}} contract
// CHECK: ret void
void gradient(const double *x, double *dx, const double *y, double *dy) {
  __enzyme_autodiff<void>((void *)mixed, x, dx, y, dy);
}

// x' y + x y' + c': the plain term first, then a multiply-add for each product.
double axpy(const double *x, const double *y, const double *c) { return *x * *y + *c; }
// CHECK-LABEL: define internal { double } @tapefree.tangent._Z4axpyPKdS0_S0_(
// CHECK: [[DC:%.*]] = load double, ptr %.tangent2
// CHECK: [[ONE:%.*]] = call double @llvm.fmuladd.f64({{.*}}, double [[DC]])
// CHECK: [[TWO:%.*]] = call double @llvm.fmuladd.f64({{.*}}, double [[ONE]])
// CHECK: insertvalue { double } poison, double [[TWO]]
double forward(const double *x, double *dx, const double *y, double *dy, const double *c, double *dc) {
  return __enzyme_fwddiff<double>((void *)axpy, x, dx, y, dy, c, dc);
}

// Where nothing was contracted, nothing is.
double product(const double *x, const double *y) { return *x * *y; }
// CHECK-LABEL: define internal void @tapefree.gradient._Z7productPKdS0_(
// CHECK-NOT: fmuladd
// CHECK: ret void
void plain(const double *x, double *dx, const double *y, double *dy) {
  __enzyme_autodiff<void>((void *)product, x, dx, y, dy);
}
