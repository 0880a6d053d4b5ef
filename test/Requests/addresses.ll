; A marker by its address: the global itself, cast to an integer, or through a global alias of the function.
; RUN: %opt -passes='print<tapefree-requests>' -disable-output %s 2>&1 | FileCheck %s

@tapefree_dup = external global i32
@enzyme_const = external global i32
@enzyme_out = external global i32
@enzyme_dup = external global ptr

declare double @__enzyme_autodiff(...)
declare double @__tapefree_autodiff(ptr, ...)

define double @f(ptr %a, double %s) {
  %v = load double, ptr %a, align 8
  %p = fmul double %v, %s
  ret double %p
}
@same = alias double (ptr, double), ptr @f

; CHECK: reverse f(dup, out) return active
define double @address(ptr %a, ptr %da, double %s) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr @tapefree_dup, ptr %a, ptr %da, ptr @enzyme_out, double %s)
  ret double %r
}

; CHECK-NEXT: reverse f(const, out) return active
define double @integer(ptr %a, double %s) {
  %r = call double (ptr, ...) @__tapefree_autodiff(ptr @f, i64 ptrtoint (ptr @enzyme_const to i64), ptr %a, double %s)
  ret double %r
}

; CHECK-NEXT: reverse f(const, out) return active
define double @truncated(ptr %a, double %s) {
  %m = ptrtoint ptr @enzyme_const to i64
  %t = trunc i64 %m to i32
  %r = call double (ptr, ...) @__tapefree_autodiff(ptr @f, i32 %t, ptr %a, double %s)
  ret double %r
}

; Enzyme's C headers declare some markers as pointers.
; CHECK-NEXT: reverse f(dup, const) return active
define double @pointer(ptr %a, ptr %da, double %s) {
  %m = load ptr, ptr @enzyme_dup, align 8
  %r = call double (...) @__enzyme_autodiff(ptr @f, ptr %m, ptr %a, ptr %da, ptr @enzyme_const, double %s)
  ret double %r
}

; CHECK-NEXT: reverse f(dup, out) return active
define double @alias(ptr %a, ptr %da, double %s) {
  %r = call double (...) @__enzyme_autodiff(ptr @same, ptr %a, ptr %da, double %s)
  ret double %r
}
