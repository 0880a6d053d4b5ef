; What is overwritten is kept, with the cause: one heap block, sized before the loop.
; RUN: %opt -passes='print<tapefree-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='tapefree,verify' -disable-output %s

declare void @__enzyme_autodiff(...)

define void @in_place(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %xp = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %xp, align 8
  %w = fmul double %v, %v
  store double %w, ptr %xp, align 8
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: plan of tapefree.primal.in_place
; CHECK-NEXT: loop %loop: heap, rows %{{.*}} of 8 bytes: %v
; CHECK: %v : keep because overwritten by store exactly
define void @a(ptr %x, ptr %dx, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @in_place, ptr %x, ptr %dx, i64 %n)
  ret void
}

; Two buffers of which nothing is known.
define void @overlap(ptr %x, ptr %z, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %xp = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %xp, align 8
  %w = fmul double %v, %v
  %zp = getelementptr inbounds double, ptr %z, i64 %i
  store double %w, ptr %zp, align 8
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: plan of tapefree.primal.overlap
; CHECK-NEXT: loop %loop: heap, rows %{{.*}} of 8 bytes: %v
; CHECK: %v : keep because overwritten by store maybe
define void @b(ptr %x, ptr %dx, ptr %z, ptr %dz, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @overlap, ptr %x, ptr %dx, ptr %z, ptr %dz, i64 %n)
  ret void
}

; Each iteration needs the value that the one before computed.
define double @carried(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = phi double [ 1.0, %entry ], [ %q, %loop ]
  %xp = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %xp, align 8
  %q = fmul double %p, %v
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret double %q
}

; CHECK-LABEL: plan of tapefree.primal.carried
; CHECK-NEXT: loop %loop: heap, rows %{{.*}} of 8 bytes: %p
; CHECK-DAG: %p : keep{{$}}
; CHECK-DAG: %v : reload
define void @c(ptr %x, ptr %dx, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @carried, ptr %x, ptr %dx, i64 %n)
  ret void
}
