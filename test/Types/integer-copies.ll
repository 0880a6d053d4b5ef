; Do integers that only carry bytes take the type of what they carry?
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-types>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: types of 'copy':
; CHECK: load i64, ptr %p  : {period 8: [0] double}
; CHECK: store i64 %v, ptr %q  : {period 8: [0] double}
; CHECK: store i64 0, ptr %q  : {period 8: [0] double}
define double @copy(ptr %p, ptr %q) {
  %v = load i64, ptr %p, align 8
  store i64 %v, ptr %q, align 8
  %r = load double, ptr %q, align 8
  store i64 0, ptr %q, align 8
  ret double %r
}

; Nothing is known: nothing is said.
; CHECK-LABEL: types of 'silent':
; CHECK: load i64, ptr %p  : {unknown}
; CHECK: store i64 %v, ptr %q  : {unknown}
define void @silent(ptr %p, ptr %q) {
  %v = load i64, ptr %p, align 8
  store i64 %v, ptr %q, align 8
  ret void
}

; CHECK-LABEL: types of 'arith':
; CHECK: load i64, ptr %p  : {period 8: [0] int 8}
; CHECK: store i64 %v, ptr %q  : {period 8: [0] int 8}
define i64 @arith(ptr %p, ptr %q) {
  %v = load i64, ptr %p, align 8
  store i64 %v, ptr %q, align 8
  %r = mul i64 %v, 3
  ret i64 %r
}

; Through a phi and a bitcast.
; CHECK-LABEL: types of 'phi':
; CHECK: load i64, ptr %p  : {period 8: [0] double}
; CHECK: load i64, ptr %q  : {period 8: [0] double}
define double @phi(ptr %p, ptr %q, i1 %c) {
entry:
  %a = load i64, ptr %p, align 8
  br i1 %c, label %then, label %exit
then:
  %b = load i64, ptr %q, align 8
  br label %exit
exit:
  %x = phi i64 [ %a, %entry ], [ %b, %then ]
  %d = bitcast i64 %x to double
  ret double %d
}

; Two floats in one register; struct {int, float} in another.
; CHECK-LABEL: types of 'pairs':
; CHECK: load i64, ptr %p  : {period 4: [0] float}
; CHECK: load i64, ptr %q  : {period 8: [0] int 4, [4] float}
; CHECK: store i64 %w, ptr %r  : {period 8: [0] int 4, [4] float}
define float @pairs(ptr %p, ptr %q, ptr %r) {
  %v = load i64, ptr %p, align 4
  %v0 = trunc i64 %v to i32
  %f0 = bitcast i32 %v0 to float
  %vh = lshr i64 %v, 32
  %v1 = trunc nuw i64 %vh to i32
  %f1 = bitcast i32 %v1 to float
  %w = load i64, ptr %q, align 4
  %w0 = trunc i64 %w to i32
  %k = sitofp i32 %w0 to float
  %wh = lshr i64 %w, 32
  %w1 = trunc nuw i64 %wh to i32
  %f2 = bitcast i32 %w1 to float
  store i64 %w, ptr %r, align 4
  %s = fadd float %f0, %f1
  %t = fadd float %s, %k
  %u = fadd float %t, %f2
  ret float %u
}

; Glued by zext, shl and or.
; CHECK-LABEL: types of 'glue':
; CHECK: store i64 %o, ptr %r  : {period 8: [0] int 4, [4] float}
define void @glue(ptr %r, float %f, i32 %n) {
  %n1 = add i32 %n, 1
  %lo = zext i32 %n1 to i64
  %b = bitcast float %f to i32
  %w = zext i32 %b to i64
  %hi = shl nuw i64 %w, 32
  %o = or disjoint i64 %hi, %lo
  store i64 %o, ptr %r, align 4
  ret void
}

; fabs on bits is still a float; a sign test is no proof of an integer.
; CHECK-LABEL: types of 'bits':
; CHECK: load i64, ptr %p  : {period 8: [0] double}
; CHECK: load i64, ptr %q  : {period 8: [0] double}
define double @bits(ptr %p, ptr %q) {
  %v = load i64, ptr %p, align 8
  %m = and i64 %v, 9223372036854775807
  %a = bitcast i64 %m to double
  %w = load i64, ptr %q, align 8
  %neg = icmp slt i64 %w, 0
  %x = load double, ptr %q, align 8
  %r = select i1 %neg, double %a, double %x
  ret double %r
}

; A pointer that travels as an integer.
; CHECK-LABEL: types of 'address':
; CHECK: load i64, ptr %p  : {period 8: [0] pointer}
; CHECK: load i64, ptr %d  : {period 8: [0] double}
define i64 @address(ptr %p, ptr %q, i64 %i) {
  %v = load i64, ptr %p, align 8
  store i64 %v, ptr %q, align 8
  %a = load ptr, ptr %q, align 8
  %e = getelementptr inbounds double, ptr %a, i64 %i
  store double 1.0, ptr %e, align 8
  %d = inttoptr i64 %v to ptr
  %r = load i64, ptr %d, align 8
  ret i64 %r
}

; {int, float} pairs in lanes: the sum is masked, so only the low half is an integer.
; CHECK-LABEL: types of 'lanes':
; CHECK: load <2 x i64>, ptr %p  : {period 8: [0] int 4, [4] float}
define <2 x float> @lanes(ptr %p) {
  %v = load <2 x i64>, ptr %p, align 4
  %n = add <2 x i64> %v, splat (i64 1)
  %m = and <2 x i64> %n, splat (i64 4294967295)
  store <2 x i64> %m, ptr %p, align 4
  %h = lshr <2 x i64> %v, splat (i64 32)
  %t = trunc nuw <2 x i64> %h to <2 x i32>
  %f = bitcast <2 x i32> %t to <2 x float>
  ret <2 x float> %f
}
