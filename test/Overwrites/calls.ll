; Calls by what they say they may write.
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-overwrites>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: overwrites of 'pure':
; CHECK-NEXT: %v = load double, ptr %p, align 8 : reload
define void @pure(ptr %p) {
  %v = load double, ptr %p, align 8
  %r = call double @none(double %v)
  call void @reads(ptr %p)
  call void @own()
  %e = call double @libm(double %v)
  ret void
}

; CHECK-LABEL: overwrites of 'writes':
; CHECK-NEXT: %v = load double, ptr %p, align 8 : overwritten by call maybe: call void @fill(ptr %p)
; CHECK-NEXT: %w = load double, ptr %q, align 8 : reload
define void @writes(ptr %p, ptr noalias %q) {
  %v = load double, ptr %p, align 8
  %w = load double, ptr %q, align 8
  call void @fill(ptr %p)
  ret void
}

; CHECK-LABEL: overwrites of 'unknown':
; CHECK-NEXT: %v = load double, ptr %p, align 8 : overwritten by call maybe: call void @anything()
; CHECK-NEXT: %w = load double, ptr %a, align 8 : reload
define void @unknown(ptr %p) {
  %a = alloca double, align 8
  store double 1.0, ptr %a, align 8
  %v = load double, ptr %p, align 8
  %w = load double, ptr %a, align 8
  call void @anything()
  ret void
}

; A call may write errno, and does so for a load of errno alone.
; CHECK-LABEL: overwrites of 'errno':
; CHECK-NEXT: %e = load i32, ptr %p, align 4 : overwritten by call maybe: %r = call double @libm(double %x)
define void @errno(double %x) {
  %p = call ptr @__errno_location()
  %e = load i32, ptr %p, align 4
  %r = call double @libm(double %x)
  ret void
}
declare double @none(double) memory(none)
declare void @reads(ptr) memory(argmem: read)
declare void @own() memory(inaccessiblemem: readwrite)
declare double @libm(double) memory(errnomem: write)
declare void @fill(ptr) memory(argmem: readwrite)
declare void @anything()
declare ptr @__errno_location() memory(none)
