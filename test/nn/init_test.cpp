// The random generator and the starting weights: known values and statistics.
#include <vector>

#include "check.hpp"
#include "tapefree/nn/init.hpp"

namespace nn = tapefree::nn;

struct moments {
  double mean = 0, variance = 0, lowest = 0, highest = 0, fourth = 0;
};

static moments of(const std::vector<float> &values) {
  moments m;
  for (float v : values) {
    m.mean += v;
    m.lowest = std::fmin(m.lowest, v);
    m.highest = std::fmax(m.highest, v);
  }
  m.mean /= double(values.size());
  for (float v : values) {
    const double d = v - m.mean;
    m.variance += d * d;
    m.fourth += d * d * d * d;
  }
  m.variance /= double(values.size());
  m.fourth /= double(values.size()) * m.variance * m.variance;
  return m;
}

static void test_rng() {
  // SplitMix64 from seed 0: the published first values.
  nn::splitmix64 words(0);
  CHECK(words() == 0xe220a8397b1dcdafu);
  CHECK(words() == 0x6e789e6aa1b965f4u);
  nn::rng a(7), b(7), c(8);
  const std::uint64_t first = a();
  CHECK(first == b());
  CHECK(first != c());
  for (int k = 0; k < 10000; ++k) {
    const float f = a.uniform<float>();
    CHECK(f >= 0.0f && f < 1.0f);
    const double d = a.uniform(-2.0, 3.0);
    CHECK(d >= -2.0 && d < 3.0);
  }
  int seen[7] = {};
  for (int k = 0; k < 70000; ++k)
    ++seen[a.below(7)];
  for (int count : seen)
    CHECK(std::abs(count - 10000) < 400); // over four deviations
  CHECK(a.below(1) == 0);
}

static void test_shuffle() {
  nn::rng random(1);
  int at_front[5] = {};
  for (int k = 0; k < 50000; ++k) {
    int items[5] = {0, 1, 2, 3, 4};
    nn::shuffle(random, items, 5);
    int mask = 0;
    for (int item : items)
      mask |= 1 << item;
    CHECK(mask == 31);
    ++at_front[items[0]];
  }
  for (int count : at_front)
    CHECK(std::abs(count - 10000) < 400);
  int one = 3;
  nn::shuffle(random, &one, 1);
  nn::shuffle(random, &one, 0);
  CHECK(one == 3);
}

static void test_init() {
  const std::size_t in = 400, out = 300;
  std::vector<float> w(in * out);
  nn::rng random(5);
  const double tolerance = 0.02;

  nn::glorot_uniform(random, w.data(), in, out);
  moments m = of(w);
  const double limit = std::sqrt(6.0 / 700);
  CHECK_NEAR(m.mean / limit, 0.0, tolerance);
  CHECK_NEAR(m.variance * 700 / 2, 1.0, tolerance);
  CHECK(m.lowest >= -limit && m.highest <= limit && m.highest > 0.99 * limit && m.lowest < -0.99 * limit);
  CHECK_NEAR(m.fourth, 1.8, tolerance);

  nn::glorot_normal(random, w.data(), in, out);
  m = of(w);
  CHECK_NEAR(m.variance * 700 / 2, 1.0, tolerance);
  CHECK_NEAR(m.fourth, 3.0, 0.03);

  nn::he_normal(random, w.data(), in, out);
  CHECK_NEAR(of(w).variance * 400 / 2, 1.0, tolerance);
  nn::lecun_normal(random, w.data(), in, out);
  CHECK_NEAR(of(w).variance * 400, 1.0, tolerance);

  nn::default_init<nn::relu>::fill(random, w.data(), in, out);
  CHECK_NEAR(of(w).variance * 400 / 2, 1.0, tolerance);
  nn::default_init<nn::selu>::fill(random, w.data(), in, out);
  CHECK_NEAR(of(w).variance * 400, 1.0, tolerance);
  nn::default_init<nn::tanh>::fill(random, w.data(), in, out);
  CHECK_NEAR(of(w).variance * 700 / 2, 1.0, tolerance);
}

int main() {
  test_rng();
  test_shuffle();
  test_init();
  return report("init_test");
}
