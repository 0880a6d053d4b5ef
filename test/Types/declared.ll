; Do declared types speak where no access does, and only there?
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-types>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%struct.S = type { double, i32, float, [2 x float], ptr }
%union.U = type { double }
%struct.T = type { %union.U, i32 }
@table = external global [10 x double]
@header = external global %struct.S

; CHECK-LABEL: types of 'copy':
; CHECK: call void @llvm.memcpy{{.*}}  : {period 32: [0] double, [8] int 4, [12] float, [16] float, [20] float, [24] pointer}
define void @copy(ptr %p, ptr %q) {
  %s = alloca %struct.S, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr %p, i64 32, i1 false)
  ret void
}

; A union is declared as one of its members: not believed. A plain i64 neither.
; CHECK-LABEL: types of 'union':
; CHECK: call void @llvm.memcpy{{.*}}  : {period 16: [8] int 4, [12] int 4}
; CHECK: call void @llvm.memcpy{{.*}}  : {unknown}
define void @union(ptr %p, ptr %q) {
  %s = alloca %struct.T, align 8
  %i = alloca i64, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr %p, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %i, ptr %q, i64 8, i1 false)
  ret void
}

; An access is better than a declaration.
; CHECK-LABEL: types of 'access':
; CHECK: store double %d, ptr %s  : {period 8: [0] double}
; CHECK: call void @llvm.memcpy{{.*}}  : {period 8: [0] double}
define void @access(ptr %q, double %d) {
  %s = alloca [2 x float], align 8
  store double %d, ptr %s, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %s, i64 8, i1 false)
  ret void
}

; CHECK-LABEL: types of 'globals':
; CHECK: call void @llvm.memcpy{{.*}}i64 80, {{.*}}  : {period 8: [0] double}
; CHECK: call void @llvm.memcpy{{.*}}i64 16, {{.*}}  : {period 16: [0] int 4, [4] float, [8] float, [12] float}
define void @globals(ptr %p, ptr %q) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr @table, i64 80, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr getelementptr inbounds (i8, ptr @header, i64 8), i64 16, i1 false)
  ret void
}

; A GEP's source type.
; CHECK-LABEL: types of 'gep':
; CHECK: call void @llvm.memcpy{{.*}}  : {period 32: [0] double, [8] int 4, [12] float, [16] float, [20] float, [24] pointer}
define void @gep(ptr %p, ptr %q, i64 %i, i64 %n) {
  %e = getelementptr inbounds %struct.S, ptr %p, i64 %i, i32 3
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 %n, i1 false)
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
