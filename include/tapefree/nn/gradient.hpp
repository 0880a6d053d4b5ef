// The one place in the library where the plugin is called. Include it only in files that are compiled with
// -fpass-plugin=libTapefree.so; without the plugin such a file compiles, but does not link.
//
// Contract of both functions:
// * `dparams` is accumulated into (+=): set it to zero before each step.
// * `dwork` has the length of `work` and must be all zero at the start of each call. It is all zero again at
// the end: an
//   adjoint is consumed where the loss function overwrote the value, and the loss function writes every place
//   that it reads. So zero it once, before the first call.
// * No primal array overlaps a shadow array.
// * The result is the loss itself.
// Both are strict: a value that the gradient would have to keep on the heap is a compile error.
#pragma once

#include <cstdint>

#include "tapefree/nn/model.hpp"

template <class R, class... A> R __tapefree_autodiff(void *, A...);
extern int tapefree_dup, tapefree_const, tapefree_primal_return, tapefree_strict;

namespace tapefree::nn {

// `Model` is an Mlp.
template <class Model, class T = typename Model::value_type>
T loss_and_gradient(const T *params, T *dparams, T *work, T *dwork, const T *x, const std::uint8_t *labels,
                    int batch) {
  return __tapefree_autodiff<T>(reinterpret_cast<void *>(Model::loss),   //
                                tapefree_strict, tapefree_primal_return, //
                                tapefree_dup, params, dparams,           //
                                tapefree_dup, work, dwork,               //
                                tapefree_const, x, tapefree_const, labels, tapefree_const, batch);
}

// `Model` is a DynMlp.
template <class Model, class T = typename Model::value_type>
T loss_and_gradient(const T *params, T *dparams, T *work, T *dwork, const T *x, const std::uint8_t *labels,
                    int batch, const mlp_shape *shape) {
  return __tapefree_autodiff<T>(reinterpret_cast<void *>(Model::loss),   //
                                tapefree_strict, tapefree_primal_return, //
                                tapefree_dup, params, dparams,           //
                                tapefree_dup, work, dwork,               //
                                tapefree_const, x, tapefree_const, labels, tapefree_const, batch,
                                tapefree_const, shape);
}

} // namespace tapefree::nn
