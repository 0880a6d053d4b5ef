; Is a pointer that walks an array a stride, forwards and backwards?
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-types>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; while (p != end) *p++ = 0
; CHECK-LABEL: types of 'forward':
; CHECK: store double 0.0{{.*}}, ptr %w  : {period 8: [0] double}
; CHECK: call void @llvm.memcpy{{.*}}  : {period 8: [0] double}
define void @forward(ptr %p, ptr %end, ptr %d, i64 %n) {
entry:
  br label %loop
loop:
  %w = phi ptr [ %p, %entry ], [ %w1, %loop ]
  store double 0.0, ptr %w, align 8
  %w1 = getelementptr inbounds i8, ptr %w, i64 8
  %done = icmp eq ptr %w1, %end
  br i1 %done, label %exit, label %loop
exit:
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %p, i64 %n, i1 false)
  ret void
}

; CHECK-LABEL: types of 'backward':
; CHECK: load double, ptr %w1  : {period 8: [0] double}
; CHECK: call void @llvm.memcpy{{.*}}  : {period 8: [0] double}
define double @backward(ptr %p, ptr %d, i64 %n, i64 %b) {
entry:
  %end = getelementptr inbounds double, ptr %p, i64 %n
  br label %loop
loop:
  %w = phi ptr [ %end, %entry ], [ %w1, %loop ]
  %s = phi double [ 0.0, %entry ], [ %s1, %loop ]
  %w1 = getelementptr inbounds i8, ptr %w, i64 -8
  %v = load double, ptr %w1, align 8
  %s1 = fadd double %s, %v
  %done = icmp eq ptr %w1, %p
  br i1 %done, label %exit, label %loop
exit:
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %p, i64 %b, i1 false)
  ret double %s1
}

; A walk over structs of {double, float}.
; CHECK-LABEL: types of 'structs':
; CHECK: call void @llvm.memcpy{{.*}}  : {period 16: [0] double, [8] float}
define void @structs(ptr %p, ptr %end, ptr %d, i64 %n) {
entry:
  br label %loop
loop:
  %w = phi ptr [ %p, %entry ], [ %w1, %loop ]
  store double 0.0, ptr %w, align 8
  %f = getelementptr inbounds i8, ptr %w, i64 8
  store float 0.0, ptr %f, align 4
  %w1 = getelementptr inbounds i8, ptr %w, i64 16
  %done = icmp eq ptr %w1, %end
  br i1 %done, label %exit, label %loop
exit:
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %p, i64 %n, i1 false)
  ret void
}

; A choice between two fields is no walk.
; CHECK-LABEL: types of 'choice':
; CHECK: call void @llvm.memcpy{{.*}}  : {period 24: [0] double, [8] int 8, [16] double}
define i64 @choice(ptr %p, ptr %d, i1 %c) {
  %z = getelementptr inbounds i8, ptr %p, i64 16
  %e = select i1 %c, ptr %p, ptr %z
  store double 0.0, ptr %e, align 8
  %np = getelementptr inbounds i8, ptr %p, i64 8
  %n = load i64, ptr %np, align 8
  %m = add i64 %n, 1
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %p, i64 24, i1 false)
  ret i64 %m
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
