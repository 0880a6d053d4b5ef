; memcpy, memmove and memset write too; a copy's source is asked for like a load.
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-overwrites>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: overwrites of 'over':
; CHECK-NEXT: %v = load double, ptr %p, align 8 : overwritten by memory intrinsic maybe: call void @llvm.memcpy
; CHECK-NEXT: source of call void @llvm.memcpy{{.*}} : reload
define void @over(ptr %p, ptr noalias %q, i64 %n) {
  %v = load double, ptr %p, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)
  ret void
}

; CHECK-LABEL: overwrites of 'move':
; CHECK-NEXT: source of call void @llvm.memmove{{.*}} : overwritten by memory intrinsic maybe: call void @llvm.memmove
define void @move(ptr %p, i64 %n) {
  %q = getelementptr inbounds i8, ptr %p, i64 8
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)
  ret void
}

; CHECK-LABEL: overwrites of 'none':
; CHECK-NEXT: %v = load double, ptr %p, align 8 : reload
define void @none(ptr %p, ptr %q) {
  %v = load double, ptr %p, align 8
  call void @llvm.memset.p0.i64(ptr %q, i8 0, i64 0, i1 false)
  ret void
}

; Rows of m doubles: the next row is cleared, not this one.
; CHECK-LABEL: overwrites of 'rows':
; CHECK-NEXT: %v = load double, ptr %p, align 8 : reload
define void @rows(ptr %a, i64 %n, i64 %m) {
entry:
  %bytes = shl nuw nsw i64 %m, 3
  br label %i.loop
i.loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %im = mul nuw nsw i64 %i, %m
  %row = getelementptr inbounds double, ptr %a, i64 %im
  call void @llvm.memset.p0.i64(ptr %row, i8 0, i64 %bytes, i1 false)
  br label %j.loop
j.loop:
  %j = phi i64 [ 0, %i.loop ], [ %j.next, %j.loop ]
  %p = getelementptr inbounds double, ptr %row, i64 %j
  %v = load double, ptr %p, align 8
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ne i64 %j.next, %m
  br i1 %j.more, label %j.loop, label %i.latch
i.latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp slt i64 %i.next, %n
  br i1 %i.more, label %i.loop, label %end
end:
  ret void
}

; The memset of the next iteration clears the same buffer.
; CHECK-LABEL: overwrites of 'again':
; CHECK-NEXT: %v = load double, ptr %p, align 8 : overwritten by memory intrinsic maybe: call void @llvm.memset

define void @again(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 64, i1 false)
  %p = getelementptr inbounds i8, ptr %a, i64 8
  %v = load double, ptr %p, align 8
  %next = add nuw nsw i64 %i, 1
  %c = icmp slt i64 %next, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
