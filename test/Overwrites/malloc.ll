; An allocation in a loop is a new object each time; a pointer that is loaded each time may be the same.
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-overwrites>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: overwrites of 'fresh':
; CHECK-NEXT: %v = load double, ptr %m, align 8 : reload

define void @fresh(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %m = call noalias ptr @malloc(i64 8)
  store double 1.0, ptr %m, align 8
  %v = load double, ptr %m, align 8
  call void @free(ptr %m)
  %next = add nuw nsw i64 %i, 1
  %c = icmp slt i64 %next, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: overwrites of 'loaded':
; CHECK-NEXT: %m = load ptr, ptr %pp, align 8 : reload
; CHECK-NEXT: %v = load double, ptr %m, align 8 : overwritten by store maybe: store double 1.000000e+00, ptr %m

define void @loaded(ptr noalias %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %pp = getelementptr inbounds ptr, ptr %a, i64 %i
  %m = load ptr, ptr %pp, align 8, !tbaa !1
  store double 1.0, ptr %m, align 8, !tbaa !3
  %v = load double, ptr %m, align 8, !tbaa !3
  %next = add nuw nsw i64 %i, 1
  %c = icmp slt i64 %next, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}

; What the previous iteration allocated is written by this one.
; CHECK-LABEL: overwrites of 'carried':
; CHECK-NEXT: %v = load double, ptr %m, align 8 : overwritten by store {{exactly|maybe}}: store double 2.000000e+00, ptr %old
define void @carried(ptr %first, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %old = phi ptr [ %first, %entry ], [ %m, %loop ]
  store double 2.0, ptr %old, align 8
  %m = call noalias ptr @malloc(i64 8)
  store double 1.0, ptr %m, align 8
  %v = load double, ptr %m, align 8
  %next = add nuw nsw i64 %i, 1
  %c = icmp slt i64 %next, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}
declare noalias ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite)
declare void @free(ptr) allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite)
!0 = !{!"tbaa root"}
!1 = !{!2, !2, i64 0}
!2 = !{!"any pointer", !0, i64 0}
!3 = !{!4, !4, i64 0}
!4 = !{!"double", !0, i64 0}
