; A pointer is not a double, in any iteration: W->data is read again although the loop stores doubles.
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-overwrites>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: overwrites of 'tbaa':
; CHECK-NEXT: %d = load ptr, ptr %w, align 8 : reload
; CHECK-NEXT: %v = load double, ptr %p, align 8 : overwritten by store {{exactly|maybe}}: store double 1.000000e+00

define void @tbaa(ptr %w, ptr %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %d = load ptr, ptr %w, align 8, !tbaa !1
  %p = getelementptr inbounds double, ptr %d, i64 %i
  %v = load double, ptr %p, align 8, !tbaa !3
  %q = getelementptr inbounds double, ptr %y, i64 %i
  store double 1.0, ptr %q, align 8, !tbaa !3
  %next = add nuw nsw i64 %i, 1
  %c = icmp slt i64 %next, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}

!0 = !{!"tbaa root"}
!1 = !{!2, !2, i64 0}
!2 = !{!"any pointer", !0, i64 0}
!3 = !{!4, !4, i64 0}
!4 = !{!"double", !0, i64 0}
