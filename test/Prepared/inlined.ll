; Visible callees are inlined, also those of callees and those marked noinline; the user's functions stay as they are. A
; recursive one stays a call.
; RUN: %opt -passes='print<tapefree-prepared>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='print<tapefree-prepared>' -S %s -o - 2>/dev/null | FileCheck %s --check-prefix=USER

declare double @__enzyme_autodiff(...)

define internal double @inner(double %x) noinline optnone {
  %slot = alloca double, align 8
  store double %x, ptr %slot, align 8
  %v = load double, ptr %slot, align 8
  %y = fmul double %v, %x
  ret double %y
}
define internal double @outer(double %x) noinline {
  %a = call double @inner(double %x)
  %b = call double @inner(double %a)
  ret double %b
}
define double @f(double %x) {
  %y = call double @outer(double %x)
  ret double %y
}

; CHECK-LABEL: define internal double @tapefree.primal.f(double %x)
; CHECK-NOT: {{call|alloca|load|store}}
; CHECK: [[A:%.*]] = fmul double %x, %x
; CHECK: [[B:%.*]] = fmul double [[A]], [[A]]
; CHECK: ret double [[B]]
; CHECK-NEXT: }

; USER: define internal double @inner(double %x) #[[#]]
; USER: alloca double
; USER: define double @f(double %x)
; USER-NEXT: call double @outer(double %x)
define double @g(double %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}

define internal double @power(double %x, i64 %n) {
entry:
  %zero = icmp eq i64 %n, 0
  br i1 %zero, label %end, label %more
more:
  %m = sub i64 %n, 1
  %p = call double @power(double %x, i64 %m)
  %q = fmul double %p, %x
  br label %end
end:
  %r = phi double [ 1.0, %entry ], [ %q, %more ]
  ret double %r
}
define double @recursive(double %x, i64 %n) {
  %y = call double @power(double %x, i64 %n)
  ret double %y
}

; CHECK-LABEL: define internal double @tapefree.primal.recursive(
; CHECK: call double @power(double %x, i64 %n)
define double @h(double %x, i64 %n) {
  %r = call double (...) @__enzyme_autodiff(ptr @recursive, double %x, i64 %n)
  ret double %r
}
