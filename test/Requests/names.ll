; Which names ask for a derivative: plain, with a suffix, mangled as a function, a template, or inside a namespace; markers
; inside a namespace are mangled too. A defined function of such a name is somebody's own, and so are other verbs.
; RUN: %opt -passes='print<tapefree-requests>' -disable-output %s 2>&1 | FileCheck %s

@_ZN8tapefree14tapefree_constE = external global i32
@_ZL10enzyme_out = external global i32

declare double @__enzyme_autodiff(ptr, double)
declare double @__enzyme_autodiff_with_suffix(ptr, double)
declare double @_Z17__enzyme_autodiffPvd(ptr, double)
declare double @_Z19__tapefree_autodiffIdJdEET_PvDpT0_(ptr, double)
declare double @_ZN5inner18__tapefree_fwddiffIdJddEEET_PvDpT0_(ptr, double, double)
declare double @_Z17__enzyme_autodiffIdJidEET_PvDpT0_(ptr, i32, double)
declare double @__enzyme_other(ptr, double)

define double @__enzyme_autodiff_mine(ptr %f, double %x) {
  ret double %x
}

define double @f(double %x) {
  %y = fmul double %x, %x
  ret double %y
}

; CHECK: reverse f(out) return active
; CHECK-NEXT: reverse f(out) return active
; CHECK-NEXT: reverse f(out) return active
; CHECK-NEXT: reverse f(out) return active
; CHECK-NEXT: forward f(dup) return active
; CHECK-NEXT: reverse f(const) return active
; CHECK-NEXT: reverse f(out) return active
; CHECK-NOT: {{.}}
define void @calls(double %x, double %dx) {
  %1 = call double @__enzyme_autodiff(ptr @f, double %x)
  %2 = call double @__enzyme_autodiff_with_suffix(ptr @f, double %x)
  %3 = call double @_Z17__enzyme_autodiffPvd(ptr @f, double %x)
  %4 = call double @_Z19__tapefree_autodiffIdJdEET_PvDpT0_(ptr @f, double %x)
  %5 = call double @_ZN5inner18__tapefree_fwddiffIdJddEEET_PvDpT0_(ptr @f, double %x, double %dx)
  %const = load i32, ptr @_ZN8tapefree14tapefree_constE, align 4
  %6 = call double @_Z17__enzyme_autodiffIdJidEET_PvDpT0_(ptr @f, i32 %const, double %x)
  %out = load i32, ptr @_ZL10enzyme_out, align 4
  %7 = call double @_Z17__enzyme_autodiffIdJidEET_PvDpT0_(ptr @f, i32 %out, double %x)
  %8 = call double @__enzyme_other(ptr @f, double %x)
  %9 = call double @__enzyme_autodiff_mine(ptr @f, double %x)
  ret void
}
