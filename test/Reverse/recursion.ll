; A recursive function is split: a first half that runs the primal and returns a record, and a second that takes it back.
; RUN: %opt -passes='tapefree,verify' -S %s | FileCheck %s

declare double @__enzyme_autodiff(...)

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
define double @f(double %x, i64 %n) {
  %y = call double @power(double %x, i64 %n)
  ret double %y
}

; CHECK-LABEL: define internal { double } @tapefree.gradient.f(
; CHECK: [[BOTH:%.*]] = call {{.*}} @[[AUGMENTED:tapefree[^(]*power]](double %x, i64 %n)
; CHECK: [[RECORD:%.*]] = extractvalue {{.*}} [[BOTH]]
; CHECK: call {{.*}} @[[REVERSE:tapefree[^(]*power]]({{.*}}ptr [[RECORD]]
; CHECK: ret { double }
define double @g(double %x, i64 %n) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  ret double %r
}
