; Are allocated arrays typed by their use, each on its own?
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-types>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: types of 'heap':
; CHECK: call void @llvm.memcpy{{.*}}(ptr %b, ptr %a,{{.*}}  : {period 8: [0] double}
; CHECK: call void @llvm.memset{{.*}}(ptr %c,{{.*}}  : {period 4: [0] float}
; CHECK: call void @llvm.memset{{.*}}(ptr %d,{{.*}}  : {unknown}
; CHECK: call void @llvm.memset{{.*}}(ptr %g,{{.*}}  : {period 8: [0] double}
define void @heap(i64 %n, i64 %i) {
  %a = call ptr @malloc(i64 %n)
  %b = call ptr @malloc(i64 %n)
  %c = call ptr @_Znwm(i64 %n)
  %d = call ptr @malloc(i64 %n)
  %p = getelementptr inbounds double, ptr %a, i64 %i
  store double 1.0, ptr %p, align 8
  %q = getelementptr inbounds float, ptr %c, i64 %i
  store float 1.0, ptr %q, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 %n, i1 false)
  call void @llvm.memset.p0.i64(ptr %c, i8 0, i64 %n, i1 false)
  call void @llvm.memset.p0.i64(ptr %d, i8 0, i64 %n, i1 false)
  %g = call ptr @realloc(ptr %b, i64 %n)
  call void @llvm.memset.p0.i64(ptr %g, i8 0, i64 %n, i1 false)
  ret void
}

; Library functions that write through pointers.
; CHECK-LABEL: types of 'library':
; CHECK: load i64, ptr %s  : {period 8: [0] double}
; CHECK: load i32, ptr %e  : {period 4: [0] int 4}
define void @library(double %x, ptr %o) {
  %s = alloca i64, align 8
  %c = alloca i64, align 8
  %e = alloca i32, align 4
  call void @sincos(double %x, ptr %s, ptr %c)
  %f = call double @frexp(double %x, ptr %e)
  %v = load i64, ptr %s, align 8
  store i64 %v, ptr %o, align 8
  %w = load i32, ptr %e, align 4
  ret void
}

; std::vector<S>::push_back: the new element's byte offset is a pointer difference; only its other use, an exact
; division, tells that it is a multiple of sizeof(S).
; CHECK-LABEL: types of 'insert':
; CHECK: call void @llvm.memcpy{{.*}}(ptr %at,{{.*}}  : {period 16: [0] double, [8] int 8}
define i64 @insert(ptr %begin, ptr %pos, ptr %end, ptr %x) {
  %b = ptrtoint ptr %begin to i64
  %e = ptrtoint ptr %end to i64
  %size = sub i64 %e, %b
  %n = sdiv exact i64 %size, 16
  %p = ptrtoint ptr %pos to i64
  %off = sub i64 %p, %b
  %new = call ptr @_Znwm(i64 %size)
  %at = getelementptr inbounds i8, ptr %new, i64 %off
  call void @llvm.memcpy.p0.p0.i64(ptr %at, ptr %x, i64 16, i1 false)
  store double 1.0, ptr %x, align 8
  %x8 = getelementptr inbounds i8, ptr %x, i64 8
  %k = load i64, ptr %x8, align 8
  %k1 = add i64 %k, %n
  ret i64 %k1
}

declare ptr @malloc(i64)
declare ptr @realloc(ptr, i64)
declare ptr @_Znwm(i64)
declare void @sincos(double, ptr, ptr)
declare double @frexp(double, ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
