; Nobody defines the markers: no load of one survives, nor does the call.
; RUN: %opt -passes='tapefree,verify' -S %s | FileCheck %s --implicit-check-not='load i32' --implicit-check-not='call double @__'

@tapefree_out = external global i32
@tapefree_strict = external global i32
declare double @__tapefree_autodiff(ptr, i32, i32, double)
declare double @__tapefree_fwddiff(ptr, i32, double, double)

define double @f(double %x) {
  %y = fmul double %x, %x
  ret double %y
}

; CHECK-LABEL: define double @caller(
; CHECK: call {{.*}} @tapefree.gradient.f(
; CHECK: call {{.*}} @tapefree.{{.*}}.f
define double @caller(double %x) {
  %s = load i32, ptr @tapefree_strict, align 4
  %o = load i32, ptr @tapefree_out, align 4
  %r = call double @__tapefree_autodiff(ptr @f, i32 %s, i32 %o, double %x)
  %t = call double @__tapefree_fwddiff(ptr @f, i32 %o, double %x, double 1.0)
  %sum = fadd double %r, %t
  ret double %sum
}
