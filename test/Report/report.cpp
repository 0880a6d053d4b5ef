// tapefree report: the listing, the page, and what it says of records and sources that are not there.
// REQUIRES: program
// RUN: %clangxx -O1 -g -fsave-optimization-record -foptimization-record-passes=tapefree -foptimization-record-file=%t.yaml -c %s -o /dev/null
// RUN: %tapefree report %t.yaml > %t.txt 2> %t.err
// RUN: FileCheck %s --input-file=%t.txt
// RUN: count 0 < %t.err
// RUN: %tapefree report %t.yaml --color=always | FileCheck %s --check-prefix=COLOR
// RUN: %tapefree report %t.yaml --html %t.html | count 0
// RUN: FileCheck %s --check-prefix=HTML --input-file=%t.html
// RUN: not grep -E 'http|url\(|src=|<script' %t.html
//
// Without the source: one note, and no lines are quoted.
// RUN: sed 's/report\.cpp/gone.cpp/' %t.yaml > %t.gone.yaml
// RUN: %tapefree report %t.gone.yaml 2>&1 | FileCheck %s --check-prefix=GONE
// RUN: %tapefree report %t.gone.yaml --html %t.gone.html 2>&1 | grep -c 'gone.cpp is not found' | grep -x 1
// RUN: rm -rf %t.dir && mkdir %t.dir && cp %s %t.dir/gone.cpp
// RUN: %tapefree report %t.gone.yaml --source %t.dir | FileCheck %s
//
// Bad input: exit status 1 and one line.
// RUN: not %tapefree report %t.none.yaml 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %tapefree report %s 2>&1 | FileCheck %s --check-prefix=CODE
// RUN: head -c 700 %t.yaml > %t.part.yaml
// RUN: not %tapefree report %t.part.yaml 2>&1 | FileCheck %s --check-prefix=PART
// RUN: grep -v -- '- Gradient:' %t.yaml > %t.old.yaml
// RUN: not %tapefree report %t.old.yaml 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: printf 'RMRK' > %t.bits
// RUN: not %tapefree report %t.bits 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not %tapefree report %t.yaml --html %t.dir 2>&1 | FileCheck %s --check-prefix=NOPAGE
// RUN: not %tapefree report 2>&1 | FileCheck %s --check-prefix=USAGE
// RUN: not %tapefree report %t.yaml --color=sometimes 2>&1 | FileCheck %s --check-prefix=USAGE
// RUN: true > %t.empty.yaml
// RUN: %tapefree report %t.empty.yaml 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: %python %S/Inputs/damage.py %tapefree %t.yaml %t.damaged.yaml
// NONE: tapefree report: {{.*}}.none.yaml: No such file or directory
// CODE: report.cpp: not a record of optimizations in YAML: it does not begin with ---
// PART: .part.yaml: not whole: it ends inside of a remark
// OLD: .old.yaml: its gradients are not numbered: it was written by another version of Tapefree
// BITS: .bits: a record in LLVM's bitstream format: compile with -fsave-optimization-record=yaml
// NOPAGE: .dir: Is a directory
// USAGE: Run with --help for more information
// EMPTY: note: {{.*}}.empty.yaml has no gradients: compile with
#include "../Remarks/Inputs/autodiff.h"

template <class T> struct Layer {
  const T *x;
  T *z; // <b>"marked up" & 'quoted'</b>
  void forward(int n) {
    for (int i = 0; i < n; ++i)
      z[i] = x[i] * x[i];
  }
};
static void both(Layer<double> &l, int n) { l.forward(n); }
void net(Layer<double> *l, int n) {
	both(*l, n); // a tab
}
double tree(const double *x, int n) {
  return n < 2 ? x[0] : tree(x, n / 2) * tree(x + n / 2, n - n / 2);
}
double few(double x) {
  double y = 1;
  for (int i = 0; i < 100; ++i)
    y = y * y + x;
  return y;
}
double nothing(double x) { return x * x; }

void gradients(Layer<double> *l, Layer<double> *dl, double *x, double *dx, int n) {
  __tapefree_autodiff((void *)net, tapefree_dup, l, dl, tapefree_const, n);
  __tapefree_autodiff((void *)tree, tapefree_dup, x, dx, tapefree_const, n);
  __tapefree_autodiff((void *)few, tapefree_out, 1.0);
  __tapefree_autodiff((void *)nothing, tapefree_out, 1.0);
}
// CHECK: [[#@LINE-20]]: gradient of 'net'
// CHECK-NEXT: asked for at {{.*}}:[[#@LINE-6]]:3
// CHECK-NEXT: keeps 1 value (8·n bytes); {{[0-9]}} values read again, {{[0-9]+}} values computed again
// CHECK-NEXT: run time a test that 2 buffers and their shadows do not overlap chooses a second body, which keeps nothing
// CHECK-EMPTY:
// CHECK-NEXT: '{{.*}}x[i]': 8·n bytes, in one heap block
// CHECK-NEXT: :[[#@LINE-30]]:14
// CHECK-NEXT: {{^ +}}[[#@LINE-31]] |{{       }}z[i] = x[i] * x[i];
// CHECK-NEXT: {{^           \|              \^$}}
// CHECK-NEXT: in 'Layer<double>::forward', which 'both' calls at {{.*}}:[[#@LINE-30]]:45,
// CHECK-NEXT: which 'net' calls at {{.*}}:[[#@LINE-29]]:2
// CHECK-NEXT: because the store to 'z[i]' at line [[#@LINE-35]] may overwrite
// CHECK-NEXT: edit make {{.*}} __restrict__ parameters of one function that holds both accesses
// CHECK: gradient of 'tree'
// CHECK: keeps 2 values (how many bytes, only the run tells)
// CHECK: gradient of 'tree'
// CHECK-NEXT: a part of the gradient of 'tree', reached by the call at {{.*}}:[[#@LINE-32]]:{{[0-9]+}}
// CHECK: gradient of 'few'
// CHECK: 'y': 800 bytes (100·8), on the stack
// CHECK: gradient of 'nothing'
// CHECK-NEXT: asked for
// CHECK-NEXT: keeps nothing (0 bytes); 0 values read again, 0 values computed again
// CHECK: 5 gradients, 1 without a kept value; 6 values kept
// COLOR: {{.*}}[1mgradient of 'net'{{.*}}[0m
// HTML: <!DOCTYPE html>
// HTML: <a href="#g1"><span class="name">net</span></a>
// HTML: tests 2 buffers; if none overlap, keeps nothing
// HTML: A bar is as long as the number of values
// HTML: <code>Layer&lt;double&gt;::forward</code>, which <code>both</code> calls at
// HTML: A bar is as long as the bytes of its values.
// HTML: // &lt;b&gt;&quot;marked up&quot; &amp; &#39;quoted&#39;&lt;/b&gt;
// HTML: <a class="keep" href="#k1" aria-describedby="t1">x[i]<span class="tip" role="tooltip" id="t1">
// GONE: gradient of 'net'
// GONE-NOT: z[i] = x[i]
// GONE: tapefree report: note: {{.*}}gone.cpp is not found, and its lines are not shown: say where it is with --source
// GONE-NOT: note:
