// The kernels against the plainest possible references.
#include <limits>
#include <type_traits>
#include <vector>

#include "check.hpp"
#include "tapefree/nn/model.hpp"

namespace nn = tapefree::nn;

// Every combination of full and partial blocks: rows even and odd, inputs a multiple of 4 and not.
template <class T> static void test_dense(double tolerance) {
  nn::rng random(1);
  for (int rows : {1, 2, 3, 8})
    for (int in : {1, 3, 4, 5, 8, 11})
      for (int out : {1, 7, 8, 33}) {
        std::vector<T> x(rows * in), w(in * out), b(out), z(rows * out, T(99));
        for (auto *v : {&x, &w, &b})
          nn::fill_uniform(random, v->data(), v->size(), 1.0);
        nn::dense_forward<T>(x.data(), w.data(), b.data(), z.data(), rows, in, out);
        for (int r = 0; r < rows; ++r)
          for (int o = 0; o < out; ++o) {
            double sum = b[o];
            for (int i = 0; i < in; ++i)
              sum += double(x[r * in + i]) * double(w[i * out + o]);
            CHECK_NEAR(z[r * out + o], sum, tolerance);
          }
      }
}

static void test_dense_struct() {
  using layer = nn::Dense<3, 2, nn::relu>;
  static_assert(layer::parameter_count == 8 && layer::weight_count == 6 && layer::activation_count == 4);
  const float params[8] = {1, -1, 2, -2, 3, -3, 0.5f, -0.5f}; // W is [3][2], then b
  const float x[6] = {1, 1, 1, -1, 0, 0};
  float z[4], a[4];
  layer::forward<float>(x, params, z, a, 2);
  const float want_z[4] = {6.5f, -6.5f, -0.5f, 0.5f}, want_a[4] = {6.5f, 0, 0, 0.5f};
  for (int k = 0; k < 4; ++k) {
    CHECK(z[k] == want_z[k]);
    CHECK(a[k] == want_a[k]);
  }
}

static void test_activations() {
  for (double x : {-3.0, -0.5, 0.0, 0.25, 2.0}) {
    CHECK(nn::identity::apply(x) == x);
    CHECK(nn::relu::apply(x) == (x > 0 ? x : 0));
    CHECK_NEAR(nn::tanh::apply(x), (std::exp(2 * x) - 1) / (std::exp(2 * x) + 1), 1e-14);
    CHECK_NEAR(nn::selu::apply(x),
               x > 0 ? 1.0507009873554805 * x : 1.0507009873554805 * 1.6732632423543772 * std::expm1(x),
               1e-14);
  }
  // SELU's constants are those for which a standard normal input gives mean 0 and variance 1.
  double mean = 0, square = 0;
  for (double x = -12; x < 12; x += 1e-4) {
    const double weight = std::exp(-x * x / 2) / std::sqrt(2 * 3.141592653589793) * 1e-4,
                 y = nn::selu::apply(x);
    mean += weight * y;
    square += weight * y * y;
  }
  CHECK_NEAR(mean, 0.0, 1e-4);
  CHECK_NEAR(square, 1.0, 1e-4);
}

template <class T, class Label> static void test_softmax(double tolerance) {
  const int rows = 5, classes = 4;
  nn::rng random(2);
  T z[rows * classes], shift[rows], sum[rows];
  const Label labels[rows] = {0, 3, 1, 2, 3};
  // The last rows would overflow or underflow without the shift.
  const double scale[rows] = {1, 5, 0.01, 1, 1}, offset[rows] = {0, 0, 0, 80, -700};
  for (int r = 0; r < rows; ++r)
    for (int k = 0; k < classes; ++k)
      z[r * classes + k] = T(offset[r] + scale[r] * random.normal<double>());
  double want = 0;
  for (int r = 0; r < rows; ++r) {
    long double total = 0;
    for (int k = 0; k < classes; ++k)
      total += std::exp((long double)z[r * classes + k] - (long double)offset[r]);
    want += double(std::log(total)) + offset[r] - double(z[r * classes + labels[r]]);
  }
  const T loss = nn::softmax_cross_entropy<T, Label>(z, labels, shift, sum, rows, classes);
  CHECK_NEAR(loss, want / rows, tolerance);

  // All equal: log of the number of classes, exactly known.
  for (T &value : z)
    value = T(3);
  CHECK_NEAR((nn::softmax_cross_entropy<T, Label>(z, labels, shift, sum, rows, classes)), std::log(4.0),
             tolerance);
  // Values far beyond an integer's range, and a NaN, must not crash; a NaN must show.
  z[0] = T(1e30);
  (void)nn::softmax_cross_entropy<T, Label>(z, labels, shift, sum, rows, classes);
  z[1] = std::numeric_limits<T>::quiet_NaN();
  CHECK(std::isnan(nn::softmax_cross_entropy<T, Label>(z, labels, shift, sum, rows, classes)));
}

static void test_arg_max() {
  const float ties[4] = {1, 3, 3, 2}, last[3] = {-5, -4, -3}, one[1] = {7};
  CHECK(nn::arg_max(ties, 4) == 1);
  CHECK(nn::arg_max(last, 3) == 2);
  CHECK(nn::arg_max(one, 1) == 0);
}

// Mlp and DynMlp lay out their memory alike and compute alike; more samples than there is room for are not
// touched.
static void test_models() {
  using model = nn::Mlp<double, 6, nn::selu, 5, 7, 4, 3>;
  using dynamic = nn::DynMlp<double, nn::selu>;
  static_assert(model::layer_count == 3);
  static_assert(model::parameter_count == 5 * 7 + 7 + 7 * 4 + 4 + 4 * 3 + 3);
  static_assert(model::activation_count == 6 * (2 * 7 + 2 * 4 + 3 + 2));
  constexpr nn::mlp_shape shape{3, 6, {5, 7, 4, 3}};
  static_assert(shape.valid() && shape.parameter_count() == model::parameter_count &&
                shape.activation_count() == model::activation_count);
  static_assert(!nn::mlp_shape{}.valid() && !nn::mlp_shape{2, 1, {5, 0, 3}}.valid() &&
                !nn::mlp_shape{nn::max_layers + 1, 1, {1, 1, 1, 1, 1, 1}}.valid());

  static model::arena memory;
  std::vector<double> params(model::parameter_count), work(model::activation_count), x(5 * 8);
  nn::rng random(3), same(3);
  model::initialise(random, memory.params);
  dynamic::initialise(shape, same, params.data());
  for (std::size_t k = 0; k < params.size(); ++k)
    CHECK(memory.params[k] == params[k]);

  nn::fill_normal(random, x.data(), x.size(), 1.0);
  const std::uint8_t labels[8] = {0, 1, 2, 0, 1, 2, 0, 1};
  for (int batch : {1, 2, 5, 6, 8}) {
    const double loss = model::loss(memory.params, memory.work, x.data(), labels, batch);
    CHECK_NEAR(loss, dynamic::loss(params.data(), work.data(), x.data(), labels, batch, &shape), 1e-14);
    for (std::size_t k = 0; k < work.size(); ++k)
      CHECK_NEAR(memory.work[k], work[k], 1e-14);
    if (batch == 8)
      CHECK(loss == model::loss(memory.params, memory.work, x.data(), labels, 6));

    std::uint8_t predicted[8] = {9, 9, 9, 9, 9, 9, 9, 9}, dyn_predicted[8];
    model::predict(memory.params, memory.work, x.data(), predicted, batch);
    dynamic::predict(params.data(), work.data(), x.data(), dyn_predicted, batch, &shape);
    for (int r = 0; r < 8; ++r)
      if (r < batch && r < 6)
        CHECK(predicted[r] == nn::arg_max(memory.work + 6 * (2 * 7 + 2 * 4) + 3 * r, 3) &&
              predicted[r] == dyn_predicted[r]);
      else
        CHECK(predicted[r] == 9);
  }
}

int main() {
  test_dense<float>(1e-5);
  test_dense<double>(1e-13);
  test_dense_struct();
  test_activations();
  test_softmax<float, std::uint8_t>(2e-5);
  test_softmax<double, int>(1e-12);
  test_arg_max();
  test_models();
  return report("kernels_test");
}
