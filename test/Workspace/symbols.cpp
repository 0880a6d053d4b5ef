// An object file whose gradients lie in workspaces refers to neither malloc nor free; the handler of missing memory is
// a weak symbol, which a definition in another object replaces at every level.
// RUN: %clangxx -O2 -c %s -o %t.o && nm %t.o | FileCheck %s --implicit-check-not='U malloc' --implicit-check-not='U free'
// RUN: %clangxx -O0 -c %s -o %t0.o && nm %t0.o | FileCheck %s --implicit-check-not='U malloc' --implicit-check-not='U free'
// RUN: %clangxx_plain -O2 -DHANDLER -c %s -o %t.h.o
// RUN: %clangxx_plain %t.o %t.h.o -o %t && not %t | FileCheck %s --check-prefix=OWN
// RUN: %clangxx_plain %t.h.o %t0.o -o %t && not %t | FileCheck %s --check-prefix=OWN
// RUN: %clangxx_plain %t.o -o %t && not --crash %t | FileCheck %s --check-prefix=DEFAULT
// CHECK: w puts
// CHECK: W tapefree_out_of_memory
// OWN: 800 bytes are missing
// DEFAULT: tapefree: no memory for the values that a gradient keeps: malloc failed, or the workspace is too small
#ifdef HANDLER
#include <cstdio>
#include <cstdlib>
extern "C" void tapefree_out_of_memory(std::size_t bytes) {
  std::printf("%zu bytes are missing\n", bytes);
  std::exit(1);
}
#else
#include <tapefree/tapefree.hpp>

extern "C" double sin(double);

double carried(double x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i)
    s = sin(s * x);
  return s;
}
double data_dependent(double x) {
  double s = 1;
  while (s > 0.5)
    s = sin(s * x);
  return s;
}
double first(std::span<std::byte> w, double x, int n) {
  return tapefree::gradient_in(w, carried, tapefree::active(x), tapefree::constant(n));
}
double second(std::span<std::byte> w, double x) {
  return tapefree::gradient_in(w, data_dependent, tapefree::active(x));
}

static std::byte memory[4096];
int main() {
  std::size_t size = tapefree::workspace_size(carried, tapefree::active(0.5), tapefree::constant(100));
  first(std::span(memory, size), 0.5, 100);
  second(std::span(memory, 0), 0.5);
  return first(std::span(memory, size - 1), 0.5, 100) > 2; // not reached
}
#endif
