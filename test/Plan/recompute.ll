; The ways of computing again: the instruction once more, the loop's counter, a recurrence, the path of a merge.
; RUN: %opt -passes='print<tapefree-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='tapefree,verify' -disable-output %s

declare void @__enzyme_autodiff(...)

; The index i (i + 1) / 2 grows by one more each time.
define void @recurrence(ptr noalias %x, ptr noalias %z, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %t = phi i64 [ 0, %entry ], [ %t.next, %loop ]
  %xp = getelementptr inbounds double, ptr %x, i64 %t
  %v = load double, ptr %xp, align 8
  %w = fmul double %v, %v
  %zp = getelementptr inbounds double, ptr %z, i64 %i
  store double %w, ptr %zp, align 8
  %i.next = add nuw nsw i64 %i, 1
  %t.next = add nsw i64 %t, %i.next
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: plan of tapefree.primal.recurrence
; CHECK-NEXT: loop %loop: keeps nothing
; CHECK-NOT: keep
; CHECK: %t : recompute recurrence
define void @a(ptr %x, ptr %dx, ptr %z, ptr %dz, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @recurrence, ptr %x, ptr %dx, ptr %z, ptr %dz, i64 %n)
  ret void
}

; Which side gave the factor is decided again by the same condition.
define void @path(ptr noalias %x, ptr noalias %z, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %xp = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %xp, align 8
  %test = fcmp ogt double %v, 0.0
  br i1 %test, label %big, label %latch
big:
  %e = call double @llvm.exp.f64(double %v)
  br label %latch
latch:
  %factor = phi double [ %v, %loop ], [ %e, %big ]
  %w = fmul double %factor, %v
  %zp = getelementptr inbounds double, ptr %z, i64 %i
  store double %w, ptr %zp, align 8
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
declare double @llvm.exp.f64(double)

; CHECK-LABEL: plan of tapefree.primal.path
; CHECK-NEXT: loop %loop: keeps nothing
; CHECK-NOT: keep
; CHECK-DAG: %factor : recompute path
; CHECK-DAG: %test : recompute{{$}}
; CHECK-DAG: %e : recompute{{$}}
; CHECK-DAG: %v : reload
define void @b(ptr %x, ptr %dx, ptr %z, ptr %dz, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @path, ptr %x, ptr %dx, ptr %z, ptr %dz, i64 %n)
  ret void
}
