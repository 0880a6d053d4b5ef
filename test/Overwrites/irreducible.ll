; A cycle with two entries is no loop: everything in it may follow everything.
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-overwrites>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: overwrites of 'cycle':
; CHECK-NEXT: %v = load double, ptr %p, align 8 : overwritten by store maybe: store double 1.000000e+00, ptr %p
; CHECK-NEXT: %w = load double, ptr %q, align 8 : reload
define void @cycle(ptr noalias %p, ptr noalias %q, i1 %c, i1 %d) {
entry:
  br i1 %c, label %a, label %b
a:
  store double 1.0, ptr %p, align 8
  br label %b
b:
  %v = load double, ptr %p, align 8
  %w = load double, ptr %q, align 8
  br i1 %d, label %a, label %end
end:
  ret void
}
