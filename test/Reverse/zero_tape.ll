; A gradient that keeps nothing allocates nothing: one loop forward at most, one loop back, and the shadow is read, added to
; and written.
; RUN: %opt -passes='tapefree,verify' -S %s | FileCheck %s --implicit-check-not='call {{.*}}@malloc' --implicit-check-not='@realloc'

declare void @__enzyme_autodiff(...)

define double @dot(ptr noalias %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p, align 8
  %w = fmul double %v, %v
  %t = fadd double %s, %w
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret double %t
}

; CHECK-LABEL: define internal void @tapefree.gradient.dot(
; CHECK: br label %[[BODY:.*]]
; CHECK: [[BODY]]:
; CHECK: [[K:%.*]] = phi i64
; CHECK: [[V:%.*]] = load double, ptr %{{.*}}
; CHECK: fmul double
; CHECK: [[D:%.*]] = load double, ptr [[SHADOW:%[^,]*]]
; CHECK: [[SUM:%.*]] = fadd double
; CHECK: store double [[SUM]], ptr [[SHADOW]]
; CHECK: br i1 %{{.*}}, label %{{.*}}, label %[[BODY]]
; CHECK: ret void
define void @g(ptr %x, ptr %dx, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @dot, ptr %x, ptr %dx, i64 %n)
  ret void
}
