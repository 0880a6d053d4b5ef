; Memory that leaves the function: what pointers in it lead to is differentiated as well, and what goes into a call may come out
; as memory only.
; RUN: %opt -passes='print<tapefree-activity>' -disable-output %s 2>&1 | FileCheck %s

declare void @__enzyme_autodiff(...)
declare noalias ptr @malloc(i64)

; Calls itself, so that it stays a call.
define ptr @made(double %x, i64 %n) {
  %outer = call ptr @malloc(i64 8)
  %inner = call ptr @malloc(i64 8)
  store ptr %inner, ptr %outer, align 8
  %y = fmul double %x, %x
  store double %y, ptr %inner, align 8
  %last = icmp eq i64 %n, 0
  br i1 %last, label %end, label %more
more:
  %m = sub i64 %n, 1
  %other = call ptr @made(double %x, i64 %m)
  br label %end
end:
  %r = phi ptr [ %outer, %0 ], [ %other, %more ]
  ret ptr %r
}

define double @user(double %x, i64 %n) {
  %z = fmul double %x, 2.0
  %p = call ptr @made(double %z, i64 %n)
  %q = load ptr, ptr %p, align 8
  %v = load double, ptr %q, align 8
  ret double %v
}
; CHECK-LABEL: activity of tapefree.primal.user
; CHECK-DAG: %z : active
; CHECK-DAG: %v : active

define void @pair(ptr %x, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @user, double 1.0, i64 %n)
  ret void
}
