; Through always_inline wrappers, as the typed API of C++ has: the function and the markers are the wrapper's parameters,
; and reach the call by way of local memory at -O0.
; RUN: %opt -passes='print<tapefree-requests>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='tapefree,verify' -S %s | FileCheck %s --check-prefix=GONE

@tapefree_const = external global i32

declare double @__tapefree_autodiff(ptr, i32, double, double)

define linkonce_odr double @inner(ptr %f, double %x, double %y) alwaysinline {
  %slot = alloca ptr, align 8
  store ptr %f, ptr %slot, align 8
  %g = load ptr, ptr %slot, align 8
  %const = load i32, ptr @tapefree_const, align 4
  %r = call double @__tapefree_autodiff(ptr %g, i32 %const, double %x, double %y)
  ret double %r
}
define linkonce_odr double @outer(ptr %f, double %x, double %y) alwaysinline {
  %r = call double @inner(ptr %f, double %x, double %y)
  ret double %r
}

define double @product(double %x, double %y) {
  %p = fmul double %x, %y
  ret double %p
}
define double @quotient(double %x, double %y) {
  %p = fdiv double %x, %y
  ret double %p
}

; CHECK: reverse product(const, out) return active
; CHECK-NEXT: reverse quotient(const, out) return active
; CHECK-NOT: {{.}}
; GONE-NOT: define {{.*}} @inner
; GONE-NOT: define {{.*}} @outer
; GONE-NOT: call {{.*}}__tapefree_autodiff
define double @user(double %x, double %y) {
  %a = call double @outer(ptr @product, double %x, double %y)
  %b = call double @inner(ptr @quotient, double %x, double %y)
  %r = fadd double %a, %b
  ret double %r
}
