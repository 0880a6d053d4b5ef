; Is an array of doubles, walked by index, known for a copy of any length?
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-types>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: types of 'array':
; CHECK: load double, ptr %q  : {period 8: [0] double}
; CHECK: call void @llvm.memcpy{{.*}}  : {period 8: [0] double}
; CHECK: call void @llvm.memset{{.*}}  : {period 8: [0] double}
define void @array(ptr %p, ptr %d, i64 %n, i64 %i) {
  %q = getelementptr inbounds double, ptr %p, i64 %i
  %v = load double, ptr %q, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %p, i64 %n, i1 false)
  call void @llvm.memset.p0.i64(ptr %d, i8 0, i64 %n, i1 false)
  ret void
}

; One element that is accessed says nothing of its neighbours.
; CHECK-LABEL: types of 'one':
; CHECK: call void @llvm.memcpy{{.*}}  : {period 16: [0] double}
; CHECK: call void @llvm.memcpy{{.*}}  : {open 8: [0] double}
define void @one(ptr %p, ptr %d, i64 %n) {
  %v = load double, ptr %p, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %p, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %p, i64 %n, i1 false)
  ret void
}

; The compiler hides the element's size in the index.
; CHECK-LABEL: types of 'shifted':
; CHECK: call void @llvm.memcpy{{.*}}  : {period 8: [0] double}
define void @shifted(ptr %p, ptr %d, i64 %n, i64 %i) {
  %o = shl nsw i64 %i, 3
  %q = getelementptr inbounds i8, ptr %p, i64 %o
  %b = getelementptr inbounds i8, ptr %q, i64 -8
  %v = load double, ptr %b, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %p, i64 %n, i1 false)
  ret void
}

; Only every third element is accessed; all that is known of the array is double.
; CHECK-LABEL: types of 'sparse':
; CHECK: call void @llvm.memcpy{{.*}}  : {period 8: [0] double}
define void @sparse(ptr %p, ptr %d, i64 %n, i64 %i) {
  %o = mul nsw i64 %i, 24
  %q = getelementptr inbounds i8, ptr %p, i64 %o
  %v = load double, ptr %q, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %p, i64 %n, i1 false)
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
