// strict::checked: what only an overlap would keep is no error, and an overlap ends the program. strict::disjoint: the
// same without looking. A proof of the file's own policy does not matter to either.
// RUN: %clangxx -O2 -g %s -o %t && %t && not --crash %t 1 2>&1 | FileCheck %s --check-prefix=TRAP
// RUN: %clangxx -fplugin=%plugin -mllvm -tapefree-alias=c -O0 %s -o %t && %t
// RUN: not %clangxx -O2 -g -DOVERWRITES -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O2 -g -DPLAIN -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLAIN
#include <tapefree/tapefree.hpp>
namespace tf = tapefree;

void square(const double *x, double *z, int n) {
  for (int i = 0; i < n; ++i)
    z[i] = x[i] * x[i];
}
void in_place(const double *x, double *z, int n) {
  for (int i = 0; i < n; ++i)
    z[i] = z[i] * z[i] * x[i];
}

int main(int argc, char **) {
  double x[8] = {1, 2, 3}, dx[8] = {}, z[8], dz[8] = {1, 1, 1};
#ifdef OVERWRITES
  // CHECK: strict_checked.cpp:[[#@LINE-6]]:12: error: tapefree: strict: the gradient of 'in_place' keeps 'z[i]' (line [[#@LINE-6]]): 8·n bytes, in one heap block, because the store to 'z[i]' at line [[#@LINE-6]] overwrites 'z[i]'; {{.*}} (strict by the call at line [[#@LINE+2]])
  // CHECK: 1 error generated
  tf::strict::checked::gradient(in_place, tf::dup(x, dx), tf::dup(z, dz), tf::constant(3));
#elif defined PLAIN
  // PLAIN: error: tapefree: strict: the gradient of 'square' keeps 'x[i]'
  tf::strict::gradient(square, tf::dup(x, dx), tf::dup(z, dz), tf::constant(3));
#endif
  double *y = argc > 1 ? x + 2 : z, *dy = argc > 1 ? dx + 2 : dz;
  tf::strict::disjoint::gradient(square, tf::dup(x, dx), tf::dup(z, dz), tf::constant(3));
  dz[0] = dz[1] = dz[2] = 1;
  // TRAP: tapefree: strict_checked.cpp:[[#@LINE+1]]: 'x' and 'z' overlap in the gradient of 'square', which is strict and has no second body for that
  tf::strict::checked::gradient(square, tf::dup(x, dx), tf::dup(y, dy), tf::constant(3));
  return dx[0] == 4 && dx[1] == 8 && dx[2] == 12 ? 0 : 1;
}
