; Is memory behind pointers in memory told apart from the memory that holds them?
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-types>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; struct V { double *data; long n; }; the copy of a V makes both headers point to one array.
; CHECK-LABEL: types of 'vec':
; CHECK: call void @llvm.memcpy{{.*}}  : {period 16: [0] pointer, [8] int 8}
; CHECK: %x = load ptr, ptr %d  : {period 8: [0] pointer}
; CHECK: call void @llvm.memmove{{.*}}  : {period 8: [0] double}
define double @vec(ptr %v, ptr %d, ptr %o, i64 %i, i64 %b) {
  %p = load ptr, ptr %v, align 8
  %np = getelementptr inbounds i8, ptr %v, i64 8
  %n = load i64, ptr %np, align 8
  %j = add i64 %n, %i
  %q = getelementptr inbounds double, ptr %p, i64 %j
  %r = load double, ptr %q, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %v, i64 16, i1 false)
  %x = load ptr, ptr %d, align 8
  call void @llvm.memmove.p0.p0.i64(ptr %o, ptr %x, i64 %b, i1 false)
  ret double %r
}

; double **rows, float elsewhere
; CHECK-LABEL: types of 'rows':
; CHECK: call void @llvm.memcpy{{.*}}(ptr %t, ptr %row2,{{.*}}  : {period 8: [0] double}
; CHECK: call void @llvm.memcpy{{.*}}(ptr %u, ptr %rows,{{.*}}  : {period 8: [0] pointer}
; CHECK: load float, ptr %f  : {period 4: [0] float}
define float @rows(ptr %rows, ptr %t, ptr %u, ptr %f, i64 %i, i64 %j, i64 %n) {
  %a = getelementptr inbounds ptr, ptr %rows, i64 %i
  %row = load ptr, ptr %a, align 8
  %b = getelementptr inbounds double, ptr %row, i64 %j
  store double 1.0, ptr %b, align 8
  %a2 = getelementptr inbounds ptr, ptr %rows, i64 2
  %row2 = load ptr, ptr %a2, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %t, ptr %row2, i64 %n, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %u, ptr %rows, i64 %n, i1 false)
  %r = load float, ptr %f, align 4
  ret float %r
}

; A linked list: struct L { double v; L *next; }.
; CHECK-LABEL: types of 'list':
; CHECK: load double, ptr %l  : {period 8: [0] double}
; CHECK: load ptr, ptr %np  : {period 8: [0] pointer}
; CHECK: call void @llvm.memcpy{{.*}}  : {period 16: [0] double, [8] pointer}
define double @list(ptr %head, ptr %d) {
entry:
  br label %loop
loop:
  %l = phi ptr [ %head, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %s1, %loop ]
  %v = load double, ptr %l, align 8
  %s1 = fadd double %s, %v
  %np = getelementptr inbounds i8, ptr %l, i64 8
  %next = load ptr, ptr %np, align 8
  %end = icmp eq ptr %next, null
  br i1 %end, label %exit, label %loop
exit:
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %head, i64 16, i1 false)
  ret double %s1
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
