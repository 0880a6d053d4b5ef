//===- Digamma.h - The derivative of lgamma, which libm lacks ---*- C++ -*-===//
#pragma once

namespace tapefree::rules {

/// digamma(x) as straight-line code over any algebra of values (numbers for the evaluator, IR for the
/// emitter): reflection below 1/2, ten steps of the recurrence psi(x) = psi(x+1) - 1/x, then the asymptotic
/// series ln w - 1/(2w) - sum B(2k)/(2k w^2k), whose first dropped term is below 1e-19 at w >= 10.5. The type
/// fp128 therefore gets about 19 digits.
template <typename Algebra> typename Algebra::Value digamma(Algebra &A, typename Algebra::Value X) {
  using Value = typename Algebra::Value;
  // B(2k)/(2k), k = 1..10 (Abramowitz and Stegun, 6.3.18).
  constexpr double Series[][2] = {{1, 12},       {-1, 120}, {1, 252},      {-1, 240},      {1, 132},
                                  {-691, 32760}, {1, 12},   {-3617, 8160}, {43867, 14364}, {-174611, 6600}};
  auto Reflected = A.less(X, A.constant(0.5));
  Value Z = A.select(Reflected, A.sub(A.constant(1), X), X);
  Value Steps = A.div(A.constant(1), Z);
  for (int K = 1; K < 10; ++K)
    Steps = A.add(Steps, A.div(A.constant(1), A.add(Z, A.constant(K))));
  Value W = A.add(Z, A.constant(10));
  Value Inverse = A.div(A.constant(1), W);
  Value Square = A.mul(Inverse, Inverse);
  Value Sum = A.constant(0);
  for (int K = 9; K >= 0; --K)
    Sum = A.mul(Square, A.add(Sum, A.div(A.constant(Series[K][0]), A.constant(Series[K][1]))));
  Value Half = A.mul(A.constant(0.5), Inverse);
  Value Psi = A.sub(A.sub(A.sub(A.log(W), Half), Sum), Steps);
  // psi(x) = psi(1 - x) - pi / tan(pi x); x is reduced first so that a pole is exactly infinite. Where no
  // reflection is wanted the angle is pi/4: an infinity there, though not selected, would be a NaN in a
  // second derivative.
  Value Angle = A.select(Reflected, A.sub(X, A.rint(X)), A.constant(0.25));
  Value Reflection = A.div(A.pi(), A.tan(A.mul(A.pi(), Angle)));
  return A.sub(Psi, A.select(Reflected, Reflection, A.constant(0)));
}

} // namespace tapefree::rules
