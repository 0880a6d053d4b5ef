; A local array has a shadow when derivatives pass through it: not when only constants lie in it, nor when what lies in it is
; never used. The same for memory of malloc.
; RUN: %opt -passes='print<tapefree-activity>' -disable-output %s 2>&1 | FileCheck %s

declare void @__enzyme_autodiff(...)
declare noalias ptr @malloc(i64)
declare void @free(ptr)

define double @f(double %x, i64 %i, i64 %j) {
  %through = alloca [40 x double], align 8
  %constants = alloca [40 x double], align 8
  %heap = call noalias ptr @malloc(i64 320)
  %tp = getelementptr inbounds double, ptr %through, i64 %i
  store double %x, ptr %tp, align 8
  %cp = getelementptr inbounds double, ptr %constants, i64 %i
  store double 3.0, ptr %cp, align 8
  %hp = getelementptr inbounds double, ptr %heap, i64 %i
  store double %x, ptr %hp, align 8
  %tq = getelementptr inbounds double, ptr %through, i64 %j
  %t = load double, ptr %tq, align 8
  %cq = getelementptr inbounds double, ptr %constants, i64 %j
  %c = load double, ptr %cq, align 8
  %hq = getelementptr inbounds double, ptr %heap, i64 %j
  %h = load double, ptr %hq, align 8
  %tc = fmul double %t, %c
  %y = fmul double %tc, %h
  call void @free(ptr %heap)
  ret double %y
}

; CHECK-LABEL: activity of tapefree.primal.f
; CHECK-DAG: %through : shadow
; CHECK-DAG: %constants : const
; CHECK-DAG: %heap : shadow
; CHECK-DAG: %t : active
; CHECK-DAG: %c : const
; CHECK-DAG: %h : active
define void @a(double %x, i64 %i, i64 %j) {
  call void (...) @__enzyme_autodiff(ptr @f, double %x, i64 %i, i64 %j)
  ret void
}

; What is stored in the local is only compared.
define double @unused(double %x, i64 %i, i64 %j) {
  %local = alloca [40 x double], align 8
  %p = getelementptr inbounds double, ptr %local, i64 %i
  store double %x, ptr %p, align 8
  %q = getelementptr inbounds double, ptr %local, i64 %j
  %v = load double, ptr %q, align 8
  %test = fcmp ogt double %v, 1.0
  %factor = select i1 %test, double 2.0, double 3.0
  %y = fmul double %x, %factor
  ret double %y
}

; CHECK-LABEL: activity of tapefree.primal.unused
; CHECK-DAG: %local : const
; CHECK-DAG: %v : unused
; CHECK-DAG: %y : active
define void @b(double %x, i64 %i, i64 %j) {
  call void (...) @__enzyme_autodiff(ptr @unused, double %x, i64 %i, i64 %j)
  ret void
}
