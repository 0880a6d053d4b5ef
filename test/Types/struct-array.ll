; Do the fields of an array of structs get the struct's size as period?
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-types>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%struct.S = type { double, double, i32 }

; CHECK-LABEL: types of 'structs':
; CHECK: load i32, ptr %c  : {period 4: [0] int 4}
; CHECK: call void @llvm.memcpy{{.*}}  : {period 24: [0] double, [8] double, [16] int 4, [20] int 4}
; CHECK: call void @llvm.memcpy{{.*}}i64 24, {{.*}}  : {period 24: [0] double, [8] double, [16] int 4, [20] int 4}
; CHECK: call void @llvm.memcpy{{.*}}i64 16, {{.*}}  : {period 16: [0] double, [8] int 4, [12] int 4}
define i32 @structs(ptr %p, ptr %d, ptr %e, ptr %f, i64 %n, i64 %i) {
  %s = getelementptr inbounds %struct.S, ptr %p, i64 %i
  %a = load double, ptr %s, align 8
  %b = getelementptr inbounds i8, ptr %s, i64 8
  store double %a, ptr %b, align 8
  %c = getelementptr inbounds i8, ptr %s, i64 16
  %k = load i32, ptr %c, align 8
  %k1 = add i32 %k, 1
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %p, i64 %n, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %e, ptr %s, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %f, ptr %b, i64 16, i1 false)
  ret i32 %k1
}

; An array inside: the loop over it has no end that can be seen, the fields behind it are firmer.
; CHECK-LABEL: types of 'tail':
; CHECK: load double, ptr %q  : {period 8: [0] double}
; CHECK: load i32, ptr %n.p  : {period 4: [0] int 4}
; CHECK: call void @llvm.memcpy{{.*}}  : {period 88: [0] double, [8] double, {{.*}}[72] double, [80] int 4}
define i32 @tail(ptr %p, ptr %d, i64 %i) {
  %q = getelementptr inbounds double, ptr %p, i64 %i
  %v = load double, ptr %q, align 8
  %n.p = getelementptr inbounds i8, ptr %p, i64 80
  %n = load i32, ptr %n.p, align 8
  %r = mul i32 %n, 3
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %p, i64 88, i1 false)
  ret i32 %r
}

; {double a[2]; int n} in an array, the inner bound is gone.
; CHECK-LABEL: types of 'rows':
; CHECK: load double, ptr %q  : {period 8: [0] double}
; CHECK: call void @llvm.memcpy{{.*}}  : {period 24: [0] double, [8] double, [16] int 4}
define i32 @rows(ptr %p, ptr %d, i64 %n, i64 %i, i64 %j) {
  %o = mul i64 %i, 24
  %s = getelementptr inbounds i8, ptr %p, i64 %o
  %q = getelementptr inbounds double, ptr %s, i64 %j
  %v = load double, ptr %q, align 8
  %c = getelementptr inbounds i8, ptr %s, i64 16
  %k = load i32, ptr %c, align 8
  %k1 = add i32 %k, 1
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %p, i64 %n, i1 false)
  ret i32 %k1
}

; Two arrays that follow each other, of unknown lengths: the start of the second ends the first.
; CHECK-LABEL: types of 'follow':
; CHECK: call void @llvm.memcpy{{.*}}  : {period 32: [0] double, [8] double, [16] float, [20] float, [24] float, [28] float}
define void @follow(ptr %p, ptr %d, i64 %j) {
  %q = getelementptr inbounds double, ptr %p, i64 %j
  %v = load double, ptr %q, align 8
  %f = getelementptr inbounds i8, ptr %p, i64 16
  %r = getelementptr inbounds float, ptr %f, i64 %j
  %w = load float, ptr %r, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %p, i64 32, i1 false)
  ret void
}

; Two inner arrays of different kinds; a copy of whole elements does not mix the rows.
; CHECK-LABEL: types of 'two':
; CHECK: call void @llvm.memcpy{{.*}}  : {period 32: [0] double, [8] double, [16] float, [20] float, [24] float, [28] float}
; CHECK: load double, ptr %q  : {period 8: [0] double}
; CHECK: load float, ptr %r  : {period 4: [0] float}
define void @two(ptr %p, ptr %d, i64 %i, i64 %j) {
  %s = getelementptr inbounds [32 x i8], ptr %p, i64 %i
  %t = getelementptr inbounds [32 x i8], ptr %d, i64 %i
  call void @llvm.memcpy.p0.p0.i64(ptr %t, ptr %s, i64 32, i1 false)
  %q = getelementptr inbounds double, ptr %s, i64 %j
  %v = load double, ptr %q, align 8
  %f = getelementptr inbounds i8, ptr %s, i64 16
  %r = getelementptr inbounds float, ptr %f, i64 %j
  %w = load float, ptr %r, align 4
  %s8 = getelementptr inbounds i8, ptr %s, i64 8
  %x = load double, ptr %s8, align 8
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
