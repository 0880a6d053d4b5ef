; Scoped noalias facts: those of a call inlined into the loop hold within one iteration only.
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-overwrites>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: overwrites of 'outside':
; CHECK-NEXT: %v = load double, ptr %p, align 8 : reload
define void @outside(ptr %a, ptr %b, i64 %n) {
entry:
  call void @llvm.experimental.noalias.scope.decl(metadata !2)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %v = load double, ptr %p, align 8, !alias.scope !2
  %q = getelementptr inbounds double, ptr %b, i64 %i
  store double 1.0, ptr %q, align 8, !noalias !2
  %next = add nuw nsw i64 %i, 1
  %c = icmp slt i64 %next, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: overwrites of 'inside':
; CHECK-NEXT: %v = load double, ptr %p, align 8 : overwritten by store maybe: store double 1.000000e+00, ptr %q
define void @inside(ptr %a, ptr %b, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.experimental.noalias.scope.decl(metadata !5)
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %v = load double, ptr %p, align 8, !alias.scope !5
  %q = getelementptr inbounds double, ptr %b, i64 %i
  store double 1.0, ptr %q, align 8, !noalias !5
  %next = add nuw nsw i64 %i, 1
  %c = icmp slt i64 %next, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}
declare void @llvm.experimental.noalias.scope.decl(metadata)
!0 = distinct !{!0, !"f"}
!1 = distinct !{!1, !0, !"f: a"}
!2 = !{!1}
!3 = distinct !{!3, !"g"}
!4 = distinct !{!4, !3, !"g: a"}
!5 = !{!4}
