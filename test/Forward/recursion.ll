; The tangent of a recursive function calls itself.
; RUN: %opt -passes='tapefree,verify' -S %s | FileCheck %s

declare double @__enzyme_fwddiff(...)

define double @power(double %x, i64 %n) {
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

; CHECK: define internal {{.*}} @[[T:tapefree\.tangent\.[^(]*]](double %x, double %{{.*}}, i64 %n)
; CHECK: call {{.*}} @{{tapefree\.tangent\.[^(]*}}(double %x, double %{{.*}}, i64 %
define double @g(double %x, i64 %n) {
  %r = call double (...) @__enzyme_fwddiff(ptr @power, double %x, double 1.0, i64 %n)
  ret double %r
}
