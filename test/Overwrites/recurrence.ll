; a[i] = a[i + d], upwards and downwards: a later write has passed the location, or is still to come.
; RUN: opt -load-pass-plugin=%plugin -passes='print<tapefree-overwrites>' -disable-output %s 2>&1 | FileCheck %s
; CHECK-LABEL: overwrites of 'up_previous':
; CHECK-NEXT: %v = load double, ptr %pj, align 8 : reload
define void @up_previous(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %j = add nsw i64 %i, -1
  %pj = getelementptr inbounds double, ptr %a, i64 %j
  %v = load double, ptr %pj, align 8
  %pi = getelementptr inbounds double, ptr %a, i64 %i
  store double %v, ptr %pi, align 8
  %next = add nuw nsw i64 %i, 1
  %c = icmp slt i64 %next, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: overwrites of 'up_next':
; CHECK-NEXT: %v = load double, ptr %pj, align 8 : overwritten by store exactly: store double %v, ptr %pi
define void @up_next(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %j = add nsw i64 %i, 1
  %pj = getelementptr inbounds double, ptr %a, i64 %j
  %v = load double, ptr %pj, align 8
  %pi = getelementptr inbounds double, ptr %a, i64 %i
  store double %v, ptr %pi, align 8
  %next = add nuw nsw i64 %i, 1
  %c = icmp slt i64 %next, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: overwrites of 'down_previous':
; CHECK-NEXT: %v = load double, ptr %pj, align 8 : reload
define void @down_previous(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %n, %entry ], [ %next, %loop ]
  %j = add nsw i64 %i, 1
  %pj = getelementptr inbounds double, ptr %a, i64 %j
  %v = load double, ptr %pj, align 8
  %pi = getelementptr inbounds double, ptr %a, i64 %i
  store double %v, ptr %pi, align 8
  %next = add nsw i64 %i, -1
  %c = icmp sgt i64 %next, 1
  br i1 %c, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: overwrites of 'down_next':
; CHECK-NEXT: %v = load double, ptr %pj, align 8 : overwritten by store exactly: store double %v, ptr %pi
define void @down_next(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %n, %entry ], [ %next, %loop ]
  %j = add nsw i64 %i, -1
  %pj = getelementptr inbounds double, ptr %a, i64 %j
  %v = load double, ptr %pj, align 8
  %pi = getelementptr inbounds double, ptr %a, i64 %i
  store double %v, ptr %pi, align 8
  %next = add nsw i64 %i, -1
  %c = icmp sgt i64 %next, 1
  br i1 %c, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: overwrites of 'up_far':
; CHECK-NEXT: %v = load double, ptr %pj, align 8 : overwritten by store exactly
define void @up_far(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %j = add nsw i64 %i, 5
  %pj = getelementptr inbounds double, ptr %a, i64 %j
  %v = load double, ptr %pj, align 8
  %pi = getelementptr inbounds double, ptr %a, i64 %i
  store double %v, ptr %pi, align 8
  %next = add nuw nsw i64 %i, 1
  %c = icmp slt i64 %next, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: overwrites of 'down_far':
; CHECK-NEXT: %v = load double, ptr %pj, align 8 : reload
define void @down_far(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %n, %entry ], [ %next, %loop ]
  %j = add nsw i64 %i, 5
  %pj = getelementptr inbounds double, ptr %a, i64 %j
  %v = load double, ptr %pj, align 8
  %pi = getelementptr inbounds double, ptr %a, i64 %i
  store double %v, ptr %pi, align 8
  %next = add nsw i64 %i, -1
  %c = icmp sgt i64 %next, 1
  br i1 %c, label %loop, label %end
end:
  ret void
}

; The same element: only later in the same iteration.
; CHECK-LABEL: overwrites of 'same_after':
; CHECK-NEXT: %v = load double, ptr %pi, align 8 : overwritten by store exactly: store double 0.000000e+00, ptr %pi

define void @same_after(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %pi = getelementptr inbounds double, ptr %a, i64 %i
  %v = load double, ptr %pi, align 8
  store double 0.0, ptr %pi, align 8
  %next = add nuw nsw i64 %i, 1
  %c = icmp slt i64 %next, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: overwrites of 'same_before':
; CHECK-NEXT: %v = load double, ptr %pi, align 8 : reload

define void @same_before(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %pi = getelementptr inbounds double, ptr %a, i64 %i
  store double 0.0, ptr %pi, align 8
  %v = load double, ptr %pi, align 8
  %next = add nuw nsw i64 %i, 1
  %c = icmp slt i64 %next, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}

; A store that stands before the load runs after it in the next iteration.
; CHECK-LABEL: overwrites of 'fixed_before':
; CHECK-NEXT: %v = load double, ptr %a, align 8 : overwritten by store exactly: store double 0.000000e+00, ptr %a

define void @fixed_before(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  store double 0.0, ptr %a, align 8
  %v = load double, ptr %a, align 8
  %next = add nuw nsw i64 %i, 1
  %c = icmp slt i64 %next, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}
