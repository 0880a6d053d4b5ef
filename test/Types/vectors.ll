; Do vector accesses count as their elements?
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-types>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: types of 'vec':
; CHECK: load <4 x double>, ptr %q  : {period 8: [0] double}
; CHECK: call void @llvm.memcpy{{.*}}  : {period 8: [0] double}
define void @vec(ptr %p, ptr %d, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %q = getelementptr inbounds double, ptr %p, i64 %i
  %v = load <4 x double>, ptr %q, align 8
  %i1 = add nuw i64 %i, 4
  %done = icmp eq i64 %i1, %n
  br i1 %done, label %exit, label %loop
exit:
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %p, i64 %n, i1 false)
  ret void
}

; CHECK-LABEL: types of 'ints':
; CHECK: load <2 x i64>, ptr %p  : {period 8: [0] double}
; CHECK: load <4 x i32>, ptr %r  : {period 4: [0] int 4}
; CHECK: store <4 x i32> %w, ptr %s  : {period 4: [0] int 4}
define double @ints(ptr %p, ptr %q, ptr %r, ptr %s) {
  %v = load <2 x i64>, ptr %p, align 8
  %x = bitcast <2 x i64> %v to <2 x double>
  %e = extractelement <2 x double> %x, i64 0
  %w = load <4 x i32>, ptr %r, align 4
  store <4 x i32> %w, ptr %s, align 4
  %y = add <4 x i32> %w, %w
  ret double %e
}

; CHECK-LABEL: types of 'long':
; CHECK: load x86_fp80, ptr %q  : {period 16: [0] x86_fp80}
; CHECK: call void @llvm.memcpy{{.*}}  : {period 16: [0] x86_fp80}
define void @long(ptr %p, ptr %d, i64 %n, i64 %i) {
  %q = getelementptr inbounds x86_fp80, ptr %p, i64 %i
  %v = load x86_fp80, ptr %q, align 16
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %p, i64 %n, i1 false)
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
