; The usual C and C++ spelling: each marker is a load of an external integer. Both families of names, both modes.
; RUN: %opt -passes='print<tapefree-requests>' -disable-output %s 2>&1 | FileCheck %s

@tapefree_dup = external global i32
@tapefree_dupnoneed = external global i32
@tapefree_const = external global i32
@tapefree_out = external global i32
@enzyme_dup = external global i32
@enzyme_dupnoneed = external global i32
@enzyme_const = external global i32
@enzyme_out = external global i32

declare double @__tapefree_autodiff(...)
declare double @__enzyme_autodiff(...)
declare double @__enzyme_fwddiff(...)

define double @f(ptr %a, ptr %b, double %s, i64 %n) {
  %v = load double, ptr %a, align 8
  %p = fmul double %v, %s
  store double %p, ptr %b, align 8
  ret double %p
}

; CHECK: reverse f(dup, dupnoneed, out, const) return active
define double @tapefree(ptr %a, ptr %da, ptr %b, ptr %db, double %s, i64 %n) {
  %dup = load i32, ptr @tapefree_dup, align 4
  %dnn = load i32, ptr @tapefree_dupnoneed, align 4
  %out = load i32, ptr @tapefree_out, align 4
  %const = load i32, ptr @tapefree_const, align 4
  %r = call double (...) @__tapefree_autodiff(ptr @f, i32 %dup, ptr %a, ptr %da, i32 %dnn, ptr %b, ptr %db, i32 %out, double %s, i32 %const, i64 %n)
  ret double %r
}

; CHECK-NEXT: reverse f(const, dup, const, const) return active
define double @enzyme(ptr %a, ptr %b, ptr %db, double %s, i64 %n) {
  %const = load i32, ptr @enzyme_const, align 4
  %dup = load i32, ptr @enzyme_dup, align 4
  %r = call double (...) @__enzyme_autodiff(ptr @f, i32 %const, ptr %a, i32 %dup, ptr %b, ptr %db, i32 %const, double %s, i32 %const, i64 %n)
  ret double %r
}

; One load may serve several arguments, and the families may be mixed.
; CHECK-NEXT: reverse f(dup, dupnoneed, out, const) return active
define double @mixed(ptr %a, ptr %da, ptr %b, ptr %db, double %s, i64 %n) {
  %dup = load i32, ptr @enzyme_dup, align 4
  %dnn = load i32, ptr @enzyme_dupnoneed, align 4
  %out = load i32, ptr @enzyme_out, align 4
  %const = load i32, ptr @tapefree_const, align 4
  %r = call double (...) @__tapefree_autodiff(ptr @f, i32 %dup, ptr %a, ptr %da, i32 %dnn, ptr %b, ptr %db, i32 %out, double %s, i32 %const, i64 %n)
  ret double %r
}

; Forward mode: a floating value is dup, with a tangent.
; CHECK-NEXT: forward f(dup, const, dup, const) return active
define double @forward(ptr %a, ptr %da, ptr %b, double %s, double %ds, i64 %n) {
  %dup = load i32, ptr @enzyme_dup, align 4
  %const = load i32, ptr @enzyme_const, align 4
  %r = call double (...) @__enzyme_fwddiff(ptr @f, i32 %dup, ptr %a, ptr %da, i32 %const, ptr %b, i32 %dup, double %s, double %ds, i32 %const, i64 %n)
  ret double %r
}
; CHECK-NOT: {{.}}
