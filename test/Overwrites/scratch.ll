; A scratch array is written anew in each outer iteration: nothing follows its loads in the same iteration, but
; the reverse sweep would find the last iteration's values.
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-overwrites>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: overwrites of 'scratch':
; CHECK-NEXT: %x = load double, ptr %px, align 8 : reload
; CHECK-NEXT: %t = load double, ptr %ps2, align 8 : overwritten by store exactly: store double %x, ptr %ps
define void @scratch(ptr noalias %in, i64 %n, i64 %m) {
entry:
  %s = alloca [16 x double], align 8
  br label %i.loop
i.loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %im = mul nuw nsw i64 %i, %m
  br label %fill
fill:
  %j = phi i64 [ 0, %i.loop ], [ %j.next, %fill ]
  %ij = add nuw nsw i64 %im, %j
  %px = getelementptr inbounds double, ptr %in, i64 %ij
  %x = load double, ptr %px, align 8
  %ps = getelementptr inbounds double, ptr %s, i64 %j
  store double %x, ptr %ps, align 8
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %m
  br i1 %j.more, label %fill, label %use
use:
  %k = phi i64 [ 0, %fill ], [ %k.next, %use ]
  %ps2 = getelementptr inbounds double, ptr %s, i64 %k
  %t = load double, ptr %ps2, align 8
  call void @sink(double %t)
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp slt i64 %k.next, %m
  br i1 %k.more, label %use, label %i.latch
i.latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp slt i64 %i.next, %n
  br i1 %i.more, label %i.loop, label %end
end:
  ret void
}
declare void @sink(double) memory(none)
