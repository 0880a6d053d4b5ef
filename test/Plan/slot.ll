; Outside all loops a value is still there when the reverse sweep comes: it stays in a register.
; RUN: %opt -passes='print<tapefree-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='tapefree,verify' -disable-output %s

declare void @__enzyme_autodiff(...)
declare double @llvm.sin.f64(double)

define double @f(ptr %x, ptr %y, double %a) {
  %v = load double, ptr %x, align 8
  %s = call double @llvm.sin.f64(double %v)
  store double 0.0, ptr %x, align 8
  %p = fmul double %s, %a
  %q = fmul double %p, %p
  ret double %q
}

; CHECK-LABEL: plan of tapefree.primal.f
; CHECK-NOT: {{keep|reload|recompute}}
; CHECK-DAG: %v : slot
; CHECK-DAG: %s : slot
; CHECK-DAG: %p : slot
; CHECK-NOT: %a :
; CHECK-NOT: {{keep|reload|recompute}}
define void @g(ptr %x, ptr %dx, ptr %y, ptr %dy, double %a) {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %y, ptr %dy, double %a)
  ret void
}
