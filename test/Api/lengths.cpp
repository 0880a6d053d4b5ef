// Lengths that only the run knows: one line, then abort, or what TAPEFREE_FAIL says.
// RUN: %clangxx -O1 %s -o %t && not --crash %t 1 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not --crash %t 2 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not --crash %t 3 2>&1 | FileCheck %s --check-prefix=THREE
// RUN: %clangxx -O1 -DOWN %s -o %t && %t 1 | FileCheck %s --check-prefix=OWN
#ifdef OWN
#include <cstdio>
#include <cstdlib>
#define TAPEFREE_FAIL(text) (std::printf("own: %s\n", text), std::exit(0))
#endif
#include <tapefree/tapefree.hpp>
#include <vector>
namespace tf = tapefree;

static double first(const double *x) { return *x; }
static double same(double x) { return x; }

int main(int, char **argv) {
  std::vector<double> x(5);
  if (argv[1][0] == '1')
    tf::vmap<2>(first, tf::buffer(x));
  // ONE: tapefree: buffer: the length is not a multiple of the number of lanes
  // OWN: own: buffer: the length is not a multiple
  if (argv[1][0] == '3') { // shadows of unequal size
    std::vector<double> shadow(14);
    tf::batch<3>::gradient(first, tf::dupv(x, shadow));
  }
  // THREE: tapefree: dupv: the shadow must hold as many elements as its argument, times the width of the batch
  tf::vmap<4>(same, tf::per_lane(x));
  // TWO: tapefree: per_lane: the array must hold one value for each lane
}
