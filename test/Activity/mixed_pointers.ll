; Where only the run knows whether memory has a shadow, the pointer is "shadow?": a choice between a dup and a const
; argument, by select, phi, or a table.
; RUN: %opt -passes='print<tapefree-activity>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='tapefree,verify' -disable-output %s

@tapefree_const = external global i32
declare void @__enzyme_autodiff(...)

define double @choice(ptr %a, ptr %b, i1 %first, i64 %i, i64 %j) {
entry:
  %either = select i1 %first, ptr %a, ptr %b
  %v = load double, ptr %either, align 8
  %table = alloca [4 x ptr], align 8
  store ptr %a, ptr %table, align 8
  %p1 = getelementptr inbounds ptr, ptr %table, i64 %i
  store ptr %b, ptr %p1, align 8
  %p = getelementptr inbounds ptr, ptr %table, i64 %j
  %found = load ptr, ptr %p, align 8
  %w = load double, ptr %found, align 8
  %u = load double, ptr %a, align 8
  %vw = fmul double %v, %w
  %y = fmul double %vw, %u
  ret double %y
}

; CHECK-LABEL: activity of tapefree.primal.choice
; CHECK: %a : shadow{{$}}
; CHECK: %b : const
; CHECK-DAG: %either : shadow?
; CHECK-DAG: %found : shadow?
; CHECK-DAG: %v : active
; CHECK-DAG: %w : active
define void @a(ptr %a, ptr %da, ptr %b, i1 %first, i64 %i, i64 %j) {
  %const = load i32, ptr @tapefree_const, align 4
  call void (...) @__enzyme_autodiff(ptr @choice, ptr %a, ptr %da, i32 %const, ptr %b, i1 %first, i64 %i, i64 %j)
  ret void
}

; A null pointer beside a dup one is neither.
define double @optional(ptr %a, i1 %there) {
  %either = select i1 %there, ptr %a, ptr null
  %v = load double, ptr %either, align 8
  %y = fmul double %v, %v
  ret double %y
}

; CHECK-LABEL: activity of tapefree.primal.optional
; CHECK-NOT: shadow?
; CHECK: %y : active
define void @b(ptr %a, ptr %da, i1 %there) {
  call void (...) @__enzyme_autodiff(ptr @optional, ptr %a, ptr %da, i1 %there)
  ret void
}
