; What is const has no tangent, and the results are the derivative alone, or the value before it.
; RUN: %opt -passes='tapefree,verify' -S %s | FileCheck %s

@tapefree_const = external global i32
@tapefree_primal_return = external global i32
declare double @__enzyme_fwddiff(...)
declare { double, double } @__enzyme_fwddiff_two(...)

define double @f(ptr %k, double %x) {
  %v = load double, ptr %k, align 8
  %y = fmul double %v, %x
  ret double %y
}

; CHECK-LABEL: define double @alone(
; CHECK: call { double } @[[ALONE:tapefree.tangent.f[^(]*]](ptr %k, double %x, double 1.000000e+00)
define double @alone(ptr %k, double %x) {
  %const = load i32, ptr @tapefree_const, align 4
  %r = call double (...) @__enzyme_fwddiff(ptr @f, i32 %const, ptr %k, double %x, double 1.0)
  ret double %r
}

; CHECK-LABEL: define double @both(
; CHECK: call { double, double } @[[BOTH:tapefree.tangent.f[^(]*]](ptr %k, double %x, double 1.000000e+00)
define double @both(ptr %k, double %x) {
  %const = load i32, ptr @tapefree_const, align 4
  %option = load i32, ptr @tapefree_primal_return, align 4
  %r = call { double, double } (...) @__enzyme_fwddiff_two(ptr @f, i32 %option, i32 %const, ptr %k, double %x, double 1.0)
  %v = extractvalue { double, double } %r, 1
  ret double %v
}

; CHECK: define internal { double } @[[ALONE]](
; CHECK: [[V:%.*]] = load double, ptr %k
; CHECK: fmul double {{.*}}[[V]]
; CHECK-NOT: fmul
; CHECK: ret { double }
