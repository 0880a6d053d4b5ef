; What the markers say of arguments goes on to what is computed from them.
; RUN: %opt -passes='print<tapefree-activity>' -disable-output %s 2>&1 | FileCheck %s

@tapefree_const = external global i32
@tapefree_dup = external global i32
declare void @__enzyme_autodiff(...)
declare void @__enzyme_fwddiff(...)

define double @f(ptr %a, ptr %b, double %s, double %t) {
  %u = load double, ptr %a, align 8
  %v = load double, ptr %b, align 8
  %w = fmul double %v, %t
  %x = fmul double %u, %s
  %y = fadd double %w, %x
  ret double %y
}

; CHECK-LABEL: activity of tapefree.primal.f
; CHECK-NEXT: %a : shadow
; CHECK-NEXT: %b : const
; CHECK-NEXT: %s : active
; CHECK-NEXT: %t : const
; CHECK-DAG: %u : active
; CHECK-DAG: %v : const
; CHECK-DAG: %w : const
; CHECK-DAG: %x : active
; CHECK-DAG: %y : active
define void @mixed(ptr %a, ptr %da, ptr %b, double %s, double %t) {
  %const = load i32, ptr @tapefree_const, align 4
  call void (...) @__enzyme_autodiff(ptr @f, ptr %a, ptr %da, i32 %const, ptr %b, double %s, i32 %const, double %t)
  ret void
}

; Nothing differentiated comes in.
; CHECK-LABEL: activity of tapefree.primal.f
; CHECK-NOT: {{active|unused|shadow}}
; CHECK: %y : const
define void @none(ptr %a, ptr %b, double %s, double %t) {
  %const = load i32, ptr @tapefree_const, align 4
  call void (...) @__enzyme_autodiff(ptr @f, i32 %const, ptr %a, i32 %const, ptr %b, i32 %const, double %s, i32 %const, double %t)
  ret void
}

; CHECK-LABEL: activity of tapefree.primal.f
; CHECK-NEXT: %a : const
; CHECK-NEXT: %b : shadow
; CHECK-NEXT: %s : const
; CHECK-NEXT: %t : active
; CHECK-DAG: %x : const
; CHECK-DAG: %w : active
define void @forward(ptr %a, ptr %b, ptr %db, double %s, double %t, double %dt) {
  %const = load i32, ptr @tapefree_const, align 4
  %dup = load i32, ptr @tapefree_dup, align 4
  call void (...) @__enzyme_fwddiff(ptr @f, i32 %const, ptr %a, ptr %b, ptr %db, i32 %const, double %s, i32 %dup, double %t, double %dt)
  ret void
}
