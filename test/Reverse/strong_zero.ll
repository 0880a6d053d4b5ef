; An adjoint of exactly zero times an infinite derivative is zero: sqrt at 0, the side of a select that was not taken.
; RUN: %opt -passes='tapefree,verify' -S %s | FileCheck %s

declare double @__enzyme_autodiff(...)
declare double @llvm.sqrt.f64(double)

define double @root(double %x, i1 %use) {
  %r = call double @llvm.sqrt.f64(double %x)
  %y = select i1 %use, double %r, double 1.0
  ret double %y
}

; CHECK-LABEL: define internal { double } @tapefree.gradient.root(
; CHECK: [[ZERO:%.*]] = fcmp {{.*}}oeq double %{{.*}}, 0.000000e+00
; CHECK: call double @llvm.sqrt.f64(double %x)
; CHECK: select i1 [[ZERO]], double 0.000000e+00, double
; CHECK: ret { double }
define double @g(double %x, i1 %use) {
  %r = call double (...) @__enzyme_autodiff(ptr @root, double %x, i1 %use)
  ret double %r
}
