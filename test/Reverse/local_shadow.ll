; The shadow of a local array is local, of the same size, and zero at first; a constant array gets none.
; RUN: %opt -passes='tapefree,verify' -S %s | FileCheck %s

declare void @__enzyme_autodiff(...)

define double @f(double %x, i64 %i, i64 %j) {
  %t = alloca [40 x double], align 8
  %c = alloca [50 x i64], align 8
  %cp = getelementptr inbounds i64, ptr %c, i64 %i
  store i64 %j, ptr %cp, align 8
  %k = load i64, ptr %c, align 8
  %p = getelementptr inbounds double, ptr %t, i64 %k
  store double %x, ptr %p, align 8
  %q = getelementptr inbounds double, ptr %t, i64 %j
  %v = load double, ptr %q, align 8
  %y = fmul double %v, %v
  ret double %y
}

; CHECK-LABEL: define internal { double } @tapefree.gradient.f(
; CHECK-DAG: %[[SHADOW:.*shadow.*]] = alloca [320 x i8]
; CHECK-DAG: alloca [40 x double]
; CHECK-DAG: alloca [50 x i64]
; CHECK-DAG: call void @llvm.memset.{{.*}}(ptr {{.*}}%[[SHADOW]], i8 0, i64 320
; CHECK-NOT: alloca
; CHECK: ret
define void @g(double %x, i64 %i, i64 %j) {
  call void (...) @__enzyme_autodiff(ptr @f, double %x, i64 %i, i64 %j)
  ret void
}
