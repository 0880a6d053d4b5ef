; Memory that nothing writes: read-only arguments, constants, invariant loads.
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-overwrites>' -disable-output %s 2>&1 | FileCheck %s
@table = private constant [4 x double] zeroinitializer

; CHECK-LABEL: overwrites of 'readonly':
; CHECK-NEXT: %a = load double, ptr %p, align 8 : reload
; CHECK-NEXT: %b = load double, ptr %e, align 8 : reload
; CHECK-NEXT: %c = load double, ptr %u, align 8 : reload
define void @readonly(ptr noalias readonly %p, ptr %q, ptr %u, i64 %i) {
  %a = load double, ptr %p, align 8
  %e = getelementptr inbounds [4 x double], ptr @table, i64 0, i64 %i
  %b = load double, ptr %e, align 8
  %c = load double, ptr %u, align 8, !invariant.load !0
  store double 1.0, ptr %q, align 8
  ret void
}
!0 = !{}
