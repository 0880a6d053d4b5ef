; Where kept values lie: a constant number of rows on the stack, a known number in one heap block over all runs of the loop,
; an unknown one in a block that grows.
; RUN: %opt -passes='print<tapefree-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='tapefree,verify' -disable-output %s

declare void @__enzyme_autodiff(...)

define double @constant(double %x) {
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

; CHECK-LABEL: plan of tapefree.primal.constant
; CHECK-NEXT: loop %loop: stack, 100 rows of 8 bytes: %p
define void @a(double %x) {
  call void (...) @__enzyme_autodiff(ptr @constant, double %x)
  ret void
}

; 16 KiB is the limit of the stack.
define double @long(double %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = phi double [ %x, %entry ], [ %q, %loop ]
  %q = fmul double %p, %p
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 2049
  br i1 %more, label %loop, label %end
end:
  ret double %q
}

; CHECK-LABEL: plan of tapefree.primal.long
; CHECK-NEXT: loop %loop: heap, rows 2049 of 8 bytes: %p
define void @b(double %x) {
  call void (...) @__enzyme_autodiff(ptr @long, double %x)
  ret void
}

define double @nest(double %x, i64 %m, i64 %n) {
entry:
  br label %outer
outer:
  %o = phi i64 [ 0, %entry ], [ %o.next, %outer.latch ]
  %r = phi double [ %x, %entry ], [ %s, %outer.latch ]
  br label %inner
inner:
  %i = phi i64 [ 0, %outer ], [ %i.next, %inner ]
  %p = phi double [ %r, %outer ], [ %q, %inner ]
  %q = fmul double %p, %p
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp slt i64 %i.next, %n
  br i1 %i.more, label %inner, label %outer.latch
outer.latch:
  %s = phi double [ %q, %inner ]
  %o.next = add nuw nsw i64 %o, 1
  %o.more = icmp slt i64 %o.next, %m
  br i1 %o.more, label %outer, label %end
end:
  ret double %s
}

; CHECK-LABEL: plan of tapefree.primal.nest
; CHECK-NEXT: loop %outer: keeps nothing
; CHECK-NEXT: loop %inner: heap, rows %{{.*}} of 8 bytes: %p
define void @c(double %x, i64 %m, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @nest, double %x, i64 %m, i64 %n)
  ret void
}

define double @while(double %x) {
entry:
  br label %loop
loop:
  %p = phi double [ %x, %entry ], [ %q, %loop ]
  %q = fmul double %p, %p
  %more = fcmp olt double %q, 1.0e+10
  br i1 %more, label %loop, label %end
end:
  ret double %q
}

; CHECK-LABEL: plan of tapefree.primal.while
; CHECK-NEXT: loop %loop: heap, growing of 8 bytes: %p
; CHECK-DAG: %tapefree.trips : slot
define void @d(double %x) {
  call void (...) @__enzyme_autodiff(ptr @while, double %x)
  ret void
}
