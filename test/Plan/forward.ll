; A local array that each outer iteration fills again: what it held is computed again from what was stored there, not kept.
; RUN: %opt -passes='print<tapefree-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='tapefree,verify' -disable-output %s

declare void @__enzyme_autodiff(...)

define void @f(ptr noalias %x, ptr noalias %z, i64 %m, i64 %n) {
entry:
  %t = alloca [64 x double], align 8
  br label %outer
outer:
  %o = phi i64 [ 0, %entry ], [ %o.next, %outer.latch ]
  %o.more = icmp slt i64 %o, %m
  br i1 %o.more, label %row.start, label %end
row.start:
  %row = mul nsw i64 %o, %n
  br label %fill
fill:
  %i = phi i64 [ 0, %row.start ], [ %i.next, %fill.body ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %fill.body, label %use
fill.body:
  %xi = add nsw i64 %row, %i
  %xp = getelementptr inbounds double, ptr %x, i64 %xi
  %v = load double, ptr %xp, align 8
  %w = fmul double %v, %v
  %tp = getelementptr inbounds double, ptr %t, i64 %i
  store double %w, ptr %tp, align 8
  %i.next = add nuw nsw i64 %i, 1
  br label %fill
use:
  %j = phi i64 [ 0, %fill ], [ %j.next, %use.body ]
  %j.more = icmp slt i64 %j, %n
  br i1 %j.more, label %use.body, label %outer.latch
use.body:
  %tq = getelementptr inbounds double, ptr %t, i64 %j
  %u = load double, ptr %tq, align 8
  %y = fmul double %u, %u
  %zi = add nsw i64 %row, %j
  %zp = getelementptr inbounds double, ptr %z, i64 %zi
  store double %y, ptr %zp, align 8
  %j.next = add nuw nsw i64 %j, 1
  br label %use
outer.latch:
  %o.next = add nuw nsw i64 %o, 1
  br label %outer
end:
  ret void
}

; CHECK-LABEL: plan of tapefree.primal.f
; CHECK-COUNT-3: : keeps nothing
; CHECK-NOT: keep
; CHECK: %u : recompute forward
; CHECK-NOT: keep
define void @g(ptr %x, ptr %dx, ptr %z, ptr %dz, i64 %m, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %z, ptr %dz, i64 %m, i64 %n)
  ret void
}
