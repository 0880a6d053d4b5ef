; What the reverse sweep adds to memory and what it does not.
; RUN: %opt -passes='tapefree,verify' -S %s | FileCheck %s

declare void @__enzyme_autodiff(...)
@enzyme_const = external global i32

; A sum that is stored in every iteration: its seed is taken once, before the reversed loop, which then only reads and
; writes the shadow of %x. Sums of adjoints begin with the first addend: nothing is added to zero.
define void @sum(ptr %x, ptr %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %w = fmul double %v, 3.0
  %t = fadd double %s, %w
  store double %t, ptr %y
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; CHECK-LABEL: define internal void @tapefree.gradient.sum.disjoint(
; CHECK: loop.reverse:
; CHECK-NOT: %y.shadow
; CHECK: [[ADDED:%.*]] = fmul double [[SEED:%.*]], 3.000000e+00
; CHECK: [[P:%.*]] = getelementptr double, ptr %x.shadow
; CHECK-NEXT: [[OLD:%.*]] = load double, ptr [[P]]
; CHECK-NEXT: fadd double [[OLD]], [[ADDED]]
; CHECK: loop.reverse.preheader:
; CHECK-NEXT: [[SEED]] = load double, ptr %y.shadow
; CHECK-NEXT: store double 0.000000e+00, ptr %y.shadow
; CHECK-NEXT: br label %loop.reverse

; The same with a load of the location in the loop: the seed is taken in every iteration.
define void @seen(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %p
  %q = getelementptr double, ptr %y, i64 %i
  %u = load double, ptr %q
  %t = fmul double %u, %v
  store double %t, ptr %y
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; CHECK-LABEL: define internal void @tapefree.gradient.seen(
; CHECK: loop.reverse:
; CHECK: load double, ptr %y.shadow
; CHECK-NEXT: store double 0.000000e+00, ptr %y.shadow
; CHECK: ret void

define void @go(ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @sum, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @seen, ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %n)
  ret void
}
