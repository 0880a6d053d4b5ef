// Contractions of a small tensor class with variadic indices and constexpr strides.
#include "compare.hpp"

template <class T, int... Dims> struct Tensor {
  static constexpr int size = (Dims * ... * 1);
  T data[size] = {};
  template <class... I> static constexpr int offset(I... index) {
    constexpr int dims[] = {Dims...};
    int at = 0, k = 0;
    ((at = at * dims[k++] + int(index)), ...);
    return at;
  }
  template <class... I> T &operator()(I... index) { return data[offset(index...)]; }
  template <class... I> const T &operator()(I... index) const { return data[offset(index...)]; }
};
template <class T> static T f(const T *x, int n) {
  Tensor<T, 2, 3, 2> a;
  Tensor<T, 3, 2> b;
  for (int i = 0; i < a.size; ++i)
    a.data[i] = x[i % n];
  for (int i = 0; i < b.size; ++i)
    b.data[i] = x[(i * 5 + 1) % n] * x[i];
  Tensor<T, 2, 2> c;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 2; ++k)
        for (int l = 0; l < 2; ++l)
          c(i, l) += a(i, j, k) * b(j, k) * b(j, l);
  return c(0, 0) * c(1, 1) - c(0, 1) * c(1, 0);
}

int main() {
  compare_at<f<float>, f<double>>("tensor", 8, -1, 1);
  return finish();
}
