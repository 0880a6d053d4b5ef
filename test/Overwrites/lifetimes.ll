; The emitter drops lifetime markers and delays frees: they end nothing. A stackrestore does, and so does realloc.
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-overwrites>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: overwrites of 'markers':
; CHECK-NEXT: %v = load double, ptr %a, align 8 : reload
; CHECK-NEXT: %w = load double, ptr %p, align 8 : reload
define void @markers(ptr %p) {
  %a = alloca double, align 8
  call void @llvm.lifetime.start.p0(ptr %a)
  store double 1.0, ptr %a, align 8
  %v = load double, ptr %a, align 8
  call void @llvm.lifetime.end.p0(ptr %a)
  %w = load double, ptr %p, align 8
  call void @free(ptr %p)
  ret void
}

; CHECK-LABEL: overwrites of 'vla':
; CHECK-NEXT: %v = load double, ptr %a, align 8 : overwritten by end of lifetime maybe: call void @llvm.stackrestore
define void @vla(i64 %n) {
  %s = call ptr @llvm.stacksave.p0()
  %a = alloca double, i64 %n, align 8
  store double 1.0, ptr %a, align 8
  %v = load double, ptr %a, align 8
  call void @llvm.stackrestore.p0(ptr %s)
  ret void
}

; CHECK-LABEL: overwrites of 'moved':
; CHECK-NEXT: %w = load double, ptr %p, align 8 : overwritten by free maybe: %q = call ptr @realloc(ptr %p, i64 80)
define void @moved(ptr %p) {
  %w = load double, ptr %p, align 8
  %q = call ptr @realloc(ptr %p, i64 80)
  ret void
}
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
declare void @free(ptr) allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite)
declare noalias ptr @realloc(ptr allocptr, i64) allockind("realloc") allocsize(1) memory(argmem: readwrite, inaccessiblemem: readwrite)
