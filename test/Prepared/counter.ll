; Each loop counts its iterations from 0. A loop that only its run can end has its number of iterations as a phi at the exit.
; RUN: %opt -passes='print<tapefree-prepared>' -disable-output %s 2>&1 | FileCheck %s

declare void @__enzyme_autodiff(...)

define void @known(ptr noalias %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 5, %entry ], [ %i.next, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p, align 8
  %w = fmul double %v, %v
  store double %w, ptr %p, align 8
  %i.next = add nuw nsw i64 %i, 3
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define internal void @tapefree.primal.known(
; CHECK: %tapefree.counter = phi i64 [ 0, %{{.*}} ], [ %tapefree.next, %{{.*}} ]
; CHECK: %tapefree.next = add nuw nsw i64 %tapefree.counter, 1
; CHECK-NOT: tapefree.trips
; CHECK: ret void
define void @a(ptr %x, ptr %dx, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @known, ptr %x, ptr %dx, i64 %n)
  ret void
}

define double @unknown(double %x) {
entry:
  br label %loop
loop:
  %y = phi double [ %x, %entry ], [ %z, %loop ]
  %z = fmul double %y, %y
  %more = fcmp olt double %z, 1.0e+10
  br i1 %more, label %loop, label %end
end:
  ret double %z
}

; CHECK-LABEL: define internal double @tapefree.primal.unknown(
; CHECK: %tapefree.counter = phi i64 [ 0,
; CHECK: %tapefree.trips = phi i64 [ %tapefree.counter, %{{.*}} ]
define void @b(double %x) {
  call void (...) @__enzyme_autodiff(ptr @unknown, double %x)
  ret void
}
