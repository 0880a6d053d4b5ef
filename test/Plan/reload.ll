; What nothing overwrites is read again, with everything that leads there; what is not needed is not in the plan at all.
; RUN: %opt -passes='print<tapefree-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='tapefree,verify' -disable-output %s

declare void @__enzyme_autodiff(...)

define void @f(ptr noalias %x, ptr noalias %index, ptr noalias %z, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %ip = getelementptr inbounds i64, ptr %index, i64 %i
  %k = load i64, ptr %ip, align 8
  %xp = getelementptr inbounds double, ptr %x, i64 %k
  %v = load double, ptr %xp, align 8
  %w = fmul double %v, %v
  %zp = getelementptr inbounds double, ptr %z, i64 %i
  store double %w, ptr %zp, align 8
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: plan of tapefree.primal.f
; CHECK-NEXT: loop %loop: keeps nothing
; CHECK-NOT: keep
; CHECK-DAG: {{^}}  %v : reload
; CHECK-DAG: {{^}}  %xp : recompute
; CHECK-DAG: {{^}}  %k : reload
; CHECK-DAG: {{^}}  shadow %xp : recompute
; CHECK-NOT: {{keep|%w}}
define void @g(ptr %x, ptr %dx, ptr %index, ptr %dindex, ptr %z, ptr %dz, i64 %n) {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %dx, ptr %index, ptr %dindex, ptr %z, ptr %dz, i64 %n)
  ret void
}
