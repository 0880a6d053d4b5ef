; More results than registers hold: the call's first argument is memory for them, and the function comes second. The
; derivative's results are stored there in order.
; RUN: %opt -passes='print<tapefree-requests>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='tapefree,verify' -S %s | FileCheck %s --check-prefix=IR

%three = type { double, double, double }
declare void @__enzyme_autodiff(ptr sret(%three) align 8, ptr, double, double, double)

define double @f(double %x, double %y, double %z) {
  %xy = fmul double %x, %y
  %xyz = fmul double %xy, %z
  ret double %xyz
}

; CHECK: reverse f(out, out, out) return active
; IR-LABEL: define void @caller(
; IR: [[ALL:%.*]] = call { double, double, double } @tapefree.gradient.f(double %x, double %y, double %z, double 1.000000e+00)
; IR-COUNT-3: store double
; IR-NOT: __enzyme_autodiff(
define void @caller(ptr sret(%three) align 8 %r, double %x, double %y, double %z) {
  call void @__enzyme_autodiff(ptr sret(%three) align 8 %r, ptr @f, double %x, double %y, double %z)
  ret void
}
