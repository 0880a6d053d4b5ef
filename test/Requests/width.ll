; Batches: the width, and the layout of each shadow.
; RUN: %opt -passes='print<tapefree-requests>' -disable-output %s 2>&1 | FileCheck %s

@tapefree_width = external global i32
@tapefree_dup = external global i32
@tapefree_dupv = external global i32
@tapefree_dupi = external global i32
@enzyme_width = external global i32
@enzyme_dupnoneedv = external global i32

declare void @__tapefree_autodiff_v(ptr, ...)
declare void @__enzyme_fwddiff_v(ptr, ...)

define double @f(ptr %x, ptr %y, double %s) {
  %v = load double, ptr %x
  store double %v, ptr %y
  %p = fmul double %v, %s
  ret double %p
}

; CHECK: reverse f(dup separate, dup interleaved, out) return active width 2
; CHECK-NEXT: forward f(dupnoneed separate, dup interleaved, dup) return active width 3
; CHECK-NEXT: reverse f(dup, dup, out) return active{{$}}
define void @calls(ptr %x, ptr %y, ptr %a, ptr %b, ptr %c) {
  call void (ptr, ...) @__tapefree_autodiff_v(ptr @f, ptr @tapefree_width, i32 2, ptr @tapefree_dup, ptr %x, ptr %a, ptr %b, ptr @tapefree_dupi, ptr %y, ptr %c, double 1.0)
  call void (ptr, ...) @__enzyme_fwddiff_v(ptr @f, ptr @enzyme_width, i32 3, ptr @enzyme_dupnoneedv, i64 8, ptr %x, ptr %a, ptr @tapefree_dupi, ptr %y, ptr %c, double 1.0, double 1.0, double 2.0, double 3.0)
  call void (ptr, ...) @__tapefree_autodiff_v(ptr @f, ptr @tapefree_width, i32 1, ptr @tapefree_dup, ptr %x, ptr %a, ptr @tapefree_dupi, ptr %y, ptr %c, double 1.0)
  ret void
}
