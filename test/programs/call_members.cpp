// Member functions, const members, references as members, operators, a constructor and a static local.
#include "support.hpp"

template <class T> class Filter {
 public:
  Filter(const T* taps, T gain) : taps_(taps), gain_(gain), level_(gain * T(0.5)) {}
  T operator()(T in) {
    static const int shift = 1;
    T out = gain_ * in;
    for (int i = 0; i < 3; ++i) out += taps_[i] * history_[i];
    for (int i = 2; i >= shift; --i) history_[i] = history_[i - shift];
    history_[0] = in;
    level_ = level_ * decay() + out * out;
    return out;
  }
  T level() const { return level_; }
  const T& last() const { return history_[0]; }
  Filter& operator*=(T by) {
    for (T& h : history_) h *= by;
    return *this;
  }

 private:
  T decay() const { return T(0.75) + kSlow * gain_; }
  static constexpr double kSlow = 0.125;
  const T* taps_;
  const T gain_;
  T level_;
  T history_[3] = {T(0), T(0), T(0)};
};
template <class T> struct Accumulator {
  T& total;
  void add(T v) const { total += v * v; }
};

template <class T> static T f(const T* x, int n) {
  Filter<T> filter(x + 5, x[4]);
  T total = T(0);
  Accumulator<T> sum{total};
  for (int i = 0; i < n; ++i) {
    sum.add(filter(x[i]));
    if (i == 2) filter *= x[1];
  }
  return total * filter.level() + filter.last() * x[7];
}

template <class T> static void run(int argc, int n) {
  T x[8], dx[8] = {};
  double want[8];
  fill(x, 8, 326, -1, 1);
  reference(want, x, 8, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __tapefree_autodiff<void>((void*)f<T>, tapefree_dup, (const T*)x, dx, tapefree_const, n);
  check_all("dx", dx, want, 8);
}

int main(int argc, char**) {
  run<double>(argc, 5);
  run<float>(argc, 5);
  run<double>(argc, 1);
  run<float>(argc, 1);
  return finish();
}
