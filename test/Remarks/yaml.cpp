// -fsave-optimization-record: every part of an explanation has a key of its own.
// RUN: %clangxx -O2 -g -fsave-optimization-record -foptimization-record-file=%t.yaml \
// RUN:   -foptimization-record-passes=tapefree -c %s -o /dev/null
// RUN: FileCheck %s --input-file=%t.yaml
// RUN: %clangxx_plain -O1 -g -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes=tapefree -disable-output -pass-remarks-missed=tapefree %t.ll 2>&1 | FileCheck %s --check-prefix=OPT
#include "Inputs/autodiff.h"

void square(const double *x, double *z, int n) {
  for (int i = 0; i < n; ++i)
    z[i] = x[i] * x[i];
}
void gradient(const double *x, double *dx, double *z, double *dz, int n) {
  __tapefree_autodiff((void *)square, tapefree_dup, x, dx, tapefree_dup, z, dz, tapefree_const, n);
}
// OPT: remark: {{.*}}yaml.cpp:11:{{.*}} keeps 'x[i]' (line 11): 8·n bytes
// CHECK: --- !Passed
// CHECK: Pass: {{ *}}tapefree
// CHECK: Name: {{ *}}Gradient
// CHECK: Function: {{ *}}_Z6squarePKdPdi
// CHECK: - Function: {{ *}}square
// CHECK: - Kept: {{ *}}1 value
// CHECK: - KeptValues: {{ *}}'1'
// CHECK: --- !Missed
// CHECK: Name: {{ *}}Keep
// CHECK: DebugLoc: {{.*}}yaml.cpp{{'?}}, Line: 11, Column: 12 }
// CHECK: Function: {{ *}}_Z6squarePKdPdi
// CHECK: - Value: {{ *}}'''x[i]'''
// CHECK: - Formula: {{ *}}"8·n bytes"
// CHECK: - Place: {{ *}}in one heap block
// CHECK: - Why: {{.*}}the store to ''z[i]'' at line 11 may overwrite
// CHECK: - Edit: {{.*}}__restrict__
// CHECK: - Bytes: {{ *}}'8'
// CHECK: - Cause: {{ *}}MayOverlap
// CHECK: - By: {{.*}}yaml.cpp:11
// CHECK: --- !Analysis
// CHECK: Name: {{ *}}KeepCause
