// strict for a whole file: a flag, or the environment.
// RUN: %clangxx -O2 -g -c %s -o /dev/null
// RUN: not %clangxx -O2 -g -mllvm -tapefree-strict -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O2 -g -fplugin=%plugin -mllvm -tapefree-strict -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: env TAPEFREE_STRICT=1 not %clangxx -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: env TAPEFREE_STRICT=0 %clangxx -O2 -g -c %s -o /dev/null
// RUN: %clangxx_plain -O1 -g -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// opt stops at an error, before its notes: remarks come first.
// RUN: not %opt -tapefree-strict -passes=tapefree -disable-output -pass-remarks-missed=tapefree %t.ll 2>&1 | FileCheck %s --check-prefix=OPT
#include "../Remarks/Inputs/autodiff.h"

double chain(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i)
    s = s * s + x[i];
  return s;
}

void gradient(double *x, double *dx, int n) {
  __tapefree_autodiff((void *)chain, tapefree_dup, x, dx, tapefree_const, n);
}
// CHECK: error: {{.*}}tapefree: strict: the gradient of 'chain' keeps 1 value on the heap (8·n bytes)
// CHECK: whole_file.cpp:[[#@LINE-8]]:{{[0-9]+}}: note: keeps 's' (line [[#@LINE-8]]): 8·n bytes, in one heap block
// OPT: remark: {{.*}}whole_file.cpp:[[#@LINE-9]]:{{[0-9]+}}: keeps 's' (line [[#@LINE-9]]): 8·n bytes, in one heap block
// OPT: error: {{.*}}tapefree: strict: the gradient of 'chain' keeps 1 value on the heap (8·n bytes)
