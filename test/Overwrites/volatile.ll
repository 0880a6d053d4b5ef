; A volatile or atomic load is not repeated; where threads synchronise, another one may write.
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-overwrites>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: overwrites of 'volatile':
; CHECK-NEXT: %v = load volatile double, ptr %p, align 8 : overwritten by volatile or atomic access maybe: %v = load volatile
; CHECK-NEXT: %a = load atomic i64, ptr %q monotonic, align 8 : overwritten by volatile or atomic access maybe: %a = load atomic
define void @volatile(ptr %p, ptr %q) {
  %v = load volatile double, ptr %p, align 8
  %a = load atomic i64, ptr %q monotonic, align 8
  ret void
}

; CHECK-LABEL: overwrites of 'fence':
; CHECK-NEXT: %v = load double, ptr %p, align 8 : overwritten by volatile or atomic access maybe: fence seq_cst
; CHECK-NEXT: %w = load double, ptr %own, align 8 : reload
define void @fence(ptr %p) {
  %own = alloca double, align 8
  store double 1.0, ptr %own, align 8
  %v = load double, ptr %p, align 8
  %w = load double, ptr %own, align 8
  fence seq_cst
  ret void
}

; CHECK-LABEL: overwrites of 'rmw':
; CHECK-NEXT: %v = load double, ptr %p, align 8 : overwritten by store exactly: %o = atomicrmw fadd ptr %p
; CHECK-NEXT: %w = load double, ptr %q, align 8 : reload
define void @rmw(ptr %p, ptr noalias %q) {
  %v = load double, ptr %p, align 8
  %w = load double, ptr %q, align 8
  %o = atomicrmw fadd ptr %p, double 1.0 monotonic, align 8
  ret void
}
