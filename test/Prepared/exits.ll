; Code that ends in an exception becomes an exit: an ordinary call that does not come back, or what a bundle says of a
; call that may throw past it.
; RUN: %opt -passes='print<tapefree-prepared>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: define internal double @tapefree.primal.f(
; CHECK-NOT: landingpad
; CHECK: call void @may_throw() [ "tapefree.unwind"(ptr @[[UNWIND:.*]], i1 false, ptr %block) ]
; CHECK: call void @tapefree.exit.tapefree.primal.f{{.*}}captures(none) %block)
; CHECK-NEXT: unreachable
; CHECK-NOT: landingpad
; CHECK: ret double

declare i32 @__gxx_personality_v0(...)
declare ptr @malloc(i64)
declare void @free(ptr)
declare void @may_throw()
declare void @_ZSt20__throw_out_of_rangePKc(ptr) noreturn
declare double @__tapefree_autodiff(ptr, double)

define double @f(double %x) personality ptr @__gxx_personality_v0 {
entry:
  %block = call ptr @malloc(i64 8)
  store double %x, ptr %block
  invoke void @may_throw() to label %next unwind label %pad
next:
  %bad = fcmp olt double %x, 0.0
  br i1 %bad, label %throw, label %good
throw:
  invoke void @_ZSt20__throw_out_of_rangePKc(ptr null) to label %never unwind label %pad
never:
  unreachable
good:
  %y = load double, ptr %block
  call void @free(ptr %block)
  %r = fmul double %y, %y
  ret double %r
pad:
  %e = landingpad { ptr, i32 } cleanup
  call void @free(ptr %block)
  resume { ptr, i32 } %e
}
define double @adjoint(double %x) {
  %d = call double @__tapefree_autodiff(ptr @f, double %x)
  ret double %d
}
