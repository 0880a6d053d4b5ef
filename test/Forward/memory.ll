; Each load and store of memory with a shadow has a twin on the shadow; in one loop, which stays one.
; RUN: %opt -passes='tapefree,verify' -S %s | FileCheck %s

declare void @__enzyme_fwddiff(...)

define void @f(ptr noalias %x, ptr noalias %z, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p, align 8
  %w = fmul double %v, 3.0
  %q = getelementptr inbounds double, ptr %z, i64 %i
  store double %w, ptr %q, align 8
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define internal void @tapefree.tangent.f(
; CHECK-NOT: alloc
; CHECK-COUNT-2: load double
; CHECK-NOT: load double
; CHECK-COUNT-2: store double
; CHECK-NOT: store double
; CHECK: ret void
define void @g(ptr %x, ptr %dx, ptr %z, ptr %dz, i64 %n) {
  call void (...) @__enzyme_fwddiff(ptr @f, ptr %x, ptr %dx, ptr %z, ptr %dz, i64 %n)
  ret void
}
