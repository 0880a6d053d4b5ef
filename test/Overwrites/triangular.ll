; In a triangular nest the inner loop's bound is the outer loop's iteration: a[i*n+i] is right of all a[i*n+j].
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-overwrites>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: overwrites of 'triangular':
; CHECK-NEXT: %v = load double, ptr %p, align 8 : reload
define void @triangular(ptr %a, i64 %n) {
entry:
  br label %i.loop
i.loop:
  %i = phi i64 [ 1, %entry ], [ %i.next, %i.latch ]
  %in = mul nuw nsw i64 %i, %n
  br label %j.loop
j.loop:
  %j = phi i64 [ 0, %i.loop ], [ %j.next, %j.loop ]
  %ij = add nuw nsw i64 %in, %j
  %p = getelementptr inbounds double, ptr %a, i64 %ij
  %v = load double, ptr %p, align 8
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ne i64 %j.next, %i
  br i1 %j.more, label %j.loop, label %i.latch
i.latch:
  %ii = add nuw nsw i64 %in, %i
  %d = getelementptr inbounds double, ptr %a, i64 %ii
  store double 1.0, ptr %d, align 8
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ne i64 %i.next, %n
  br i1 %i.more, label %i.loop, label %end
end:
  ret void
}
