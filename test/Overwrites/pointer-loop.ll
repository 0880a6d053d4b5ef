; A pointer that walks (for (p = a; p != e; ++p)), and the final pointer after the loop.
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-overwrites>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: overwrites of 'walk':
; CHECK-NEXT: %v = load double, ptr %before, align 8 : reload
define void @walk(ptr %a, ptr %e) {
entry:
  br label %loop
loop:
  %p = phi ptr [ %a, %entry ], [ %next, %loop ]
  %before = getelementptr inbounds i8, ptr %p, i64 -8
  %v = load double, ptr %before, align 8
  store double %v, ptr %p, align 8
  %next = getelementptr inbounds i8, ptr %p, i64 8
  %c = icmp ne ptr %next, %e
  br i1 %c, label %loop, label %end
end:
  ret void
}

; What is stored behind the last element was read as the next element of an earlier iteration: no trusting the
; answer that p + 8 and p are apart.
; CHECK-LABEL: overwrites of 'last':
; CHECK-NEXT: %v = load double, ptr %next, align 8 : overwritten by store maybe: store double 0.000000e+00, ptr %final
define void @last(ptr %a, ptr %e) {
entry:
  br label %loop
loop:
  %p = phi ptr [ %a, %entry ], [ %next, %loop ]
  %next = getelementptr inbounds i8, ptr %p, i64 8
  %v = load double, ptr %next, align 8
  %c = icmp ne ptr %next, %e
  br i1 %c, label %loop, label %end
end:
  %final = phi ptr [ %p, %loop ]
  store double 0.0, ptr %final, align 8
  ret void
}
