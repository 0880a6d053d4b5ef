// A struct of pointers and sizes (nested in another struct), its shadow built by the caller with shadow pointers.
#include "support.hpp"

template <class T> struct Layer { int rows, cols; T* weight; T* bias; T* value; };
template <class T> struct Net { Layer<T> layer[2]; T* input; T scale; };

template <class T> static void apply(Layer<T>* l, const T* in) {
  for (int i = 0; i < l->rows; ++i) {
    T s = l->bias[i];
    for (int j = 0; j < l->cols; ++j) s += l->weight[i * l->cols + j] * in[j];
    l->value[i] = tanh(s);
  }
}
template <class T> static T f(Net<T>* net) {
  apply(&net->layer[0], net->input);
  apply(&net->layer[1], net->layer[0].value);
  T s = T(0);
  for (int i = 0; i < net->layer[1].rows; ++i) s += net->layer[1].value[i] * net->layer[1].value[i];
  return s * net->scale;
}

enum { In = 3, Mid = 4, Out = 2, Weights = Mid * In + Mid + Out * Mid + Out, All = Weights + In + 1 };
template <class T> static Net<T> wire(T* p, T* values) {
  Net<T> n;
  n.layer[0] = {Mid, In, p, p + Mid * In, values};
  n.layer[1] = {Out, Mid, p + Mid * In + Mid, p + Mid * In + Mid + Out * Mid, values + Mid};
  n.input = p + Weights;
  n.scale = p[Weights + In];
  return n;
}

template <class T> static void run(int argc) {
  T x[All], dx[All] = {}, values[Mid + Out], dvalues[Mid + Out] = {};
  double want[All];
  fill(x, All, 211, -1, 1);
  reference(want, x, All, [&](auto* p) {
    using S = std::remove_reference_t<decltype(*p)>;
    S v[Mid + Out];
    Net<S> net = wire(p, v);
    return f(&net);
  });
  if (argc > 1) return;
  Net<T> net = wire(x, values), dnet = wire(dx, dvalues);
  dnet.scale = 0;
  __tapefree_autodiff<void>((void*)f<T>, tapefree_dup, &net, &dnet);
  check_all("dx", dx, want, All - 1);
  check("scale", dnet.scale, want[All - 1], kTolerance<T>);
  check_zero("consumed", dvalues, Mid + Out);
  check_true("pointers kept", net.input == x + Weights && dnet.input == dx + Weights && dnet.layer[1].value == dvalues + Mid);
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
