; Fields of the elements of an array never meet, in whichever iterations: 24-byte elements, and complex numbers.
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-overwrites>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: overwrites of 'fields':
; CHECK-NEXT: %y = load double, ptr %py, align 8 : reload
; CHECK-NEXT: %x = load double, ptr %px, align 8 : overwritten by store exactly: store double %y, ptr %px

define void @fields(ptr %a, i64 %n, i64 %m) {
entry:
  %g = icmp sgt i64 %m, 0
  br i1 %g, label %i.loop, label %end
i.loop:
  %i = phi i64 [ 1, %entry ], [ %i.next, %i.latch ]
  %im = mul nsw i64 %i, %m
  br label %j.loop
j.loop:
  %j = phi i64 [ 0, %i.loop ], [ %j.next, %j.loop ]
  %px = getelementptr inbounds { double, double, double }, ptr %a, i64 %j, i32 0
  %py = getelementptr inbounds { double, double, double }, ptr %a, i64 %j, i32 1
  %y = load double, ptr %py, align 8
  %x = load double, ptr %px, align 8
  store double %y, ptr %px, align 8
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

; Steps of 24 and of 16 bytes have only 8 in common.
; CHECK-LABEL: overwrites of 'steps':
; CHECK-NEXT: %y = load double, ptr %py, align 8 : overwritten by store maybe: store double %y, ptr %px

define void @steps(ptr %a, i64 %n, i64 %m) {
entry:
  %g = icmp sgt i64 %m, 0
  br i1 %g, label %i.loop, label %end
i.loop:
  %i = phi i64 [ 1, %entry ], [ %i.next, %i.latch ]
  %im = mul nsw i64 %i, %m
  br label %j.loop
j.loop:
  %j = phi i64 [ 0, %i.loop ], [ %j.next, %j.loop ]
  %px = getelementptr inbounds { double, double }, ptr %a, i64 %j, i32 0
  %py = getelementptr inbounds { double, double, double }, ptr %a, i64 %j, i32 1
  %y = load double, ptr %py, align 8
  store double %y, ptr %px, align 8
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
