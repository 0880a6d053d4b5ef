; What stands between the function and its first argument: the options of the whole call, in any order.
; RUN: %opt -passes='print<tapefree-requests>' -disable-output %s 2>&1 | FileCheck %s
; RUN: env TAPEFREE_ALIAS=disjoint %opt -passes='print<tapefree-requests>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=FILE
; RUN: opt -load=%plugin -load-pass-plugin=%plugin -tapefree-alias=c -passes='print<tapefree-requests>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=FLAG
; FILE: reverse f(out) return active with primal alias disjoint
; FILE: reverse f(out) return active alias c
; FILE: reverse f(out) return active{{$}}
; FLAG: reverse f(out) return active with primal alias c

@tapefree_primal_return = external global i32
@tapefree_noret = external global i32
@tapefree_strict = external global i32
@tapefree_alias_checked = external global i32
@tapefree_alias_c = external global i32
@tapefree_alias_disjoint = external global i32
@tapefree_strict_checked = external global i32
@tapefree_workspace = external global i32
@enzyme_primal_return = external global i32
@enzyme_noret = external global i32
@enzyme_const_return = external global i32

declare { double, double } @__tapefree_autodiff_two(...)
declare double @__enzyme_autodiff(...)
declare i64 @__tapefree_workspacesize(...)
declare { double, double } @__enzyme_fwddiff(...)

define double @f(double %x) {
  %y = fmul double %x, %x
  ret double %y
}

; CHECK: reverse f(out) return active with primal
define double @primal_return(double %x) {
  %o = load i32, ptr @tapefree_primal_return, align 4
  %r = call { double, double } (...) @__tapefree_autodiff_two(ptr @f, i32 %o, double %x)
  %v = extractvalue { double, double } %r, 0
  ret double %v
}

; CHECK-NEXT: forward f(dup) return active with primal
define double @forward(double %x, double %dx) {
  %o = load i32, ptr @enzyme_primal_return, align 4
  %r = call { double, double } (...) @__enzyme_fwddiff(ptr @f, i32 %o, double %x, double %dx)
  %v = extractvalue { double, double } %r, 0
  ret double %v
}

; CHECK-NEXT: reverse f(out) return const{{$}}
define double @noret(double %x) {
  %o = load i32, ptr @tapefree_noret, align 4
  %r = call double (...) @__enzyme_autodiff(ptr @f, i32 %o, double %x)
  ret double %r
}

; CHECK-NEXT: reverse f(out) return const{{$}}
define double @const_return(double %x) {
  %o = load i32, ptr @enzyme_const_return, align 4
  %r = call double (...) @__enzyme_autodiff(ptr @f, i32 %o, double %x)
  ret double %r
}

; CHECK-NEXT: reverse f(out) return active strict
define double @strict(double %x) {
  %o = load i32, ptr @tapefree_strict, align 4
  %r = call double (...) @__enzyme_autodiff(ptr @f, i32 %o, double %x)
  ret double %r
}

; CHECK-NEXT: reverse f(out) return const with primal strict
define double @together(double %x) {
  %s = load i32, ptr @tapefree_strict, align 4
  %p = load i32, ptr @tapefree_primal_return, align 4
  %n = load i32, ptr @enzyme_noret, align 4
  %r = call { double, double } (...) @__tapefree_autodiff_two(ptr @f, i32 %n, i32 %s, i32 %p, double %x)
  %v = extractvalue { double, double } %r, 0
  ret double %v
}

; CHECK-NEXT: reverse f(out) return active alias c
define double @c(double %x) {
  %o = load i32, ptr @tapefree_alias_c, align 4
  %r = call double (...) @__enzyme_autodiff(ptr @f, i32 %o, double %x)
  ret double %r
}

; CHECK-NEXT: reverse f(out) return active strict alias disjoint
define double @disjoint(double %x) {
  %o = load i32, ptr @tapefree_alias_disjoint, align 4
  %s = load i32, ptr @tapefree_strict, align 4
  %r = call double (...) @__enzyme_autodiff(ptr @f, i32 %o, i32 %s, double %x)
  ret double %r
}

; CHECK-NEXT: reverse f(out) return active strict checked{{$}}
define double @strict_checked(double %x) {
  %o = load i32, ptr @tapefree_strict_checked, align 4
  %r = call double (...) @__enzyme_autodiff(ptr @f, i32 %o, double %x)
  ret double %r
}

; CHECK-NEXT: reverse f(out) return active{{$}}
define double @checked(double %x) {
  %o = load i32, ptr @tapefree_alias_checked, align 4
  %r = call double (...) @__enzyme_autodiff(ptr @f, i32 %o, double %x)
  ret double %r
}

; CHECK-NEXT: reverse f(out) return active in workspace
define double @workspace(ptr %memory, double %x) {
  %o = load i32, ptr @tapefree_workspace, align 4
  %r = call double (...) @__enzyme_autodiff(ptr @f, i32 %o, ptr %memory, i32 64, double %x)
  ret double %r
}

; CHECK-NEXT: workspace size of reverse f(out) return active
define i64 @size(double %x) {
  %r = call i64 (...) @__tapefree_workspacesize(ptr @f, double %x)
  ret i64 %r
}
