// harness.cpp: runs the derivatives of generated programs and compares them with the reference.
//
// Everything is a vector of the state's floating values. With J the Jacobian of (state before → state after, result),
// forward mode must give J·tangents and reverse mode Jᵀ·seeds for *all* memory behind dup pointers; that says at once that
// shadows of inputs are added to, that those of overwritten outputs become zero, and those of outputs that are only
// added to stay. Lines printed: "F case mode text" a failure, "S case mode" skipped as too sensitive to rounding, "U case
// text" a program that is no use, and at the end of each case "C case comparisons nonzero", the latter with a derivative that is not zero.
#include "harness.hpp"
#include <cstdio>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- layout --------------------------------------------------------------------------------------------------------------

static void too_many() {
  std::puts("U harness: too many slots");
  std::exit(3);
}
void Layout::add(char *p, bool single, Role role) {
  if (count == most) too_many();
  slots[count++] = {(unsigned)(p - base), single, role};
}
void Layout::add_exact(char *p, unsigned bytes) {
  if (exact_count == most) too_many();
  exact[exact_count++] = {(unsigned)(p - base), bytes};
}
void Layout::add_pointer(char *p) {
  if (pointer_count == most) too_many();
  pointers[pointer_count++] = p - base;
}

// ---- one case --------------------------------------------------------------------------------------------------------------

namespace {
const int most = Layout::most;
typedef double Vector[most];

const Case *now;
Layout layout, jet_layout;
char *jet_state;
int n;               // slots
const char *dump = 0; // the mode whose inputs and expected results are printed
int comparisons, nonzero, round_index;
const char **phase; // what ran last, shared with the process that looks on; null while it is the program itself
unsigned random_state;

double random_unit() { // in (-1, 1), never 0
  random_state = random_state * 1664525u + 1013904223u;
  return ((random_state >> 8) + 0.5) / 8388608.0 - 1;
}

struct Block { // a State on its own, with its ends far from anything else
  char *p;
  explicit Block(unsigned bytes) : p((char *)__builtin_assume_aligned(std::malloc(bytes + 64), 16)) {
    std::memset(p, 0, bytes + 64);
  }
  Block(const Block &) = delete;
  ~Block() { std::free(p); }
};
struct Primal : Block {
  Primal() : Block(now->bytes) { now->init(p); }
  Primal &operator=(const Primal &other) = delete;
};

double get(const char *state, int i) {
  const Slot &s = layout.slots[i];
  return s.single ? *(const float *)(state + s.offset) : *(const double *)(state + s.offset);
}
void set(char *state, int i, double x) {
  const Slot &s = layout.slots[i];
  s.single ? void(*(float *)(state + s.offset) = (float)x) : void(*(double *)(state + s.offset) = x);
}
Role role(int i) { return layout.slots[i].role; }
bool is_input(int i) { return role(i) == Role::memory || role(i) == Role::unneeded || role(i) == Role::scalar; }
bool is_memory(int i) { return role(i) == Role::memory || role(i) == Role::unneeded; }
bool is_output(int i) { return is_memory(i) || role(i) == Role::result; }

void fill(char *state, double scale, bool constants) { // random values, as float where the slot is
  for (int i = 0; i < n; ++i)
    if (constants || role(i) != Role::constant) set(state, i, random_unit() * scale);
}
void load(Vector v, const char *state) {
  for (int i = 0; i < n; ++i) v[i] = get(state, i);
}

struct Outcome { // of one run of the reference
  Vector v, a, b, ab;
};
template <class V> Outcome *take(Outcome *o, int i, const Jet<V> &x) {
  o->v[i] = x.v, o->a[i] = x.a, o->b[i] = x.b, o->ab[i] = x.ab;
  return o;
}
// The reference along directions a and b, with a second-order part ab to begin with; null is zero, unit is e_i.
void reference(Outcome *o, const char *state, const double *a, int unit, const double *b, const double *ab) {
  now->jet_init(jet_state);
  for (int i = 0; i < n; ++i) {
    char *p = jet_state + jet_layout.slots[i].offset;
    const bool in = is_input(i);
    const double da = !in ? 0 : unit == i ? 1 : a ? a[i] : 0, db = in && b ? b[i] : 0, dab = in && ab ? ab[i] : 0;
    if (layout.slots[i].single)
      *(Jet<float> *)p = Jet<float>((float)get(state, i), da, db, dab);
    else
      *(Jet<double> *)p = Jet<double>(get(state, i), da, db, dab);
  }
  now->jet(jet_state);
  for (int i = 0; i < n; ++i) {
    const char *p = jet_state + jet_layout.slots[i].offset;
    layout.slots[i].single ? take(o, i, *(const Jet<float> *)p) : take(o, i, *(const Jet<double> *)p);
  }
}

// ---- expectations: each writes the wanted shadows of one mode, and which of them count ---------------------------------

struct Inputs {
  const char *state;
  Vector d, t, td; // the shadow, the state's outer shadow, the shadow's outer shadow
};
struct Wanted {
  Vector s, d, t, td;
  bool has_s[most], has_d[most], has_t[most], has_td[most];
};
enum Mode { forward, reverse, forward_forward, forward_reverse, reverse_forward, reverse_reverse, modes };
const char *const mode_names[modes] = {"forward", "reverse", "fof", "for", "rof", "ror"};

// The seed behind slot j: scalars by value are no outputs.
double seed(const double *w, int j) { return is_output(j) ? w[j] : 0; }

void expect(Wanted *w, Mode mode, const Inputs &in) {
  static Outcome o;
  std::memset(w, 0, sizeof *w);
  const bool nested = mode >= forward_forward;
  if (mode == forward || mode == forward_forward) {
    reference(&o, in.state, in.d, -1, nested ? in.t : 0, nested ? in.td : 0);
    for (int i = 0; i < n; ++i)
      if (is_output(i)) {
        w->d[i] = o.a[i], w->has_d[i] = true;
        w->t[i] = o.b[i], w->has_t[i] = nested;
        w->td[i] = o.ab[i], w->has_td[i] = nested;
      }
  } else {
    // The second direction: that of the outer tangents, the inner tangents, or the seeds of the gradient.
    const double *b = mode == forward_reverse ? in.t : mode == reverse_forward ? in.d : mode == reverse_reverse ? in.td : 0;
    for (int i = 0; i < n; ++i) {
      if (!is_input(i)) continue;
      reference(&o, in.state, 0, i, b, 0);
      for (int j = 0; j < n; ++j) {
        const double d = seed(in.d, j), t = seed(in.t, j), td = seed(in.td, j);
        if (mode == reverse || mode == forward_reverse || mode == reverse_reverse) w->d[i] += d * o.a[j];
        if (mode == forward_reverse) w->td[i] += d * o.ab[j] + td * o.a[j];
        if (mode == reverse_forward) w->t[i] += t * o.a[j] + td * o.ab[j], w->td[i] += td * o.a[j];
        if (mode == reverse_reverse) w->t[i] += t * o.a[j] + d * o.ab[j];
      }
      w->has_d[i] = mode != reverse_forward;
      w->has_t[i] = mode == reverse_forward || mode == reverse_reverse;
      w->has_td[i] = mode == forward_reverse || mode == reverse_forward;
    }
    if (n > 0 && b) { // along b alone: the tangents that come out with it
      if (mode != reverse_reverse) reference(&o, in.state, 0, -1, b, 0);
      else {
        reference(&o, in.state, 0, -1, b, 0);
        for (int i = 0; i < n; ++i) // the gradient's seeds: J times their adjoints, and what was overwritten is consumed
          w->td[i] = is_output(i) ? o.b[i] : 0, w->has_td[i] = true;
      }
      for (int i = 0; i < n; ++i) {
        if (mode == forward_reverse && is_output(i)) w->t[i] = o.b[i], w->has_t[i] = true;
        if (mode == reverse_forward && is_output(i)) w->d[i] = o.b[i], w->has_d[i] = true;
        if (role(i) == Role::result && (mode == reverse_forward || mode == reverse_reverse))
          w->t[i] = 0, w->has_t[i] = true;
        if (role(i) == Role::result && mode == reverse_forward) w->td[i] = 0, w->has_td[i] = true;
      }
    }
  }
  reference(&o, in.state, 0, -1, 0, 0);
  for (int i = 0; i < n; ++i) {
    w->s[i] = o.v[i];
    w->has_s[i] = role(i) != Role::scalar && role(i) != Role::unneeded && (role(i) != Role::result || now->value || nested);
  }
}

// ---- judging ----------------------------------------------------------------------------------------------------------------

bool near(double got, double want, double scale, double tolerance) {
  return std::fabs(got - want) <= tolerance * (std::fabs(want) + 0.05 * scale + 0.05);
}
double largest(const double *v, const bool *has) {
  double m = 0;
  for (int i = 0; i < n; ++i)
    if (has[i] && std::fabs(v[i]) > m) m = std::fabs(v[i]);
  return m;
}
void describe(char *text, unsigned size, int i) {
  static const char *const names[] = {"memory", "scalar", "result", "unneeded", "constant"};
  std::snprintf(text, size, "%s slot %d (offset %u%s)", names[(int)role(i)], i, layout.slots[i].offset,
                layout.slots[i].single ? ", float" : "");
}

struct Part {
  const char *name;
  Vector got;
  const double *want;
  const bool *has;
};

// The worst value that is wrong by more than the tolerance; -1 if none is.
int worst(const Part &p, double tolerance) {
  const double scale = largest(p.want, p.has);
  int at = -1;
  double error = 0;
  for (int i = 0; i < n; ++i) {
    if (!p.has[i] || near(p.got[i], p.want[i], scale, tolerance)) continue;
    const double e = std::fabs(p.got[i] - p.want[i]);
    if (at < 0 || e > error || e != e) at = i, error = e;
  }
  return at;
}

// Whether random rounding errors of the size of real ones move slot i of part k as much as it is wrong.
bool rounding_explains(Mode mode, const Inputs &in, int k, int i, double error) {
  static Wanted noisy;
  static Wanted exact;
  jet_noise = 0;
  expect(&exact, mode, in);
  double spread = 0;
  for (int run = 0; run < 4; ++run) {
    jet_noise = 2;
    jet_noise_seed(run * 77 + 5);
    expect(&noisy, mode, in);
    const double *a = k == 0 ? noisy.s : k == 1 ? noisy.d : k == 2 ? noisy.t : noisy.td;
    const double *b = k == 0 ? exact.s : k == 1 ? exact.d : k == 2 ? exact.t : exact.td;
    const double moved = std::fabs(a[i] - b[i]);
    if (!(moved <= spread)) spread = moved;
  }
  jet_noise = 0;
  return !(error > 40 * spread) && error == error;
}

void print_vector(const char *name, const char *state, const bool *has) {
  std::printf("D %s", name);
  for (int i = 0; i < n; ++i) {
    if (has && !has[i]) std::printf(" %u:%c:-", layout.slots[i].offset, layout.slots[i].single ? 'f' : 'd');
    else std::printf(" %u:%c:%.17g", layout.slots[i].offset, layout.slots[i].single ? 'f' : 'd', get(state, i));
  }
  std::printf("\n");
}

bool exact_bytes_agree(const char *a, const char *b) {
  for (int i = 0; i < layout.exact_count; ++i)
    if (std::memcmp(a + layout.exact[i].offset, b + layout.exact[i].offset, layout.exact[i].bytes)) return false;
  return true;
}

void fail(const char *mode, const char *text) { std::printf("F %s %s %s\n", now->name, mode, text); }

void check_mode(Mode mode, const Primal &start, const Primal &after_primal) {
  Primal s, d, t, td;
  static Inputs in;
  static Wanted want;
  char text[300], slot[100];
  const bool nested = mode >= forward_forward;
  random_state = 777 + 1000 * round_index + mode; // whatever other modes are tried
  std::memcpy(s.p, start.p, now->bytes);
  now->init(s.p); // its pointers lead into itself
  fill(d.p, 1, false), fill(t.p, 1, false), fill(td.p, 1, false);
  for (int i = 0; i < n; ++i) // the derivative of an out argument is returned, not added
    if (role(i) == Role::scalar && mode == reverse) set(d.p, i, 0);
  load(in.d, d.p), load(in.t, t.p), load(in.td, td.p);
  in.state = start.p;
  expect(&want, mode, in);
  const bool dumped = dump && !std::strcmp(dump, mode_names[mode]);
  if (dumped) {
    print_vector("s", s.p, 0), print_vector("d", d.p, 0);
    if (nested) print_vector("t", t.p, 0), print_vector("td", td.p, 0);
  }
  std::fflush(stdout);
  const long live = live_blocks;
  *phase = mode_names[mode];
  switch (mode) {
  case forward: now->forward(s.p, d.p); break;
  case reverse: now->reverse(s.p, d.p); break;
  case forward_forward: now->forward_forward(s.p, d.p, t.p, td.p); break;
  case forward_reverse: now->forward_reverse(s.p, d.p, t.p, td.p); break;
  case reverse_forward: now->reverse_forward(s.p, d.p, t.p, td.p); break;
  case reverse_reverse: now->reverse_reverse(s.p, d.p, t.p, td.p); break;
  case modes: break;
  }
  if (live_blocks != live) {
    std::snprintf(text, sizeof text, "leak: %ld blocks left", live_blocks - live);
    fail(mode_names[mode], text);
  }
  static Part parts[4] = {{"primal", {}, 0, 0}, {"shadow", {}, 0, 0}, {"outer", {}, 0, 0}, {"outer-shadow", {}, 0, 0}};
  const double *wants[4] = {want.s, want.d, want.t, want.td};
  const bool *has[4] = {want.has_s, want.has_d, want.has_t, want.has_td};
  char *states[4] = {s.p, d.p, t.p, td.p};
  const double tight = now->floats ? (nested ? 1e-4 : 2e-5) : nested ? 1e-10 : 1e-11;
  for (int k = 0; k < (nested ? 4 : 2); ++k) {
    Part &p = parts[k];
    load(p.got, states[k]);
    p.want = wants[k], p.has = has[k];
    if (dumped) {
      for (int i = 0; i < n; ++i) set(states[k], i, p.want[i]);
      const char *const names[] = {"want-s", "want-d", "want-t", "want-td"};
      print_vector(names[k], states[k], p.has);
    }
    for (int i = 0; i < n; ++i) comparisons += p.has[i], nonzero += k && p.has[i] && p.want[i] != 0;
    const int i = worst(p, tight);
    if (i < 0) continue;
    const double error = std::fabs(p.got[i] - p.want[i]);
    if (rounding_explains(mode, in, k, i, error)) {
      if (error > 1e-4 * (1 + std::fabs(p.want[i]))) std::printf("S %s %s\n", now->name, mode_names[mode]);
      continue;
    }
    describe(slot, sizeof slot, i);
    std::snprintf(text, sizeof text, "wrong %s: %s is %.12g, must be %.12g; round %d", p.name, slot, p.got[i],
                  p.want[i], round_index);
    fail(mode_names[mode], text);
  }
  if (!exact_bytes_agree(s.p, after_primal.p)) fail(mode_names[mode], "integers or guards of the primal changed");
  for (int k = 1; k < 4; ++k) {
    // Integer fields of shadows mean nothing; their guards and pointers must stay.
    for (int i = 0; i < layout.pointer_count; ++i) {
      char **p = (char **)(states[k] + layout.pointers[i]), **q = (char **)(s.p + layout.pointers[i]);
      if (*p ? !*q || *p - states[k] != *q - s.p : *q != nullptr) fail(mode_names[mode], "a pointer in a shadow changed");
    }
  }
}

// Bit for bit: every lane of a batch against a call of width 1.
void check_batch(bool is_forward, const Primal &start) {
  const Case &c = *now;
  const char *mode = is_forward ? "batch-forward" : "batch-reverse";
  auto batch = is_forward ? c.batch_forward : c.batch_reverse;
  auto single = is_forward ? c.single_forward : c.single_reverse;
  const unsigned stride = c.lanes == strided ? (c.bytes + 47) / 16 * 16 : (c.bytes + 15) / 16 * 16;
  Block all(stride * c.width);
  Shadows shadows = {c.lanes, c.width, all.p, stride};
  Primal s, expected_s;
  char *lanes = (char *)std::malloc((size_t)c.bytes * c.width);
  for (int k = 0; k < c.width; ++k) {
    Primal d;
    fill(d.p, 1, false);
    for (int i = 0; i < n; ++i)
      if (role(i) == Role::scalar && !is_forward) set(d.p, i, 0);
    if (c.lanes != interleaved) {
      c.init(all.p + k * (size_t)stride);
      for (int i = 0; i < n; ++i) set(all.p + k * (size_t)stride, i, get(d.p, i));
    } else {
      for (int i = 0; i < n; ++i) {
        const Slot &x = layout.slots[i];
        const unsigned size = x.single ? 4 : 8;
        std::memcpy(all.p + c.width * (size_t)x.offset + k * size, d.p + x.offset, size);
      }
      for (int i = 0; i < layout.pointer_count; ++i) {
        const size_t o = layout.pointers[i];
        const char *const target = *(char **)(d.p + o);
        *(char **)(all.p + c.width * o + k * 8) = target ? all.p + c.width * (size_t)(target - d.p) : nullptr;
      }
    }
    std::memcpy(expected_s.p, start.p, c.bytes);
    c.init(expected_s.p);
    single(expected_s.p, d.p);
    std::memcpy(lanes + k * (size_t)c.bytes, d.p, c.bytes);
  }
  std::memcpy(s.p, start.p, c.bytes);
  c.init(s.p);
  const long live = live_blocks;
  *phase = mode;
  batch(s.p, shadows);
  if (live_blocks != live) fail(mode, "leak");
  char text[300], slot[100];
  for (int i = 0; i < n; ++i) {
    const Slot &x = layout.slots[i];
    const unsigned size = x.single ? 4 : 8;
    describe(slot, sizeof slot, i);
    if (role(i) != Role::unneeded && role(i) != Role::scalar && (role(i) != Role::result || c.value) &&
        std::memcmp(s.p + x.offset, expected_s.p + x.offset, size)) {
      std::snprintf(text, sizeof text, "wrong primal: %s", slot);
      return std::free(lanes), fail(mode, text);
    }
    if (role(i) == Role::constant || (!is_forward && role(i) == Role::result)) continue;
    if (is_forward && role(i) == Role::scalar) continue;
    for (int k = 0; k < c.width; ++k) {
      const char *want = lanes + k * (size_t)c.bytes + x.offset;
      const char *got = c.lanes == interleaved ? all.p + c.width * (size_t)x.offset + k * size
                                               : all.p + k * (size_t)stride + x.offset;
      auto number = [&](const char *at) { return x.single ? *(const float *)at : *(const double *)at; };
      ++comparisons, nonzero += number(want) != 0;
      if (!std::memcmp(got, want, size)) continue;
      std::snprintf(text, sizeof text, "lane %d of %d, layout %d: %s is %.17g, width 1 gives %.17g; round %d", k, c.width,
                    c.lanes, slot, number(got), number(want), round_index);
      return std::free(lanes), fail(mode, text);
    }
  }
  std::free(lanes);
}

void check_case(const Case &c, int rounds) {
  now = &c;
  Block jets(c.jet_bytes);
  jet_state = jets.p;
  Primal start, after;
  layout = Layout(), jet_layout = Layout();
  layout.base = start.p, jet_layout.base = jet_state;
  c.layout(start.p, layout), c.jet_layout(jet_state, jet_layout);
  n = layout.count;
  for (int round = 0; round < rounds; ++round) { // what goes wrong here is the program's own fault, what does later is not
    random_state = 12345 + 1000 * round;
    fill(after.p, 1.2, true);
    c.init(after.p);
    c.primal(after.p);
  }
  for (round_index = 0; round_index < rounds; ++round_index) {
    random_state = 12345 + 1000 * round_index;
    fill(start.p, 1.2, true);
    std::memcpy(after.p, start.p, c.bytes);
    c.init(after.p);
    const long live = live_blocks;
    c.primal(after.p);
    if (live_blocks != live) {
      std::printf("U %s leaks by itself\n", c.name);
      return;
    }
    static Outcome o;
    reference(&o, start.p, 0, -1, 0, 0);
    for (int i = 0; i < n; ++i)
      if (!(std::fabs(o.v[i]) < 1e6)) {
        std::printf("U %s value %g\n", c.name, o.v[i]);
        return;
      }
    for (int i = 0; i < n; ++i) // the reference computes what the program computes
      if (role(i) != Role::scalar && !near(get(after.p, i), o.v[i], 1, c.floats ? 1e-4 : 1e-9)) {
        char text[200], slot[100];
        describe(slot, sizeof slot, i);
        std::snprintf(text, sizeof text, "reference: %s is %.12g, the program gives %.12g", slot, o.v[i], get(after.p, i));
        return fail("primal", text);
      }
    if (c.forward) check_mode(forward, start, after);
    if (c.reverse) check_mode(reverse, start, after);
    if (c.forward_forward) check_mode(forward_forward, start, after);
    if (c.forward_reverse) check_mode(forward_reverse, start, after);
    if (c.reverse_forward) check_mode(reverse_forward, start, after);
    if (c.reverse_reverse) check_mode(reverse_reverse, start, after);
    if (c.batch_forward) check_batch(true, start);
    if (c.batch_reverse) check_batch(false, start);
  }
}
} // namespace

int run_cases(const Case *cases, int count, int argc, char **argv) {
  int rounds = 2;
  if (argc > 1) dump = argv[1];
  if (dump) rounds = 1;
  phase = (const char **)mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < count; ++i) {
    std::fflush(stdout);
    *phase = 0;
    const pid_t child = fork(); // a crash ends only its own case
    if (child == 0) {
      alarm(8);
      check_case(cases[i], rounds);
      std::printf("C %s %d %d\n", cases[i].name, comparisons, nonzero);
      std::fflush(stdout);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status) && !*phase)
      std::printf("U %s signal %d by itself\n", cases[i].name, WTERMSIG(status));
    else if (WIFSIGNALED(status))
      std::printf("F %s %s %s: signal %d\n", cases[i].name, *phase, WTERMSIG(status) == SIGALRM ? "timeout" : "crash",
                  WTERMSIG(status));
    else if (WEXITSTATUS(status) != 0)
      std::printf("F %s run exit status %d\n", cases[i].name, WEXITSTATUS(status));
  }
  return 0;
}
