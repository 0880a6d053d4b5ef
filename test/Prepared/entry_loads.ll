; The buffers of a struct, and what nothing overwrites in them, are read in the entry block, although the source reads them
; behind a loop; not where the loop may have changed them.
; RUN: %opt -passes='print<tapefree-prepared>' -disable-output %s 2>&1 | FileCheck %s

%model = type { ptr, ptr }
declare void @__enzyme_autodiff(...)

define void @f(ptr noalias %m, ptr noalias %x, i64 %n) {
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
  %second = getelementptr inbounds %model, ptr %m, i64 0, i32 1
  %buffer = load ptr, ptr %second, align 8
  %u = load double, ptr %buffer, align 8
  store double %u, ptr %x, align 8
  ret void
}

; CHECK-LABEL: define internal void @tapefree.primal.f(
; CHECK-NEXT: entry:
; CHECK: %buffer = load ptr, ptr %second
; CHECK-NEXT: %u = load double, ptr %buffer
; CHECK: br label
define void @a(ptr %m, ptr %dm, ptr %x, ptr %dx, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %m, ptr %dm, ptr %x, ptr %dx, i64 %n)
  ret void
}

define void @changed(ptr %m, ptr %x, i64 %n) {
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
  %buffer = load ptr, ptr %m, align 8
  %u = load double, ptr %buffer, align 8
  store double %u, ptr %x, align 8
  ret void
}

; CHECK-LABEL: define internal void @tapefree.primal.changed(
; CHECK: store double %w
; CHECK: %buffer = load ptr, ptr %m
define void @b(ptr %m, ptr %dm, ptr %x, ptr %dx, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @changed, ptr %m, ptr %dm, ptr %x, ptr %dx, i64 %n)
  ret void
}
