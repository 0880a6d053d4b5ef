; Pointers kept in local memory: what is loaded from there has a shadow if all pointers that were stored there have one.
; RUN: %opt -passes='print<tapefree-activity>' -disable-output %s 2>&1 | FileCheck %s

@tapefree_const = external global i32
declare void @__enzyme_autodiff(...)

define double @shadowed(ptr %a, ptr %b, i64 %i, i64 %j) {
  %table = alloca [4 x ptr], align 8
  %own = alloca [4 x double], align 8
  %p0 = getelementptr inbounds ptr, ptr %table, i64 %i
  store ptr %a, ptr %p0, align 8
  %p1 = getelementptr inbounds ptr, ptr %table, i64 1
  store ptr %own, ptr %p1, align 8
  %p = getelementptr inbounds ptr, ptr %table, i64 %j
  %chosen = load ptr, ptr %p, align 8
  %v = load double, ptr %chosen, align 8
  %y = fmul double %v, %v
  ret double %y
}

; CHECK-LABEL: activity of tapefree.primal.shadowed
; CHECK-DAG: %table : shadow
; CHECK-DAG: %chosen : shadow{{$}}
; CHECK-DAG: %v : active
define void @a(ptr %a, ptr %da, ptr %b, i64 %i, i64 %j) {
  %const = load i32, ptr @tapefree_const, align 4
  call void (...) @__enzyme_autodiff(ptr @shadowed, ptr %a, ptr %da, i32 %const, ptr %b, i64 %i, i64 %j)
  ret void
}

define double @constant(ptr %a, ptr %b, i64 %i, i64 %j) {
  %table = alloca [4 x ptr], align 8
  %p0 = getelementptr inbounds ptr, ptr %table, i64 %i
  store ptr %b, ptr %p0, align 8
  %p = getelementptr inbounds ptr, ptr %table, i64 %j
  %chosen = load ptr, ptr %p, align 8
  %v = load double, ptr %chosen, align 8
  %w = load double, ptr %a, align 8
  %y = fmul double %v, %w
  ret double %y
}

; CHECK-LABEL: activity of tapefree.primal.constant
; CHECK-DAG: %table : const
; CHECK-DAG: %chosen : const
; CHECK-DAG: %v : const
; CHECK-DAG: %w : active
define void @b(ptr %a, ptr %da, ptr %b, i64 %i, i64 %j) {
  %const = load i32, ptr @tapefree_const, align 4
  call void (...) @__enzyme_autodiff(ptr @constant, ptr %a, ptr %da, i32 %const, ptr %b, i64 %i, i64 %j)
  ret void
}
