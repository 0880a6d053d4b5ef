// abi.h: the call convention that the Tapefree plugin reads.
//
// A request is a call of a function whose name contains one of the prefixes below. The plugin replaces the
// call; no function and no marker of this file is ever defined or linked.
//
//   __tapefree_autodiff<R>(f, [option...], argument...)       reverse mode
//   __tapefree_fwddiff<R>(f, [option...], argument...)        forward mode
//   __tapefree_workspacesize<size_t>(f, [option...], argument...)
//                                                             the bytes that the first, with these arguments,
//                                                             keeps in a workspace
//   __tapefree_batch<R>(f, tapefree_width, N, lanes...)       no derivative: f once for each of N lanes (1 to
//   64)
//
//   f          the function, cast to void*
//   option     tapefree_strict | tapefree_primal_return | tapefree_noret | tapefree_runtime_activity |
//              tapefree_width, N | tapefree_workspace, p, bytes (reverse mode: kept values lie there) |
//              tapefree_alias_checked | tapefree_alias_c | tapefree_alias_disjoint | tapefree_strict_checked
//   argument   for each parameter of f, in order:
//                tapefree_out, x                      floating value; derivative comes back in R
//                tapefree_dup, x, dx                  pointer with its shadow (forward mode: also a value)
//                tapefree_dupnoneed, x, dx            the same; what f leaves in x is not needed
//                tapefree_const, x                    takes no part
//                tapefree_dup, x, dx0, ..., dxN-1     width N: separate shadows
//                tapefree_dupv, stride, x, dx         width N: shadow k lies k * stride bytes after dx
//                tapefree_dupi, x, dx                 width N: the N lanes of each scalar are adjacent
//              Without a marker a floating value is out, a pointer is dup, an integer is const.
//   R          reverse: the derivatives of the out arguments, in order; forward: the derivative of f's value.
//              With tapefree_primal_return f's value comes first. Several members make a struct, laid out as
//              C lays it out; width N turns each derivative T into T[N]; nothing to return is void.
//
//   lanes      of a batch, for each parameter of f, in order:
//                tapefree_vector, x0, ..., xN-1       one value for each lane
//                tapefree_scalar, x                   the same for all lanes
//                tapefree_buffer, stride, p           lane k gets p moved on by k * stride bytes
//              R is then a struct that holds an array of N values, or void.
//
// A statement: __tapefree_checkpoint(s), at the start of a loop's body (see the end of this file).
//
// The spellings of Enzyme (__enzyme_autodiff, enzyme_dup, ...) mean the same.
// From C, declare a prototype of your own for each shape of call; a suffix keeps them apart:
//   double __tapefree_autodiff_square(void *, int, double);
#ifndef TAPEFREE_ABI_H
#define TAPEFREE_ABI_H

// How one argument takes part.
extern int tapefree_const;
extern int tapefree_out;
extern int tapefree_dup;
extern int tapefree_dupnoneed;
extern int tapefree_dupv;
extern int tapefree_dupnoneedv;
extern int tapefree_dupi;
extern int tapefree_dupnoneedi;

// What the whole call does.
extern int tapefree_primal_return;
extern int tapefree_noret;
extern int tapefree_strict;
// What may be assumed of buffers that are reached in different ways (docs/zero-tape.md).
extern int tapefree_alias_checked;
extern int tapefree_alias_c;
extern int tapefree_alias_disjoint;
extern int tapefree_strict_checked; // strict, and an overlap ends the program
extern int tapefree_width;
extern int tapefree_workspace;
extern int tapefree_runtime_activity;

// Split mode: who owns the tape between the two sweeps.
extern int tapefree_tape;
extern int tapefree_allocated;
extern int tapefree_nofree;

// __tapefree_batch: how an argument differs between the lanes.
extern int tapefree_vector;
extern int tapefree_scalar;
extern int tapefree_buffer;

#ifdef __cplusplus
// Arguments travel by the C ABI, so pass scalars and pointers only: a class would be taken apart.
template <class R, class... A> R __tapefree_autodiff(void *, A...);
template <class R, class... A> R __tapefree_fwddiff(void *, A...);
template <class R, class... A> R __tapefree_workspacesize(void *, A...);
template <class R, class... A> R __tapefree_augmentfwd(void *, A...);
template <class R, class... A> R __tapefree_reverse(void *, A...);
template <class R, class... A> R __tapefree_batch(void *, A...);
#endif

// At the start of a loop's body: reverse mode keeps at most so many snapshots of what the loop changes, and
// runs its steps again (docs/zero-tape.md). Elsewhere it is nothing, also without the plugin.
#ifdef __cplusplus
extern "C" inline void __tapefree_checkpoint(int snapshots) noexcept { (void)snapshots; }
#else
__attribute__((unused)) static inline void __tapefree_checkpoint(int snapshots) { (void)snapshots; }
#endif

#endif // TAPEFREE_ABI_H
