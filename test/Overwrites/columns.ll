; Column j is read after it was written, and later iterations write other columns: whatever the rows, the
; distance is never a multiple of the row length.
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-overwrites>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: overwrites of 'columns':
; CHECK-NEXT: %v = load double, ptr %p, align 8 : reload
define void @columns(ptr %a, i64 %n, i64 %m) {
entry:
  br label %j.loop
j.loop:
  %j = phi i64 [ 0, %entry ], [ %j.next, %j.latch ]
  br label %i.loop
i.loop:
  %i = phi i64 [ 0, %j.loop ], [ %i.next, %i.loop ]
  %im = mul nuw nsw i64 %i, %m
  %ij = add nuw nsw i64 %im, %j
  %p = getelementptr inbounds double, ptr %a, i64 %ij
  store double 1.0, ptr %p, align 8
  %v = load double, ptr %p, align 8
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp slt i64 %i.next, %n
  br i1 %i.more, label %i.loop, label %j.latch
j.latch:
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ne i64 %j.next, %m
  br i1 %j.more, label %j.loop, label %end
end:
  ret void
}
