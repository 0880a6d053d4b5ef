// The optimisers against closed forms.
#include "check.hpp"
#include "tapefree/nn/optim.hpp"

namespace nn = tapefree::nn;

static void test_sgd() {
  // On f(p) = p^2 / 2 without momentum: p_t = (1 - rate)^t p_0.
  const nn::sgd<double> plain{.rate = 0.1};
  double p[3] = {1, -2, 5}, v[3] = {};
  for (int t = 0; t < 20; ++t) {
    const double g[3] = {p[0], p[1], p[2]};
    plain.step(p, g, v, 3);
  }
  CHECK_NEAR(p[0], std::pow(0.9, 20), 1e-14);
  CHECK_NEAR(p[1], -2 * std::pow(0.9, 20), 1e-14);
  CHECK_NEAR(p[2], 5 * std::pow(0.9, 20), 1e-14);

  // A constant gradient g with momentum m: v_t = g (1 - m^t) / (1 - m), and p is the sum of these.
  const nn::sgd<double> heavy{.rate = 0.01, .momentum = 0.9};
  double q = 1, velocity = 0, want = 1;
  const double g = 3;
  for (int t = 1; t <= 50; ++t) {
    heavy.step(&q, &g, &velocity, 1);
    CHECK_NEAR(velocity, g * (1 - std::pow(0.9, t)) / (1 - 0.9), 1e-13);
    want -= 0.01 * velocity;
    CHECK_NEAR(q, want, 1e-13);
  }

  // Weight decay alone: p_t = (1 - rate * decay)^t p_0.
  const nn::sgd<double> decay{.rate = 0.1, .weight_decay = 0.5};
  double r = 1, rv = 0;
  const double zero = 0;
  for (int t = 0; t < 10; ++t)
    decay.step(&r, &zero, &rv, 1);
  CHECK_NEAR(r, std::pow(0.95, 10), 1e-14);
}

static void test_adam() {
  // With a constant gradient both corrected moments are exact from the first step on, so each step moves by
  // the rate.
  nn::adam<double> constant{.rate = 0.01, .epsilon = 0};
  double p[2] = {1, 1}, m[2] = {}, v[2] = {};
  const double g[2] = {1e-3, -50};
  for (int t = 1; t <= 100; ++t) {
    constant.step(p, g, m, v, 2);
    CHECK_NEAR(p[0], 1 - 0.01 * t, 1e-12);
    CHECK_NEAR(p[1], 1 + 0.01 * t, 1e-12);
  }

  // A changing gradient against the published formulas, word for word.
  nn::adam<double> adam{.rate = 0.1, .epsilon = 1e-3};
  double q = 2, qm = 0, qv = 0, want = 2, wm = 0, wv = 0;
  for (int t = 1; t <= 30; ++t) {
    const double grad = std::sin(0.7 * t) + 0.1;
    adam.step(&q, &grad, &qm, &qv, 1);
    wm = 0.9 * wm + 0.1 * grad;
    wv = 0.999 * wv + 0.001 * grad * grad;
    want -= 0.1 * (wm / (1 - std::pow(0.9, t))) / (std::sqrt(wv / (1 - std::pow(0.999, t))) + 1e-3);
    CHECK_NEAR(q, want, 1e-12);
  }

  // AdamW: with no gradient only the decay acts.
  nn::adam<double> decay{.rate = 0.1, .weight_decay = 0.5};
  double r = 1, rm = 0, rv = 0;
  const double zero = 0;
  for (int t = 0; t < 10; ++t)
    decay.step(&r, &zero, &rm, &rv, 1);
  CHECK_NEAR(r, std::pow(0.95, 10), 1e-14);

  nn::adam<float> single; // float agrees with double
  nn::adam<double> twice;
  float fp[17] = {}, fm[17] = {}, fv[17] = {}, fg[17];
  double dp[17] = {}, dm[17] = {}, dv[17] = {}, dg[17];
  for (int t = 1; t <= 20; ++t) {
    for (int k = 0; k < 17; ++k)
      fg[k] = float(dg[k] = std::cos(t + k));
    single.step(fp, fg, fm, fv, 17);
    twice.step(dp, dg, dm, dv, 17);
  }
  for (int k = 0; k < 17; ++k)
    CHECK_NEAR(fp[k], dp[k], 1e-5);
}

static void test_schedules() {
  const nn::cosine_schedule cosine{0.1};
  CHECK_NEAR(cosine.factor(0, 100), 1.0, 1e-15);
  CHECK_NEAR(cosine.factor(50, 100), 0.55, 1e-12);
  CHECK(cosine.factor(100, 100) == 0.1 && cosine.factor(5, 0) == 0.1);
  const nn::step_schedule steps{.by = 0.5, .every = 10};
  CHECK(steps.factor(9, 100) == 1.0 && steps.factor(10, 100) == 0.5 && steps.factor(35, 100) == 0.125);
  CHECK(nn::constant_schedule::factor(7, 9) == 1.0);
}

int main() {
  test_sgd();
  test_adam();
  test_schedules();
  return report("optim_test");
}
