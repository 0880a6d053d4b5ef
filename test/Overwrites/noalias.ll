; A restrict argument is apart from all others; two ordinary ones may overlap.
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-overwrites>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: overwrites of 'restrict':
; CHECK-NEXT: %a = load double, ptr %p, align 8 : reload
define double @restrict(ptr %p, ptr noalias %q) {
  %a = load double, ptr %p, align 8
  store double 1.0, ptr %q, align 8
  ret double %a
}

; CHECK-LABEL: overwrites of 'ordinary':
; CHECK-NEXT: %a = load double, ptr %p, align 8 : overwritten by store maybe: store double 1.000000e+00, ptr %q, align 8
define double @ordinary(ptr %p, ptr %q) {
  %a = load double, ptr %p, align 8
  store double 1.0, ptr %q, align 8
  ret double %a
}
