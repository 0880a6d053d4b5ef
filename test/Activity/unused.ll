; Values that depend on an input, but that no result depends on: comparisons, conversions to integers, what is only stored
; in a log, the returned value where noret is asked for.
; RUN: %opt -passes='print<tapefree-activity>' -disable-output %s 2>&1 | FileCheck %s

@tapefree_const = external global i32
@tapefree_noret = external global i32
declare void @__enzyme_autodiff(...)

define double @f(ptr %a, ptr %log, i64 %n) {
  %u = load double, ptr %a, align 8
  %logged = fmul double %u, %u
  store double %logged, ptr %log, align 8
  %compared = fadd double %u, 1.0
  %test = fcmp ogt double %compared, 3.0
  %factor = select i1 %test, double 2.0, double 3.0
  %rounded = fptosi double %u to i64
  %again = sitofp i64 %rounded to double
  %scaled = fmul double %u, %factor
  %y = fmul double %scaled, %again
  ret double %y
}

; CHECK-LABEL: activity of tapefree.primal.f
; CHECK-DAG: %logged : unused
; CHECK-DAG: %compared : unused
; CHECK-DAG: %factor : const
; CHECK-DAG: %again : const
; CHECK-DAG: %scaled : active
; CHECK-DAG: %y : active
define void @result(ptr %a, ptr %da, ptr %log, i64 %n) {
  %const = load i32, ptr @tapefree_const, align 4
  call void (...) @__enzyme_autodiff(ptr @f, ptr %a, ptr %da, i32 %const, ptr %log, i64 %n)
  ret void
}

; CHECK-LABEL: activity of tapefree.primal.f
; CHECK-NOT: : active
; CHECK: %y : unused
; CHECK-NOT: : active
define void @no_result(ptr %a, ptr %da, ptr %log, i64 %n) {
  %noret = load i32, ptr @tapefree_noret, align 4
  %const = load i32, ptr @tapefree_const, align 4
  call void (...) @__enzyme_autodiff(ptr @f, i32 %noret, ptr %a, ptr %da, i32 %const, ptr %log, i64 %n)
  ret void
}
