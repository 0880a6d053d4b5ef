; One loop over the lanes, whatever their number: vectors in a stack array, buffers moved on by their stride, scalars as
; they are; the results are stored where the call wants them.
; RUN: %opt -passes='tapefree,verify' -S %s | FileCheck %s

@tapefree_width = external global i32
@tapefree_vector = external global i32
@tapefree_scalar = external global i32
@tapefree_buffer = external global i32

%four = type { [4 x double] }
declare void @__tapefree_batch4(ptr sret(%four), ptr, i32, i32, i32, double, double, double, double, i32, float, i32, i32, ptr)
declare { double, double } @__tapefree_batch2(ptr, i32, i32, i32, double, double, i32, float, i32, i32, ptr)
declare void @__tapefree_batch_small(ptr, i32, i32, i32, i32)

define double @f(double %x, float %s, ptr %p) {
  %y = load double, ptr %p
  %z = fmul double %x, %y
  ret double %z
}
declare zeroext i8 @fixed(i8 zeroext)

; CHECK-LABEL: define void @in_memory(
; CHECK: [[LANES:%.*]] = alloca [4 x double]
; CHECK-COUNT-4: store double {{.*}}, ptr %{{.*}}
; CHECK: br label %[[LOOP:.*]]
; CHECK: [[LOOP]]:
; CHECK: [[K:%.*]] = phi i64 [ 0, %{{.*}} ], [ [[NEXT:%.*]], %[[LOOP]] ]
; CHECK: [[AT:%.*]] = getelementptr inbounds double, ptr [[LANES]], i64 [[K]]
; CHECK: [[X:%.*]] = load double, ptr [[AT]]
; CHECK: [[OFFSET:%.*]] = mul i64 [[K]], 24
; CHECK: [[P:%.*]] = getelementptr i8, ptr %p, i64 [[OFFSET]]
; CHECK: [[R:%.*]] = call double @f(double [[X]], float %s, ptr [[P]]) [[INLINED:#.*]]
; CHECK: [[TO:%.*]] = getelementptr inbounds double, ptr %r, i64 [[K]]
; CHECK: store double [[R]], ptr [[TO]]
; CHECK: [[NEXT]] = add nuw i64 [[K]], 1
; CHECK: [[MORE:%.*]] = icmp ult i64 [[NEXT]], 4
; CHECK: br i1 [[MORE]], label %[[LOOP]], {{.*}} !llvm.loop
; CHECK-NOT: call double
define void @in_memory(ptr sret(%four) %r, double %a, double %b, float %s, ptr %p) {
  %width = load i32, ptr @tapefree_width
  %vector = load i32, ptr @tapefree_vector
  %scalar = load i32, ptr @tapefree_scalar
  %buffer = load i32, ptr @tapefree_buffer
  call void @__tapefree_batch4(ptr sret(%four) %r, ptr @f, i32 %width, i32 4, i32 %vector, double %a, double %b, double %a, double 1.0, i32 %scalar, float %s, i32 %buffer, i32 24, ptr %p)
  ret void
}

; CHECK-LABEL: define { double, double } @in_registers(
; CHECK: [[RESULTS:%.*]] = alloca [2 x double]
; CHECK: call double @f(
; CHECK: [[ALL:%.*]] = load { double, double }, ptr [[RESULTS]]
; CHECK: ret { double, double } [[ALL]]
define { double, double } @in_registers(double %a, double %b, float %s, ptr %p) {
  %width = load i32, ptr @tapefree_width
  %vector = load i32, ptr @tapefree_vector
  %scalar = load i32, ptr @tapefree_scalar
  %buffer = load i32, ptr @tapefree_buffer
  %r = call { double, double } @__tapefree_batch2(ptr @f, i32 %width, i32 2, i32 %vector, double %a, double %b, i32 %scalar, float %s, i32 %buffer, i32 8, ptr %p)
  ret { double, double } %r
}

; A body that is not visible stays a call, with the extensions that it relies on.
; CHECK-LABEL: define void @elsewhere(
; CHECK: call zeroext i8 @fixed(i8 zeroext %{{.*}}){{$}}
define void @elsewhere(i32 %x) {
  %width = load i32, ptr @tapefree_width
  %scalar = load i32, ptr @tapefree_scalar
  call void @__tapefree_batch_small(ptr @fixed, i32 %width, i32 64, i32 %scalar, i32 %x)
  ret void
}

; CHECK: attributes [[INLINED]] = { alwaysinline }
