; Are contradictions reported with both instructions, and never guessed?
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-types>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: types of 'union':
; CHECK: load double, ptr %p  : {period 8: [0] conflict 8}
; CHECK-NEXT: because of %d = load double, ptr %p
; CHECK-NEXT: because of %m = mul i64 %i, 3
; CHECK: load i64, ptr %p  : {period 8: [0] conflict 8}
define i64 @union(ptr %p, ptr %q) {
  %d = load double, ptr %p, align 8
  store double %d, ptr %q, align 8
  %i = load i64, ptr %p, align 8
  %m = mul i64 %i, 3
  ret i64 %m
}

; CHECK-LABEL: types of 'floats':
; CHECK: load double, ptr %p  : {period 8: [0] conflict 8}
; CHECK: load float, ptr %h  : {{.*}}conflict
define double @floats(ptr %p) {
  %d = load double, ptr %p, align 8
  %h = getelementptr inbounds i8, ptr %p, i64 4
  %f = load float, ptr %h, align 4
  %e = fpext float %f to double
  %r = fadd double %d, %e
  ret double %r
}

; The same in arrays: no copy of them has a type.
; CHECK-LABEL: types of 'arrays':
; CHECK: call void @llvm.memcpy{{.*}}  : {{.*}}conflict
define float @arrays(ptr %p, ptr %d, i64 %i, i64 %n) {
  %a = getelementptr inbounds double, ptr %p, i64 %i
  %x = load double, ptr %a, align 8
  %b = getelementptr inbounds float, ptr %p, i64 %i
  %y = load float, ptr %b, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %p, i64 %n, i1 false)
  ret float %y
}

; Two structs that one pointer may designate: the copy carries the conflict to its other side.
; CHECK-LABEL: types of 'through':
; CHECK: call void @llvm.memcpy{{.*}}  : {period 16: [0] double, [8] conflict 8}
define i64 @through(ptr %p, ptr %d) {
  %x = load double, ptr %p, align 8
  %p8 = getelementptr inbounds i8, ptr %p, i64 8
  store double %x, ptr %p8, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %p, i64 16, i1 false)
  %d8 = getelementptr inbounds i8, ptr %d, i64 8
  %n = load i64, ptr %d8, align 8
  %m = sub i64 %n, 1
  ret i64 %m
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
