; What a batch call asks for, under each spelling and with markers as loads and addresses.
; RUN: %opt -passes='print<tapefree-requests>' -disable-output %s 2>&1 | FileCheck %s

@tapefree_width = external global i32
@tapefree_vector = external global i32
@enzyme_width = external global i32
@enzyme_scalar = external global i32
@enzyme_buffer = external global i32

declare void @__tapefree_batch_store(ptr, i32, i32, i32, double, double, i32, ptr)
declare void @_Z14__enzyme_batchIvJPidiEEvPvDpT_(ptr, ptr, i32, ptr, double, ptr, i64, ptr)
declare void @__enzyme_batch(ptr, ptr, i32, ptr, double, ptr, ptr)

define void @store(double %x, ptr %p) {
  store double %x, ptr %p
  ret void
}

; CHECK: batch store(vector, scalar) width 2
; CHECK-NEXT: batch store(scalar, buffer) width 3
; CHECK-NEXT: batch store(scalar, scalar) width 64
; CHECK-NOT: {{.}}
define void @calls(double %x, ptr %p) {
  %width = load i32, ptr @tapefree_width
  %vector = load i32, ptr @tapefree_vector
  %scalar = load i32, ptr @enzyme_scalar
  call void @__tapefree_batch_store(ptr @store, i32 %width, i32 2, i32 %vector, double %x, double 1.0, i32 %scalar, ptr %p)
  call void @_Z14__enzyme_batchIvJPidiEEvPvDpT_(ptr @store, ptr @enzyme_width, i32 3, ptr @enzyme_scalar, double %x, ptr @enzyme_buffer, i64 8, ptr %p)
  call void @__enzyme_batch(ptr @store, ptr @enzyme_width, i32 64, ptr @enzyme_scalar, double %x, ptr @enzyme_scalar, ptr %p)
  ret void
}
