; Without markers: a pointer is dup with its shadow, an integer const, a floating value out (forward mode: dup).
; RUN: %opt -passes='print<tapefree-requests>' -disable-output %s 2>&1 | FileCheck %s

@tapefree_const = external global i32

declare double @__enzyme_autodiff(...)
declare double @__enzyme_fwddiff(...)
declare void @__tapefree_autodiff_none(...)
declare double @__enzyme_autodiff_seeded(...)

define double @f(ptr %a, double %s, i64 %n) {
  %v = load double, ptr %a, align 8
  %p = fmul double %v, %s
  ret double %p
}
define float @single(float %x, i32 %n) {
  %y = fmul float %x, %x
  ret float %y
}
define void @nothing() {
  ret void
}
define i64 @count(ptr %a) {
  ret i64 0
}

; CHECK: reverse f(dup, out, const) return active
define double @reverse(ptr %a, ptr %da, double %s, i64 %n) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr %a, ptr %da, double %s, i64 %n)
  ret double %r
}

; CHECK-NEXT: forward f(dup, dup, const) return active
define double @forward(ptr %a, ptr %da, double %s, double %ds, i64 %n) {
  %r = call double (...) @__enzyme_fwddiff(ptr @f, ptr %a, ptr %da, double %s, double %ds, i64 %n)
  ret double %r
}

; A marker for one argument leaves the defaults of the others.
; CHECK-NEXT: reverse f(const, out, const) return active
define double @partly(ptr %a, double %s, i64 %n) {
  %const = load i32, ptr @tapefree_const, align 4
  %r = call double (...) @__enzyme_autodiff(ptr @f, i32 %const, ptr %a, double %s, i64 %n)
  ret double %r
}

; C's default promotions of a call without a prototype: a float travels as a double, an i32 as it is or longer.
; CHECK-NEXT: reverse single(out, const) return active
define double @promoted(double %x, i64 %n) {
  %r = call double (...) @__enzyme_autodiff(ptr @single, double %x, i64 %n)
  ret double %r
}

; One floating value more than there are parameters is the seed of the result.
; CHECK-NEXT: reverse f(dup, out, const) return active
define double @seeded(ptr %a, ptr %da, double %s, i64 %n, double %seed) {
  %r = call double (...) @__enzyme_autodiff_seeded(ptr @f, ptr %a, ptr %da, double %s, i64 %n, double %seed)
  ret double %r
}

; CHECK-NEXT: reverse nothing() return const
; CHECK-NEXT: reverse count(dup) return const
define void @no_parameters(ptr %a, ptr %da) {
  call void (...) @__tapefree_autodiff_none(ptr @nothing)
  call void (...) @__tapefree_autodiff_none(ptr @count, ptr %a, ptr %da)
  ret void
}
