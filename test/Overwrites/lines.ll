; With debug information the culprit's line is named.
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-overwrites>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: overwrites of 'lines':
; CHECK-NEXT: %v = load double, ptr %p, align 8 : overwritten by store (line 12) exactly: store double 2.000000e+00, ptr %p, align 8{{$}}
define void @lines(ptr %p) !dbg !3 {
  %v = load double, ptr %p, align 8, !dbg !5
  store double 2.0, ptr %p, align 8, !dbg !6
  ret void, !dbg !6
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "f.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "lines", file: !1, line: 9, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !{})
!5 = !DILocation(line: 11, scope: !3)
!6 = !DILocation(line: 12, scope: !3)
