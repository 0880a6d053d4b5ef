// An LSTM cell over a sequence, its weights the input; gates in a struct.
#include "compare.hpp"

template <class T> static T sigmoid(T v) { return T(1) / (T(1) + exp(-v)); }
template <class T> struct Cell {
  T h[2], c[2];
  void step(const T *w, T in) {
    T gate[4][2];
    for (int g = 0; g < 4; ++g)
      for (int k = 0; k < 2; ++k) {
        const T *row = w + (g * 2 + k) * 3;
        gate[g][k] = row[0] * in + row[1] * h[0] + row[2] * h[1];
      }
    for (int k = 0; k < 2; ++k) {
      c[k] = sigmoid(gate[0][k]) * c[k] + sigmoid(gate[1][k]) * tanh(gate[2][k]);
      h[k] = sigmoid(gate[3][k]) * tanh(c[k]);
    }
  }
};
template <class T> static T f(const T *w, int) {
  static const double inputs[] = {0.5, -1, 0.25, 0.75};
  Cell<T> cell = {};
  T loss = 0;
  for (double in : inputs) {
    cell.step(w, T(in));
    loss += (cell.h[0] - T(in)) * (cell.h[0] - T(in)) + cell.h[1];
  }
  return loss;
}

int main() {
  compare_at<f<float>, f<double>>("lstm", 24, -1, 1);
  return finish();
}
