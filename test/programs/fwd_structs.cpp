// Structs in memory: floats beside integers and pointers, copies of them, arrays of them, pointers to others, lists.
#include "forward.hpp"

template <class T> struct Item {
  int tag;
  T weight;
  float scale;
  T at[2];
};
template <class T> struct Net {
  int n;
  T* w;
  Item<T>* items;
  const int* index;
  T out;
};
template <class T> struct Link {
  T value;
  Link* next;
};

template <class T> static T walk(const Link<T>* l) {
  T s = T(1);
  for (; l; l = l->next) s = s * l->value + l->value;
  return s;
}
template <class T> NOINLINE static Item<T> scaled(Item<T> i, T by) {
  i.weight = i.weight * by;
  i.at[1] = i.at[0] * i.at[1];
  i.tag += 1;
  return i;
}
template <class T> static void f(Net<T>* net) {
  T sum = T(0);
  for (int i = 0; i < net->n; ++i) {
    Item<T> local = net->items[net->index[i]];
    local = scaled(local, net->w[i]);
    if (local.tag % 2) net->items[i] = local;
    sum += local.weight * local.at[1] * T(local.tag) + T(local.scale);
  }
  net->out = sum * sum;
}

template <class T, class P> static void spread(const P* p, Item<T>* items, T* w) {
  for (int i = 0; i < 4; ++i) {
    items[i].tag = i;
    items[i].weight = T(p[4 * i]);
    items[i].scale = 0.5f;
    items[i].at[0] = T(p[4 * i + 1]);
    items[i].at[1] = T(p[4 * i + 2]);
    w[i] = T(p[4 * i + 3]);
  }
}

template <class T> static void run(int argc) {
  static const int index[4] = {2, 0, 3, 1};
  T x[16], dx[16];
  double value[9], want[9];
  fill(x, 16, 21, 0.2, 1.2);
  direction(dx, 16, 22);
  tangents(value, want, 9, x, dx, 16, [](auto* p, auto* out) {
    using V = std::remove_reference_t<decltype(*p)>;
    Item<V> items[4];
    V w[4];
    spread(p, items, w);
    Net<V> net = {4, w, items, index, V(0)};
    f(&net);
    out[0] = net.out;
    for (int i = 0; i < 4; ++i) out[1 + i] = items[i].weight, out[5 + i] = items[i].at[1];
  });
  if (argc > 1) return;
  Item<T> items[4], ditems[4];
  T w[4], dw[4], got[9];
  spread(x, items, w);
  spread(dx, ditems, dw);
  for (auto& d : ditems) d.scale = 0;
  Net<T> net = {4, w, items, index, T(0)}, dnet = {4, dw, ditems, index, T(77)};
  __enzyme_fwddiff<void>((void*)f<T>, enzyme_dup, &net, &dnet);
  got[0] = dnet.out;
  for (int i = 0; i < 4; ++i) got[1 + i] = ditems[i].weight, got[5 + i] = ditems[i].at[1];
  check_all("dnet", got, want, 9);
  check("value", net.out, value[0], kTolerance<T>);
  check("scale", ditems[0].scale, 0, 0);

  Link<T> list[5], dlist[5];
  for (int i = 0; i < 5; ++i) {
    list[i] = {x[i], i < 4 ? &list[i + 1] : nullptr};
    dlist[i] = {dx[i], i < 4 ? &dlist[i + 1] : nullptr};
  }
  auto sum = tangent(x, dx, 5, [](auto* p) {
    auto s = p[0] * 0.0 + 1.0;
    for (int i = 0; i < 5; ++i) s = s * p[i] + p[i];
    return s;
  });
  check("list", __enzyme_fwddiff<T>((void*)walk<T>, enzyme_dup, (const Link<T>*)list, (const Link<T>*)dlist), sum.tangent, kTolerance<T>);
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
