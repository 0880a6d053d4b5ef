; A bool is an integer, also where it is only moved: no number is cut into parts of bytes.
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-types>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: types of 'moved':
; CHECK: %b = load i1, ptr %p{{.*}} : {period 1: [0] int 1}
; CHECK: store i1 %b, ptr %q{{.*}} : {period 1: [0] int 1}
; CHECK: %c = load i8, ptr %r{{.*}} : {unknown}
define void @moved(ptr %p, ptr %q, ptr %r, ptr %s) {
  %b = load i1, ptr %p, align 1
  store i1 %b, ptr %q, align 1
  %c = load i8, ptr %r, align 1
  store i8 %c, ptr %s, align 1
  ret void
}
