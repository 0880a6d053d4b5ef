; The reverse of a store takes the adjoint out of the shadow and leaves zero there: what lay in the memory before has no
; part in what is read later.
; RUN: %opt -passes='tapefree,verify' -S %s | FileCheck %s

declare void @__enzyme_autodiff(...)

define void @f(ptr noalias %x, ptr noalias %y) {
  %v = load double, ptr %x, align 8
  %w = fmul double %v, 3.0
  store double %w, ptr %y, align 8
  ret void
}

; CHECK-LABEL: define internal void @tapefree.gradient.f(ptr noalias %x, ptr %x.shadow, ptr noalias %y, ptr %y.shadow)
; CHECK: [[A:%.*]] = load double, ptr %y.shadow
; CHECK: store double 0.000000e+00, ptr %y.shadow
; CHECK: [[B:%.*]] = fmul double {{.*}}3.000000e+00
; CHECK: load double, ptr %x.shadow
; CHECK: store double %{{.*}}, ptr %x.shadow
; CHECK: ret void
define void @g(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %y, ptr %dy)
  ret void
}

; A constant that is stored ends the derivative of what was there.
define void @reset(ptr %x) {
  store double 1.0, ptr %x, align 8
  ret void
}

; CHECK-LABEL: define internal void @tapefree.gradient.reset(
; CHECK: store double 0.000000e+00, ptr %x.shadow
; CHECK: ret void
define void @h(ptr %x, ptr %dx) {
  call void (...) @__enzyme_autodiff(ptr @reset, ptr %x, ptr %dx)
  ret void
}
