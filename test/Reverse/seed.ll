; The seed of the returned value is 1 unless the call gives one; results come in the order of the out arguments, behind the
; primal's value.
; RUN: %opt -passes='tapefree,verify' -S %s | FileCheck %s

@tapefree_primal_return = external global i32
declare double @__enzyme_autodiff(...)
declare { double, double, double } @__enzyme_autodiff_three(...)

define double @square(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
define double @product(double %x, double %y) {
  %z = fmul double %x, %y
  ret double %z
}

; CHECK-LABEL: define double @one(
; CHECK: call { double } @tapefree.gradient.square(double %x, double 1.000000e+00)
define double @one(double %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @square, double %x)
  ret double %r
}

; CHECK-LABEL: define double @given(
; CHECK: call { double } @tapefree.gradient.square{{.*}}(double %x, double %seed)
define double @given(double %x, double %seed) {
  %r = call double (...) @__enzyme_autodiff(ptr @square, double %x, double %seed)
  ret double %r
}

; CHECK-LABEL: define double @all(
; CHECK: call { double, double, double } @tapefree.gradient.product(double %x, double %y, double 1.000000e+00)
define double @all(double %x, double %y) {
  %option = load i32, ptr @tapefree_primal_return, align 4
  %r = call { double, double, double } (...) @__enzyme_autodiff_three(ptr @product, i32 %option, double %x, double %y)
  %v = extractvalue { double, double, double } %r, 2
  ret double %v
}

; CHECK: define internal { double, double, double } @tapefree.gradient.product(double %x, double %y, double %[[SEED:.*]])
; CHECK-DAG: fmul double %{{.*}}, %y
; CHECK-DAG: fmul double %{{.*}}, %x
; CHECK: ret { double, double, double }
