; In a block that catches, what a lane throws is caught there; a function that cannot throw is just called.
; RUN: %opt -passes='tapefree,verify' -S %s | FileCheck %s

@tapefree_width = external global i32
@tapefree_vector = external global i32

declare double @__tapefree_batch(ptr, i32, i32, i32, double)
declare i32 @__gxx_personality_v0(...)
declare double @may_throw(double)
declare double @safe(double) nounwind

; CHECK-LABEL: define double @caught(
; CHECK: tapefree.lane:
; CHECK: invoke double @may_throw(double %{{.*}})
; CHECK-NEXT: to label %[[DONE:.*]] unwind label %[[PAD:.*]]
; CHECK: [[DONE]]:
; CHECK: store double
; CHECK: br i1 {{.*}}, label %tapefree.lane,
; CHECK: [[PAD]]:
; CHECK-NEXT: %why = phi i32 [ 9, %entry ], [ 7, %tapefree.lane ]
; CHECK-NEXT: landingpad
define double @caught(double %x) personality ptr @__gxx_personality_v0 {
entry:
  %before = invoke double @may_throw(double %x) to label %batch unwind label %pad
batch:
  %width = load i32, ptr @tapefree_width
  %vector = load i32, ptr @tapefree_vector
  %r = invoke double @__tapefree_batch(ptr @may_throw, i32 %width, i32 1, i32 %vector, double %x) to label %ok unwind label %pad
ok:
  ret double %r
pad:
  %why = phi i32 [ 9, %entry ], [ 7, %batch ]
  %l = landingpad { ptr, i32 } catch ptr null
  %d = sitofp i32 %why to double
  ret double %d
}

; CHECK-LABEL: define double @uncaught(
; CHECK-NOT: invoke
; CHECK: call double @safe(
; CHECK-NOT: invoke
define double @uncaught(double %x) personality ptr @__gxx_personality_v0 {
entry:
  %width = load i32, ptr @tapefree_width
  %vector = load i32, ptr @tapefree_vector
  %r = invoke double @__tapefree_batch(ptr @safe, i32 %width, i32 1, i32 %vector, double %x) to label %ok unwind label %pad
ok:
  ret double %r
pad:
  %l = landingpad { ptr, i32 } catch ptr null
  ret double 0.0
}
