; The tangent of each operation stands beside it: no loop back, no memory.
; RUN: %opt -passes='tapefree,verify' -S %s | FileCheck %s

declare double @__enzyme_fwddiff(...)
declare double @llvm.sin.f64(double)

define double @f(double %x, double %y) {
  %s = call double @llvm.sin.f64(double %x)
  %p = fmul double %s, %y
  ret double %p
}

; CHECK-LABEL: define internal { double } @tapefree.tangent.f(double %x, double %x.tangent, double %y, double %y.tangent)
; CHECK-NOT: {{alloca|load|store|br}}
; CHECK-DAG: call double @llvm.sin.f64(double %x)
; CHECK-DAG: call double @llvm.cos.f64(double %x)
; CHECK-DAG: fmul double {{.*}}%x.tangent
; CHECK-DAG: fmul double {{.*}}%y.tangent
; CHECK: ret { double }
define double @g(double %x, double %dx, double %y, double %dy) {
  %r = call double (...) @__enzyme_fwddiff(ptr @f, double %x, double %dx, double %y, double %dy)
  ret double %r
}
