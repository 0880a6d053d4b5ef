; Each row is made from the one above: a later row is apart from an earlier one since rows are as long as the
; inner loop, if that has at least one iteration.
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-overwrites>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: overwrites of 'above':
; CHECK-NEXT: %v = load double, ptr %pu, align 8 : reload
; CHECK-NEXT: %w = load double, ptr %pc, align 8 : overwritten by store exactly: store double %x, ptr %pc

define void @above(ptr %a, i64 %n, i64 %m) {
entry:
  %g = icmp sgt i64 %m, 0
  br i1 %g, label %i.loop, label %end
i.loop:
  %i = phi i64 [ 1, %entry ], [ %i.next, %i.latch ]
  %im = mul nsw i64 %i, %m
  br label %j.loop
j.loop:
  %j = phi i64 [ 0, %i.loop ], [ %j.next, %j.loop ]
  %up = sub nsw i64 %im, %m
  %uj = add nsw i64 %up, %j
  %pu = getelementptr inbounds double, ptr %a, i64 %uj
  %v = load double, ptr %pu, align 8
  %cj = add nsw i64 %im, %j
  %pc = getelementptr inbounds double, ptr %a, i64 %cj
  %w = load double, ptr %pc, align 8
  %x = fadd double %v, %w
  store double %x, ptr %pc, align 8
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %m
  br i1 %j.more, label %j.loop, label %i.latch
i.latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp slt i64 %i.next, %n
  br i1 %i.more, label %i.loop, label %end
end:
  ret void
}

; The row below is written in the next iteration.
; CHECK-LABEL: overwrites of 'below':
; CHECK-NEXT: %v = load double, ptr %pd, align 8 : overwritten by store {{exactly|maybe}}: store double %v, ptr %pc

define void @below(ptr %a, i64 %n, i64 %m) {
entry:
  %g = icmp sgt i64 %m, 0
  br i1 %g, label %i.loop, label %end
i.loop:
  %i = phi i64 [ 1, %entry ], [ %i.next, %i.latch ]
  %im = mul nsw i64 %i, %m
  br label %j.loop
j.loop:
  %j = phi i64 [ 0, %i.loop ], [ %j.next, %j.loop ]
  %dn = add nsw i64 %im, %m
  %dj = add nsw i64 %dn, %j
  %pd = getelementptr inbounds double, ptr %a, i64 %dj
  %v = load double, ptr %pd, align 8
  %cj = add nsw i64 %im, %j
  %pc = getelementptr inbounds double, ptr %a, i64 %cj
  store double %v, ptr %pc, align 8
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %m
  br i1 %j.more, label %j.loop, label %i.latch
i.latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp slt i64 %i.next, %n
  br i1 %i.more, label %i.loop, label %end
end:
  ret void
}

; The inner loop is longer than a row: the end of a row is the start of the next.
; CHECK-LABEL: overwrites of 'overlong':
; CHECK-NEXT: %v = load double, ptr %pu, align 8 : overwritten by store maybe: store double %v, ptr %pc

define void @overlong(ptr %a, i64 %n, i64 %m, i64 %l) {
entry:
  %g = icmp sgt i64 %m, 0
  br i1 %g, label %i.loop, label %end
i.loop:
  %i = phi i64 [ 1, %entry ], [ %i.next, %i.latch ]
  %im = mul nsw i64 %i, %m
  br label %j.loop
j.loop:
  %j = phi i64 [ 0, %i.loop ], [ %j.next, %j.loop ]
  %up = sub nsw i64 %im, %m
  %uj = add nsw i64 %up, %j
  %pu = getelementptr inbounds double, ptr %a, i64 %uj
  %v = load double, ptr %pu, align 8
  %cj = add nsw i64 %im, %j
  %pc = getelementptr inbounds double, ptr %a, i64 %cj
  store double %v, ptr %pc, align 8
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %l
  br i1 %j.more, label %j.loop, label %i.latch
i.latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp slt i64 %i.next, %n
  br i1 %i.more, label %i.loop, label %end
end:
  ret void
}
