// harness.hpp: what a unit of generated programs says about each of them. harness.cpp runs and judges them.
//
// All memory that a program works on is one struct State<D, F>: its buffers, records and scalar arguments. State<double,
// float> is the primal's, and a shadow is one more State. State<Jet<double>, Jet<float>> is that of the reference.
#ifndef TAPEFREE_FUZZ_HARNESS_HPP
#define TAPEFREE_FUZZ_HARNESS_HPP
#include "jet.hpp"
#include <tapefree/abi.h>

enum class Role : char {
  memory,   // behind a dup pointer: before and after count
  scalar,   // an argument by value: what comes out is its derivative
  result,   // the function's value
  unneeded, // behind a dupnoneed pointer: its value afterwards is unspecified, its derivative is not
  constant, // behind a const pointer, or a const value: never changed
};

struct Slot { // one floating value of the state
  unsigned offset;
  bool single;
  Role role;
};
struct Exact { // bytes that are compared as they are: integers, and the guards between the buffers
  unsigned offset, bytes;
};

// Collects the slots of a State; the same calls, in the same order, for the primal's and the reference's.
struct Layout {
  static const int most = 400;
  char *base;
  Slot slots[most];
  Exact exact[most];
  unsigned pointers[most];
  int count = 0, exact_count = 0, pointer_count = 0;
  template <class T> void real(T *first, int n, Role role) {
    for (int i = 0; i < n; ++i) add((char *)(first + i), sizeof(plain(T())) == 4, role);
  }
  template <class T> void same(T *first, int n) { add_exact((char *)first, n * sizeof(T)); }
  template <class T> void pointer(T **first, int n) {
    for (int i = 0; i < n; ++i) add_pointer((char *)(first + i));
  }
  void add(char *p, bool single, Role role);
  void add_exact(char *p, unsigned bytes);
  void add_pointer(char *p);
};

enum Lanes { separate, strided, interleaved };

// Where the lanes of a batched shadow lie. dupv and separate shadows are whole States; in the interleaved one the lanes
// of a scalar at offset o of the State are at N·o, side by side.
struct Shadows {
  Lanes layout;
  int width;
  char *base;
  unsigned stride;
  template <class S, class T> T *at(S *state, T *field, int lane) const {
    const unsigned long offset = (char *)field - (char *)state;
    if (layout == interleaved) return (T *)(base + width * offset) + lane;
    return (T *)(base + lane * (unsigned long)stride + offset);
  }
};

struct Case {
  const char *name;
  unsigned bytes, jet_bytes;
  bool floats; // some of it is float: rounding errors are those of float
  bool value;  // the calls that are not nested ask for the function's value, too
  void (*layout)(void *state, Layout &), (*jet_layout)(void *state, Layout &);
  void (*init)(void *state), (*jet_init)(void *state); // integers, and pointers into the state itself
  void (*primal)(void *state), (*jet)(void *state);
  // The derivatives, where this unit asks for them: state, shadow, and for nestings their shadows in turn.
  void (*forward)(void *, void *), (*reverse)(void *, void *);
  void (*forward_forward)(void *, void *, void *, void *), (*forward_reverse)(void *, void *, void *, void *);
  void (*reverse_forward)(void *, void *, void *, void *), (*reverse_reverse)(void *, void *, void *, void *);
  // Batches, with the width 1 calls that they must agree with to the bit.
  int width;
  Lanes lanes;
  void (*batch_forward)(void *, Shadows), (*batch_reverse)(void *, Shadows);
  void (*single_forward)(void *, void *), (*single_reverse)(void *, void *);
};

// Blocks of the heap that are in use (heap.cpp).
extern volatile long live_blocks;

// The program: runs every case, prints what failed, then one line of counts.
int run_cases(const Case *cases, int count, int argc, char **argv);
#endif
