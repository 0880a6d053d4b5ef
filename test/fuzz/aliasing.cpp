#include "aliasing.hpp"
#include <algorithm>
#include <random>
#include <string>

namespace aliasing {
Ranges touched;
static J *arena;

J &Tracked::at(long i) const {
  const int cell = int(p + i - arena);
  if (cell < 0 || cell >= cells) std::printf("FAULT of the generator: cell %d\n", cell), std::exit(3);
  touched.low[way] = std::min(touched.low[way], cell);
  touched.high[way] = std::max(touched.high[way], cell + 1);
  return p[i];
}

void move(Tracked to, Tracked from, int n) {
  J copy[cells];
  for (int i = 0; i < n; ++i) copy[i] = from.at(i);
  for (int i = 0; i < n; ++i) to.at(i) = copy[i];
}

namespace {
struct Setting {
  int place[most], index[16], n;
  double start[cells], seed[cells];
};
struct Answer {
  double value[cells], adjoint[cells];
};

void gradient(const Program &p, const Setting &s, int policy, Answer &a) {
  std::copy(s.start, s.start + cells, a.value);
  std::copy(s.seed, s.seed + cells, a.adjoint);
  double *at[most], *shadow[most];
  for (int w = 0; w < p.ways; ++w) at[w] = a.value + s.place[w], shadow[w] = a.adjoint + s.place[w];
  p.gradient[policy](at, shadow, s.index, s.n);
}

// The same, in a process of its own: false if it aborts, which is the trap.
bool survives(const Program &p, const Setting &s, Answer *shared) {
  const pid_t child = fork();
  if (!child) {
    std::fclose(stderr);
    close(2);
    gradient(p, s, 2, *shared);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT) return false;
  if (!WIFEXITED(status) || WEXITSTATUS(status)) std::printf("FAIL %s disjoint: crash, status %d\n", p.name, status);
  return true;
}

void reference(const Program &p, const Setting &s, Answer &a) {
  static J memory[cells];
  arena = memory;
  for (int w = 0; w < most; ++w) touched.low[w] = cells, touched.high[w] = 0;
  for (int along = 0; along < cells; ++along) {
    for (int i = 0; i < cells; ++i) memory[i] = J(s.start[i], i == along, 0, 0);
    Tracked at[most];
    for (int w = 0; w < p.ways; ++w) at[w] = {memory + s.place[w], w};
    a.adjoint[along] = p.reference(at, s.index, s.n).a;
    for (int i = 0; i < cells; ++i) a.adjoint[along] += s.seed[i] * memory[i].a;
  }
  for (int i = 0; i < cells; ++i) a.value[i] = memory[i].v;
}

bool overlaps(const Program &p) {
  for (int a = 0; a < p.ways; ++a)
    for (int b = a + 1; b < p.ways; ++b)
      if ((p.written[a] || p.written[b]) && touched.low[a] < touched.high[b] && touched.low[b] < touched.high[a]) return true;
  return false;
}

bool same(const Answer &a, const Answer &b, const char *&what, int &cell) {
  double scale = 1;
  for (int i = 0; i < cells; ++i) scale = std::max(scale, std::fabs(b.adjoint[i]));
  for (cell = 0; cell < cells; ++cell) {
    if (!(std::fabs(a.value[cell] - b.value[cell]) <= 1e-9 * (1 + std::fabs(b.value[cell])))) return what = "value", false;
    if (!(std::fabs(a.adjoint[cell] - b.adjoint[cell]) <= 1e-8 * scale)) return what = "derivative", false;
  }
  return true;
}

// Apart, touching, shifted by little, equal: any mixture.
void place(const Program &p, std::mt19937 &random, Setting &s) {
  auto below = [&](int n) { return int(random() % unsigned(n)); };
  int free = 0, restricted = 0;
  for (int w = 0; w < p.ways; ++w) restricted += p.restricted[w];
  const int last = cells - restricted * p.length - p.length;
  const int kind = below(4);
  for (int w = 0, own = 0; w < p.ways; ++w) {
    if (p.restricted[w])
      s.place[w] = cells - ++own * p.length;
    else if ((kind == 0 || (kind == 1 && below(2))) && free <= last)
      s.place[w] = free, free += p.length;
    else if (kind == 3 && w)
      s.place[w] = std::clamp(s.place[0] + below(5) - 2, 0, last);
    else
      s.place[w] = below(last + 1);
  }
}
} // namespace

int run(const Program *programs, int count, int configurations, unsigned seed, const char *only) {
  static const char *policies[] = {"checked", "c", "disjoint"};
  auto *shared = static_cast<Answer *>(mmap(nullptr, sizeof(Answer), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  long runs = 0, apart = 0, traps = 0, failures = 0;
  for (int k = 0; k < count; ++k) {
    const Program &p = programs[k];
    if (only && std::string(only) != p.name) continue;
    std::mt19937 random(seed + 977 * k);
    for (int c = 0; c < configurations; ++c) {
      Setting s;
      place(p, random, s);
      s.n = c % 5 ? 6 : int(random() % 7);
      for (int &i : s.index) i = int(random() % unsigned(p.length));
      for (int i = 0; i < cells; ++i) s.start[i] = (random() % 2001) / 1000. - 1, s.seed[i] = (random() % 2001) / 1000. - 1;
      Answer right, mine;
      reference(p, s, right);
      const bool broken = overlaps(p);
      apart += !broken;
      bool failed = false;
      auto judge = [&](int policy, const Answer &a) {
        const char *what = "";
        int cell = 0;
        ++runs;
        if (same(a, right, what, cell)) return;
        failed = true;
        const bool v = *what == 'v';
        std::printf("FAIL %s %s: %s of cell %d is %.12g, right is %.12g; places", p.name, policies[policy], what, cell,
                    v ? a.value[cell] : a.adjoint[cell], v ? right.value[cell] : right.adjoint[cell]);
        for (int w = 0; w < p.ways; ++w) std::printf(" %d", s.place[w]);
        std::printf(", n %d\n", s.n);
      };
      for (int policy : {0, 1}) {
        gradient(p, s, policy, mine);
        judge(policy, mine);
      }
      if (survives(p, s, shared)) {
        judge(2, *shared);
      } else {
        ++traps;
        if (!broken) failed = true, std::printf("FAIL %s disjoint: the trap fires without an overlap\n", p.name);
      }
      if (failed) {
        ++failures;
        break;
      }
    }
  }
  std::printf("%ld gradients, %ld settings without overlap, %ld traps, %ld failures\n", runs, apart, traps, failures);
  return failures ? 1 : 0;
}
} // namespace aliasing
