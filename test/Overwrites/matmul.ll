; c[i*n+j] += a[i*n+k] * b[k*n+j]: only c is overwritten, in the same iteration.
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-overwrites>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: overwrites of 'matmul':
; CHECK-NEXT: %va = load double, ptr %pa, align 8 : reload
; CHECK-NEXT: %vb = load double, ptr %pb, align 8 : reload
; CHECK-NEXT: %vc = load double, ptr %pc, align 8 : overwritten by store exactly: store double %sum, ptr %pc
define void @matmul(ptr noalias %c, ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  br label %i.loop
i.loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %row = mul nuw nsw i64 %i, %n
  br label %j.loop
j.loop:
  %j = phi i64 [ 0, %i.loop ], [ %j.next, %j.latch ]
  %ij = add nuw nsw i64 %row, %j
  %pc = getelementptr inbounds double, ptr %c, i64 %ij
  br label %k.loop
k.loop:
  %k = phi i64 [ 0, %j.loop ], [ %k.next, %k.loop ]
  %ik = add nuw nsw i64 %row, %k
  %kn = mul nuw nsw i64 %k, %n
  %kj = add nuw nsw i64 %kn, %j
  %pa = getelementptr inbounds double, ptr %a, i64 %ik
  %pb = getelementptr inbounds double, ptr %b, i64 %kj
  %va = load double, ptr %pa, align 8
  %vb = load double, ptr %pb, align 8
  %vc = load double, ptr %pc, align 8
  %product = fmul double %va, %vb
  %sum = fadd double %vc, %product
  store double %sum, ptr %pc, align 8
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp slt i64 %k.next, %n
  br i1 %k.more, label %k.loop, label %j.latch
j.latch:
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %n
  br i1 %j.more, label %j.loop, label %i.latch
i.latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp slt i64 %i.next, %n
  br i1 %i.more, label %i.loop, label %end
end:
  ret void
}
