// NOLANES: the typed interface, or batches themselves
// A lane that throws: the lanes before it have run, the others do not, and the exception goes where any call's would.
#include "support.hpp"
extern int tapefree_width, tapefree_vector, tapefree_scalar;
template <class R, class... A> R __tapefree_batch(void *, A...);

static int ran = 0;
static void step(int x) {
  if (x < 0)
    throw x;
  ++ran;
}
static int cleaned = 0;
struct Cleanup {
  ~Cleanup() { ++cleaned; }
};
static NOINLINE void lanes(int a, int b, int c) {
  Cleanup c1;
  __tapefree_batch<void>((void *)step, tapefree_width, 3, tapefree_vector, a, b, c);
}

int main() {
  lanes(1, 2, 3);
  check("no exception", ran, 3);
  int caught = 0;
  try {
    lanes(1, -7, 3);
  } catch (int x) {
    caught = x;
  }
  check("caught", caught, -7);
  check("up to there", ran, 4);
  check("cleaned up", cleaned, 2);
  try {
    __tapefree_batch<void>((void *)step, tapefree_width, 3, tapefree_vector, 1, 2, -9);
  } catch (int x) {
    caught = x;
  }
  check("caught here", caught, -9);
  check("two more", ran, 6);
  return finish();
}
