// What restrict of members and local variables says, and where it says nothing.
// REQUIRES: clang-plugin
// RUN: %clangxx -O2 -g -fplugin=%clang_plugin -mllvm -tapefree-alias=c -Rpass=tapefree -fno-caret-diagnostics \
// RUN:   -c %s -o %t.o 2>&1 | FileCheck %s
// The annotations of the front-end plugin cost nothing: they are gone also where no gradient touches them, while
// those of others stay; and without the pass they do no harm.
// RUN: %clangxx -O0 -fplugin=%clang_plugin -S -emit-llvm %s -o - | FileCheck --check-prefix=GONE %s
// RUN: %clangxx_plain -DUSED_ALONE -O1 -fplugin=%clang_plugin -S -emit-llvm %s -o - | FileCheck --check-prefix=ALONE %s
#include <tapefree/tapefree.hpp>

#ifndef USED_ALONE
struct Buffers {
  double *__restrict__ in, *__restrict__ out;
  int n;
};

// CHECK: gradient of 'members' keeps nothing
void members(const Buffers *b) {
  for (int i = 0; i < b->n; ++i)
    b->out[i] = b->in[i] * b->in[i];
}

// CHECK: gradient of 'locals' keeps nothing
void locals(const double *x, double *z, int n) {
  const double *__restrict__ in = x;
  double *__restrict__ out = z;
  for (int i = 0; i < n; ++i)
    out[i] = in[i] * in[i];
}

// In the next iteration, another variable may point to the same memory.
// CHECK: gradient of 'in_a_loop' keeps 1 value
void in_a_loop(const double *x, double *z, int n) {
  for (int i = 0; i < n; ++i) {
    const double *__restrict__ in = x + i;
    double *__restrict__ out = z + i;
    *out = *in * *in;
  }
}

// Both may be the same struct.
// CHECK: gradient of 'same_member' keeps 1 value
void same_member(const Buffers *b, const Buffers *c) {
  for (int i = 0; i < b->n; ++i)
    c->in[i] = b->in[i] * b->in[i];
}

namespace tf = tapefree;
void calls(const Buffers *b, Buffers *db, const double *x, double *dx, double *z, double *dz, int n) {
  tf::gradient(members, tf::dup(b, db));
  tf::gradient(locals, tf::dup(x, dx), tf::dup(z, dz), tf::constant(n));
  tf::gradient(in_a_loop, tf::dup(x, dx), tf::dup(z, dz), tf::constant(n));
  tf::gradient(same_member, tf::dup(b, db), tf::dup(b, db));
}
#endif

struct Other {
  double *__restrict__ p;
  __attribute__((annotate("theirs"))) double *q;
};
// GONE-NOT: tapefree.restrict
// GONE-LABEL: untouched
// GONE: llvm.ptr.annotation
// GONE-NOT: llvm.ptr.annotation
// GONE: ret
// GONE-NOT: tapefree.restrict
// ALONE: untouched
double untouched(const Other *o) {
  double *__restrict__ r = o->p;
  return r[0] + o->q[0];
}
