; What restrict says of a callee's parameters is kept through inlining as scopes on the accesses, although the callee's
; parameters lie in local memory, as clang -O0 has them.
; RUN: %opt -passes='print<tapefree-prepared>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='print<tapefree-plan>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PLAN

declare void @__enzyme_autodiff(...)

define internal void @square(ptr noalias %x, ptr noalias %z, i64 %n) noinline {
entry:
  %xs = alloca ptr, align 8
  %zs = alloca ptr, align 8
  store ptr %x, ptr %xs, align 8
  store ptr %z, ptr %zs, align 8
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %xp = load ptr, ptr %xs, align 8
  %px = getelementptr inbounds double, ptr %xp, i64 %i
  %v = load double, ptr %px, align 8
  %w = fmul double %v, %v
  %zp = load ptr, ptr %zs, align 8
  %pz = getelementptr inbounds double, ptr %zp, i64 %i
  store double %w, ptr %pz, align 8
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
define void @f(ptr %x, ptr %z, i64 %n) {
  call void @square(ptr %x, ptr %z, i64 %n)
  ret void
}

; CHECK-LABEL: define internal void @tapefree.primal.f(
; CHECK: call void @llvm.experimental.noalias.scope.decl
; CHECK: load double, ptr %{{.*}}, !alias.scope [[X:![0-9]+]], !noalias [[Z:![0-9]+]]
; CHECK: store double %{{.*}}, !alias.scope [[Z]], !noalias [[X]]

; PLAN: plan of tapefree.primal.f
; PLAN: loop %{{.*}}: keeps nothing
; PLAN: %v{{.*}} : reload
define void @g(ptr %x, ptr %dx, ptr %z, ptr %dz, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %z, ptr %dz, i64 %n)
  ret void
}
