; Do byval and sret arguments speak for themselves?
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-types>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%struct.P = type { double, float, i32 }

; CHECK-LABEL: types of 'byval':
; CHECK: call void @llvm.memcpy{{.*}}  : {period 16: [0] double, [8] float, [12] int 4}
define void @byval(ptr byval(%struct.P) align 8 %p, ptr %d) {
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %p, i64 16, i1 false)
  ret void
}

; CHECK-LABEL: types of 'sret':
; CHECK: call void @llvm.memset{{.*}}  : {period 16: [0] double, [8] float, [12] int 4}
define void @sret(ptr sret(%struct.P) align 8 %p) {
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 16, i1 false)
  ret void
}

; At a call.
; CHECK-LABEL: types of 'caller':
; CHECK: call void @llvm.memcpy{{.*}}  : {period 16: [0] double, [8] float, [12] int 4}
define void @caller(ptr %p) {
  %t = alloca [16 x i8], align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %t, ptr %p, i64 16, i1 false)
  call void @byval(ptr byval(%struct.P) align 8 %t, ptr %p)
  ret void
}

; A recursive call hands its arguments to the parameters.
; CHECK-LABEL: types of 'recursive':
; CHECK: call void @llvm.memcpy{{.*}}  : {period 8: [0] double}
define void @recursive(ptr %p, ptr %q, i64 %i, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)
  %t = alloca [16 x double], align 8
  call void @recursive(ptr %t, ptr %p, i64 %i, i64 %n)
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
