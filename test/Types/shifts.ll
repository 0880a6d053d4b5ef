; Do copies within one array, and copies in a circle, end?
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-types>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; vector::insert
; CHECK-LABEL: types of 'insert':
; CHECK: call void @llvm.memmove{{.*}}  : {period 8: [0] double}
define void @insert(ptr %p, i64 %n) {
  %q = getelementptr inbounds double, ptr %p, i64 1
  call void @llvm.memmove.p0.p0.i64(ptr %q, ptr %p, i64 %n, i1 false)
  store double 1.0, ptr %p, align 8
  ret void
}

; CHECK-LABEL: types of 'circle':
; CHECK: call void @llvm.memcpy{{.*}}  : {period 8: [0] double}
; CHECK: call void @llvm.memcpy{{.*}}  : {period 8: [0] double}
define void @circle(ptr %a, ptr %b, i64 %n) {
  %b1 = getelementptr inbounds double, ptr %b, i64 1
  store double 1.0, ptr %a, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %b1, ptr %a, i64 %n, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 %n, i1 false)
  ret void
}

; Pointers to pointers to themselves.
; CHECK-LABEL: types of 'self':
; CHECK: store ptr %p, ptr %p  : {period 8: [0] pointer}
; CHECK: store double 1.0{{.*}}, ptr %d  : {period 8: [0] double}
define void @self(ptr %p) {
  store ptr %p, ptr %p, align 8
  %q = load ptr, ptr %p, align 8
  %r = load ptr, ptr %q, align 8
  %d = getelementptr inbounds i8, ptr %r, i64 8
  store double 1.0, ptr %d, align 8
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
