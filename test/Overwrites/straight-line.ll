; Order in one block: a store before the load does no harm, one behind it may.
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-overwrites>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: overwrites of 'before':
; CHECK-NEXT: %a = load double, ptr %p, align 8 : reload
define double @before(ptr %p, ptr %q) {
  store double 1.0, ptr %q, align 8
  %a = load double, ptr %p, align 8
  ret double %a
}

; CHECK-LABEL: overwrites of 'exactly':
; CHECK-NEXT: %a = load double, ptr %p, align 8 : overwritten by store exactly: store double 2.000000e+00, ptr %p, align 8
define double @exactly(ptr %p, ptr %q) {
  %a = load double, ptr %p, align 8
  store double 1.0, ptr %q, align 8
  store double 2.0, ptr %p, align 8
  ret double %a
}

; CHECK-LABEL: overwrites of 'putback':
; CHECK-NEXT: %a = load double, ptr %p, align 8 : reload
define double @putback(ptr %p) {
  %a = load double, ptr %p, align 8
  store double %a, ptr %p, align 8
  ret double %a
}

; CHECK-LABEL: overwrites of 'otherbranch':
; CHECK-NEXT: %a = load double, ptr %p, align 8 : reload
; CHECK-NEXT: %b = load double, ptr %p, align 8 : overwritten by store exactly: store double 2.000000e+00
define double @otherbranch(ptr %p, i1 %c) {
entry:
  br i1 %c, label %then, label %else
then:
  %a = load double, ptr %p, align 8
  br label %end
else:
  %b = load double, ptr %p, align 8
  store double 2.0, ptr %p, align 8
  br label %end
end:
  %s = phi double [ %a, %then ], [ %b, %else ]
  ret double %s
}
