// Numbers wrapped in types with units, operators only where units fit, conversions that are explicit.
#include "compare.hpp"

template <int Length, int Time, class T> struct Quantity {
  T v;
  friend Quantity operator+(Quantity a, Quantity b) { return {a.v + b.v}; }
  friend Quantity operator-(Quantity a, Quantity b) { return {a.v - b.v}; }
  friend bool operator<(Quantity a, Quantity b) { return a.v < b.v; }
  explicit operator T() const { return v; }
};
template <int L, int M, int S, int U, class T>
static Quantity<L + S, M + U, T> operator*(Quantity<L, M, T> a, Quantity<S, U, T> b) { return {a.v * b.v}; }
template <int L, int M, int S, int U, class T>
static Quantity<L - S, M - U, T> operator/(Quantity<L, M, T> a, Quantity<S, U, T> b) { return {a.v / b.v}; }
template <class T> using Metre = Quantity<1, 0, T>;
template <class T> using Second = Quantity<0, 1, T>;

template <class T> static T f(const T *x, int n) {
  Metre<T> at = {x[0]};
  auto speed = Metre<T>{x[1]} / Second<T>{T(2) + x[2]};
  for (int i = 0; i < n; ++i) {
    Second<T> dt = {T(0.1) + x[i] * x[i]};
    at = at + speed * dt;
    if (Metre<T>{T(1)} < at)
      at = Metre<T>{T(2)} - at;
    speed = speed - Metre<T>{T(0.3)} / (dt + Second<T>{T(1)});
  }
  return static_cast<T>(at * at) + static_cast<T>(speed);
}

int main() {
  compare_at<f<float>, f<double>>("units", 5, -0.8, 0.8);
  return finish();
}
