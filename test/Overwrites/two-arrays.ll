; Two arrays that come as ordinary arguments: a later y[i] may be an x[i] already read.
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-overwrites>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: overwrites of 'axpy':
; CHECK-NEXT: %vx = load double, ptr %px, align 8 : overwritten by store maybe: store double %s, ptr %py
; CHECK-NEXT: %vy = load double, ptr %py, align 8 : overwritten by store exactly: store double %s, ptr %py

define void @axpy(ptr %x, ptr %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %px = getelementptr inbounds double, ptr %x, i64 %i
  %py = getelementptr inbounds double, ptr %y, i64 %i
  %vx = load double, ptr %px, align 8
  %vy = load double, ptr %py, align 8
  %s = fadd double %vx, %vy
  store double %s, ptr %py, align 8
  %next = add nuw nsw i64 %i, 1
  %c = icmp slt i64 %next, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}

; Swapped every iteration: last iteration's output is read in this one, and overwritten in the next.
; CHECK-LABEL: overwrites of 'pingpong':
; CHECK-NEXT: %v = load double, ptr %cur, align 8 : overwritten by store maybe: store double %v, ptr %new
define void @pingpong(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %cur = phi ptr [ %x, %entry ], [ %new, %loop ]
  %new = phi ptr [ %y, %entry ], [ %cur, %loop ]
  %v = load double, ptr %cur, align 8
  store double %v, ptr %new, align 8
  %next = add nuw nsw i64 %i, 1
  %c = icmp slt i64 %next, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}
