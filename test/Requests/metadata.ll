; The spelling of other front ends: markers as metadata strings.
; RUN: %opt -passes='print<tapefree-requests>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='tapefree,verify' -disable-output %s

declare double @__enzyme_autodiff(...)
declare { double, double } @__enzyme_fwddiff_one(...)
declare void @__tapefree_autodiff_options(...)

define double @f(ptr %a, double %s, i64 %n) {
  %v = load double, ptr %a, align 8
  %p = fmul double %v, %s
  ret double %p
}

define double @square(double %x) {
  %y = fmul double %x, %x
  ret double %y
}

; CHECK: reverse f(dup, out, const) return active
define double @enzyme(ptr %a, ptr %da, double %s, i64 %n) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, metadata !"enzyme_dup", ptr %a, ptr %da, metadata !"enzyme_out", double %s, metadata !"enzyme_const", i64 %n)
  ret double %r
}

; CHECK-NEXT: forward square(dup) return active with primal
define double @forward(double %x, double %dx) {
  %r = call { double, double } (...) @__enzyme_fwddiff_one(ptr @square, metadata !"enzyme_primal_return", metadata !"enzyme_dup", double %x, double %dx)
  %v = extractvalue { double, double } %r, 0
  ret double %v
}

; CHECK-NEXT: reverse square(const) return const strict
define void @options(double %x) {
  call void (...) @__tapefree_autodiff_options(ptr @square, metadata !"tapefree_noret", metadata !"tapefree_strict", metadata !"tapefree_const", double %x)
  ret void
}
