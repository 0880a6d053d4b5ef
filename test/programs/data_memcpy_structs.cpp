// memcpy and assignment of structs that hold an int, a double, a float and a pointer; arrays of them copied and rotated.
#include "support.hpp"

template <class D, class F> struct Item { int tag; D value; F small; const D* from; short more; };

template <class D, class F> static D f(const Item<D, F>* in, int n) {
  Item<D, F> local[5], kept;
  std::memcpy(local, in, sizeof(Item<D, F>) * n);
  D s = D(0);
  for (int round = 0; round < 3; ++round) {
    kept = local[0];
    std::memmove(local, local + 1, sizeof(Item<D, F>) * (n - 1));
    local[n - 1] = kept;
    for (int i = 0; i < n; ++i) {
      Item<D, F>& it = local[i];
      it.value = it.value * it.from[it.tag] + widen(it.small);
      it.tag = (it.tag + it.more) % 2;
      s += it.value * D(i + round);
      if (it.tag) it.small = it.small * it.small;
      else it.from = local[(i + 1) % n].from;
    }
  }
  return s;
}

int main(int argc, char**) {
  constexpr int n = 5;
  float x[2 * n + 4];
  double want[2 * n + 4];
  fill(x, 2 * n + 4, 220, -1, 1);
  auto build = [&](auto* p, auto* item, bool shadow) {
    for (int i = 0; i < n; ++i) item[i] = {shadow ? 0 : i % 2, {}, {}, p + 2 * n + 2 * (i % 2), (short)(shadow ? 0 : 1 + i % 2)};
  };
  reference(want, x, 2 * n + 4, [&](auto* p) {
    using T = std::remove_reference_t<decltype(*p)>;
    Item<T, T> item[n];
    build(p, item, false);
    for (int i = 0; i < n; ++i) item[i].value = p[2 * i], item[i].small = p[2 * i + 1];
    return f(item, n);
  });
  if (argc > 1) return finish();
  double y[2 * n + 4], dy[2 * n + 4] = {};
  for (int i = 0; i < 2 * n + 4; ++i) y[i] = x[i];
  Item<double, float> item[n], ditem[n];
  build(y, item, false);
  build(dy, ditem, true);
  for (int i = 0; i < n; ++i) item[i].value = x[2 * i], item[i].small = x[2 * i + 1];
  __tapefree_autodiff<void>((void*)f<double, float>, tapefree_dup, (const Item<double, float>*)item, ditem, tapefree_const, n);
  for (int i = 0; i < n; ++i) {
    check("value", ditem[i].value, want[2 * i], 1e-5);
    check("small", ditem[i].small, want[2 * i + 1], 1e-4);
  }
  check_all("from", dy + 2 * n, want + 2 * n, 4, 1e-5);
  return finish();
}
