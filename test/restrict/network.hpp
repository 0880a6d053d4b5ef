// A network as people write it by hand: a wrapper that points to a definition and to memory, layers that hold their
// weights and dimensions, an activation as a functor, one sample at a time, everything reached through members.
// Whoever includes this says what RESTRICT is.
#pragma once
#include "../programs/support.hpp"

template <class T> struct Layer {
  T *RESTRICT W;
  T *RESTRICT b;
  int inputs, outputs;
};

template <class T> struct Definition {
  Layer<T> first, second, last;
};

template <class T> struct Memory {
  T *RESTRICT before1, *RESTRICT after1; // before and after the activation
  T *RESTRICT before2, *RESTRICT after2;
  T *RESTRICT logits, *RESTRICT probabilities;
};

template <class T> struct Network {
  const Definition<T> *definition;
  Memory<T> *memory;
};

struct Selu {
  template <class T> static T apply(T x) {
    const double scale = 1.0507009873554805, alpha = 1.6732632423543772;
    return x > T(0) ? T(scale) * x : T(scale * alpha) * (exp(x) - T(1));
  }
};

template <class T>
static void dense(const Layer<T> &RESTRICT layer, const T *RESTRICT in, T *RESTRICT out) {
  for (int i = 0; i < layer.outputs; ++i) {
    T sum = layer.b[i];
    for (int j = 0; j < layer.inputs; ++j)
      sum += layer.W[i * layer.inputs + j] * in[j];
    out[i] = sum;
  }
}

template <class Activation, class T> static void activate(const T *RESTRICT in, T *RESTRICT out, int n) {
  for (int i = 0; i < n; ++i)
    out[i] = Activation::apply(in[i]);
}

template <class Activation, class T>
static void forward(const Definition<T> &RESTRICT d, Memory<T> &RESTRICT m, const T *RESTRICT x) {
  dense(d.first, x, m.before1);
  activate<Activation>(m.before1, m.after1, d.first.outputs);
  dense(d.second, m.after1, m.before2);
  activate<Activation>(m.before2, m.after2, d.second.outputs);
  dense(d.last, m.after2, m.logits);
}

template <class T> static void softmax(const T *RESTRICT logits, T *RESTRICT p, int n) {
  T sum = T(0);
  for (int i = 0; i < n; ++i)
    sum += exp(logits[i]);
  for (int i = 0; i < n; ++i)
    p[i] = exp(logits[i]) / sum;
}

template <class T> static T loss(const Network<T> *net, const T *x, int label) {
  Memory<T> &m = *net->memory;
  forward<Selu>(*net->definition, m, x);
  softmax(m.logits, m.probabilities, net->definition->last.outputs);
  return -log(m.probabilities[label]);
}

// A network with its memory, wired up over buffers of its own.
template <class T> struct Owned {
  static constexpr int kMost = 100 * 785 + 100 * 101 + 10 * 101;
  T parameters[kMost], buffers[512];
  Definition<T> definition;
  Memory<T> memory;
  Network<T> net{&definition, &memory};
  int count;

  // `shift`: how far behind before1 after1 begins; less than `a` makes them overlap.
  void wire(int inputs, int a, int b, int outputs, int shift) {
    T *at = parameters;
    auto layer = [&](int in, int out) {
      Layer<T> l{at, at + in * out, in, out};
      at += in * out + out;
      return l;
    };
    definition.first = layer(inputs, a);
    definition.second = layer(a, b);
    definition.last = layer(b, outputs);
    count = (int)(at - parameters);
    T *after1 = buffers + shift, *logits = after1 + a + 2 * b;
    memory = {buffers, after1, after1 + a, after1 + a + b, logits, logits + outputs};
  }
};

// The gradient with respect to the whole wrapper, against dual numbers in random directions; the heap calls of one.
static long gradient_of(int inputs, int a, int b, int outputs, int shift) {
  static Owned<double> primal, shadow;
  static Owned<Dual> dual;
  static double x[784];
  static Dual dual_x[784];
  primal.wire(inputs, a, b, outputs, shift);
  shadow.wire(inputs, a, b, outputs, shift);
  dual.wire(inputs, a, b, outputs, shift);
  fill(primal.parameters, primal.count, 11, -0.3, 0.3);
  fill(x, inputs, 12, 0, 1);
  std::memset(shadow.parameters, 0, sizeof shadow.parameters);
  std::memset(shadow.buffers, 0, sizeof shadow.buffers);
  for (int i = 0; i < inputs; ++i)
    dual_x[i] = x[i];
  HeapUse use = heap_use([&] {
    __tapefree_autodiff<void>((void *)loss<double>, tapefree_dup, &primal.net, &shadow.net, tapefree_const, (const double *)x,
                              tapefree_const, 3 % outputs);
  });
  for (unsigned seed = 21; seed < 24; ++seed) {
    static double direction[Owned<double>::kMost];
    fill(direction, primal.count, seed, -1, 1);
    double got = 0;
    for (int i = 0; i < primal.count; ++i) {
      dual.parameters[i] = {primal.parameters[i], direction[i]};
      got += shadow.parameters[i] * direction[i];
    }
    check("directional derivative", got, loss<Dual>(&dual.net, dual_x, 3 % outputs).d);
  }
  return use.calls;
}
