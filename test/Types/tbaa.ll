; Do access tags and tbaa.struct speak for copies that nothing else types?
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-types>' -disable-output %s 2>&1 | FileCheck %s
target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: types of 'fields':
; CHECK: call void @llvm.memcpy{{.*}}  : {period 24: [0] pointer, [8] int 4, [12] float, [16] int 8}
define void @fields(ptr %d, ptr %s) {
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %s, i64 24, i1 false), !tbaa.struct !12
  ret void
}

; An integer access with the tag of a double; char says nothing.
; CHECK-LABEL: types of 'tags':
; CHECK: load i64, ptr %p  : {period 8: [0] double}
; CHECK: store i64 %v, ptr %q  : {period 8: [0] double}
; CHECK: load i64, ptr %r  : {unknown}
; CHECK: load i64, ptr %t  : {period 8: [0] int 8}
define void @tags(ptr %p, ptr %q, ptr %r, ptr %t) {
  %v = load i64, ptr %p, align 8, !tbaa !10
  store i64 %v, ptr %q, align 8
  %w = load i64, ptr %r, align 8, !tbaa !7
  %x = load i64, ptr %t, align 8, !tbaa !18
  ret void
}

; The struct that a tag names tells the fields beside the accessed one.
; CHECK-LABEL: types of 'base':
; CHECK: call void @llvm.memcpy{{.*}}  : {period 24: [0] pointer, [8] int 4, [12] float, [16] int 8}
define i32 @base(ptr %p, ptr %d) {
  %q = getelementptr inbounds i8, ptr %p, i64 8
  %n = load i32, ptr %q, align 8, !tbaa !31
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %p, i64 24, i1 false)
  ret i32 %n
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

!5 = !{!6, !6, i64 0}
!6 = !{!"int", !70, i64 0}
!7 = !{!70, !70, i64 0}
!70 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C++ TBAA"}
!10 = !{!11, !11, i64 0}
!11 = !{!"double", !70, i64 0}
!12 = !{i64 0, i64 8, !13, i64 8, i64 4, !5, i64 12, i64 4, !16, i64 16, i64 8, !18}
!13 = !{!14, !14, i64 0}
!14 = !{!"p1 double", !15, i64 0}
!15 = !{!"any pointer", !70, i64 0}
!16 = !{!17, !17, i64 0}
!17 = !{!"float", !70, i64 0}
!18 = !{!19, !19, i64 0}
!19 = !{!"long", !70, i64 0}
!30 = !{!"_ZTS1A", !14, i64 0, !6, i64 8, !17, i64 12, !19, i64 16}
!31 = !{!30, !6, i64 8}
