; Kept values on the heap: one allocation before the loop, freed before the end; on the stack: an array and no allocation.
; RUN: %opt -passes='tapefree,verify' -S %s | FileCheck %s

declare void @__enzyme_autodiff(...)

define void @heap(ptr noalias %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p, align 8
  %w = fmul double %v, %v
  store double %w, ptr %p, align 8
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

define double @stack(double %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = phi double [ %x, %entry ], [ %q, %loop ]
  %q = fmul double %p, %p
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 100
  br i1 %more, label %loop, label %end
end:
  ret double %q
}

define void @g(ptr %x, ptr %dx, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @heap, ptr %x, ptr %dx, i64 %n)
  call void (...) @__enzyme_autodiff(ptr @stack, double 1.0)
  ret void
}

; CHECK-LABEL: define internal void @tapefree.gradient.heap(
; CHECK: call {{.*}}ptr @{{.*}}alloc{{.*}}(i64
; CHECK: br i1
; CHECK: call void @free(ptr
; CHECK: ret void

; CHECK-LABEL: define internal {{.*}} @tapefree.gradient.stack(
; CHECK: alloca [800 x i8]
; CHECK-NOT: alloc
; CHECK: ret
