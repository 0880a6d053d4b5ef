; A loop of a few known iterations becomes a straight line, whatever clang marked at -O1; a longer one stays a loop.
; RUN: %opt -passes='print<tapefree-prepared>' -disable-output %s 2>&1 | FileCheck %s

declare double @__enzyme_autodiff(...)

define double @short(double %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %y = phi double [ %x, %entry ], [ %z, %loop ]
  %z = fmul double %y, %y
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 3
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret double %z
}

; CHECK-LABEL: define internal double @tapefree.primal.short(
; CHECK-NOT: phi
; CHECK-COUNT-3: fmul
; CHECK-NOT: fmul
; CHECK: ret double
define double @a(double %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @short, double %x)
  ret double %r
}

define double @long(double %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %y = phi double [ %x, %entry ], [ %z, %loop ]
  %z = fmul double %y, %y
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 300
  br i1 %more, label %loop, label %end
end:
  ret double %z
}

; CHECK-LABEL: define internal double @tapefree.primal.long(
; CHECK-COUNT-1: fmul
; CHECK-NOT: fmul
; CHECK: ret double
define double @b(double %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @long, double %x)
  ret double %r
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
