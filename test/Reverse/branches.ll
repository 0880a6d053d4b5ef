; The reverse of a branch takes the branch that the primal took; what the other side holds does not run.
; RUN: %opt -passes='tapefree,verify' -S %s | FileCheck %s

declare double @__enzyme_autodiff(...)
declare double @llvm.exp.f64(double)

define double @f(double %x) {
entry:
  %test = fcmp ogt double %x, 1.0
  br i1 %test, label %big, label %end
big:
  %e = call double @llvm.exp.f64(double %x)
  br label %end
end:
  %y = phi double [ %x, %entry ], [ %e, %big ]
  ret double %y
}

; CHECK-LABEL: define internal { double } @tapefree.gradient.f(double %x, double %{{.*}})
; CHECK: [[TEST:%.*]] = fcmp ogt double %x, 1.000000e+00
; CHECK: br i1 [[TEST]], label %[[BIG:[^,]*]], label %[[END:.*]]
; CHECK: [[BIG]]:
; CHECK: [[E:%.*]] = call double @llvm.exp.f64(double %x)
; CHECK-NEXT: fmul double %{{.*}}, [[E]]
; CHECK: [[END]]:
; CHECK-NEXT: phi double
define double @g(double %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
