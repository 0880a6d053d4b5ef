; A loop without anything to reverse is passed by: neither its number of iterations nor anything in it is needed.
; RUN: %opt -passes='print<tapefree-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='tapefree,verify' -disable-output %s

@tapefree_const = external global i32
declare void @__enzyme_autodiff(...)

define double @f(double %x, ptr %k) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr inbounds i64, ptr %k, i64 %i
  %v = load i64, ptr %p, align 8
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %v, 0
  br i1 %more, label %loop, label %middle
middle:
  %n = phi i64 [ %i.next, %loop ]
  br label %work
work:
  %j = phi i64 [ 0, %middle ], [ %j.next, %work ]
  %s = phi double [ %x, %middle ], [ %t, %work ]
  %t = fmul double %s, %x
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %n
  br i1 %j.more, label %work, label %end
end:
  ret double %t
}

; CHECK-LABEL: plan of tapefree.primal.f
; CHECK-DAG: loop %loop: passed by
; CHECK-DAG: loop %work: heap, rows %{{.*}} of 8 bytes: %s
; CHECK-NOT: %v :
define void @g(double %x, ptr %k) {
  %const = load i32, ptr @tapefree_const, align 4
  call void (...) @__enzyme_autodiff(ptr @f, double %x, i32 %const, ptr %k)
  ret void
}
