; Of two branches that exclude each other in one iteration only one needs its value kept: both use one row.
; RUN: %opt -passes='print<tapefree-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='tapefree,verify' -disable-output %s

declare void @__enzyme_autodiff(...)
declare double @llvm.sin.f64(double)

define void @f(ptr noalias %x, ptr noalias %y, ptr noalias %c, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %cp = getelementptr inbounds i64, ptr %c, i64 %i
  %k = load i64, ptr %cp, align 8
  %test = icmp sgt i64 %k, 0
  br i1 %test, label %left, label %right
left:
  %xp = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %xp, align 8
  %w = fmul double %v, %v
  store double %w, ptr %xp, align 8
  br label %latch
right:
  %yp = getelementptr inbounds double, ptr %y, i64 %i
  %u = load double, ptr %yp, align 8
  %s = call double @llvm.sin.f64(double %u)
  store double %s, ptr %yp, align 8
  br label %latch
latch:
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: plan of tapefree.primal.f
; CHECK-NEXT: loop %loop: heap, rows %{{.*}} of 8 bytes: %{{[uv]$}}
; CHECK-DAG: %v : keep
; CHECK-DAG: %u : keep
; CHECK-DAG: %test : recompute
define void @g(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %c, ptr %dc, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %c, ptr %dc, i64 %n)
  ret void
}
