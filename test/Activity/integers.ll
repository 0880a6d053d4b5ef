; Floats that travel in integers: a copy as i64 carries a derivative, an index does not.
; RUN: %opt -passes='print<tapefree-activity>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='tapefree,verify' -disable-output %s

%pair = type { double, i64 }
declare void @__enzyme_autodiff(...)

define double @f(ptr noalias %a, ptr noalias %z, i64 %n) {
  %bits = load i64, ptr %a, align 8
  store i64 %bits, ptr %z, align 8
  %zp = getelementptr inbounds double, ptr %z, i64 %n
  %v = load double, ptr %zp, align 8
  %ip = getelementptr inbounds %pair, ptr %a, i64 0, i32 1
  %index = load i64, ptr %ip, align 8
  %number = sitofp i64 %index to double
  %first = load double, ptr %a, align 8
  %s = fmul double %first, %number
  %y = fmul double %s, %v
  ret double %y
}

; CHECK-LABEL: activity of tapefree.primal.f
; CHECK-DAG: %v : active
; CHECK-DAG: %number : const
; CHECK-DAG: {{%first|%bits.*|%[0-9]+}} : active
; CHECK-DAG: %s : active
define void @a(ptr %a, ptr %da, ptr %z, ptr %dz, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %a, ptr %da, ptr %z, ptr %dz, i64 %n)
  ret void
}
