//===- FormulaEval.h - The value of a formula in plain numbers --*- C++ -*-===//
//
// For tests and constant reasoning: the same nodes that the emitter turns into IR, evaluated in float, double
// or long double.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Rules/Digamma.h"
#include "Rules/Formula.h"

#include <cmath>

namespace tapefree::rules {

namespace detail {

template <typename T> struct NumberAlgebra {
  using Value = T;
  T constant(double V) { return T(V); }
  T pi() { return T(info(NamedConstant::Pi).Value); }
  T add(T A, T B) { return A + B; }
  T sub(T A, T B) { return A - B; }
  T mul(T A, T B) { return A * B; }
  T div(T A, T B) { return A / B; }
  bool less(T A, T B) { return A < B; }
  T select(bool If, T Then, T Else) { return If ? Then : Else; }
  T log(T A) { return std::log(A); }
  T rint(T A) { return std::rint(A); }
  T tan(T A) { return std::tan(A); }
};

template <typename T> T callFn(Fn F, T A, T B, T C, int N) {
  switch (F) {
#define TAPEFREE_STD(Enumerator, ...)                                                                        \
  case Fn::Enumerator:                                                                                       \
    return std::__VA_ARGS__;
    TAPEFREE_STD(Acos, acos(A))
    TAPEFREE_STD(Acosh, acosh(A))
    TAPEFREE_STD(Asin, asin(A))
    TAPEFREE_STD(Asinh, asinh(A))
    TAPEFREE_STD(Atan, atan(A))
    TAPEFREE_STD(Atan2, atan2(A, B))
    TAPEFREE_STD(Atanh, atanh(A))
    TAPEFREE_STD(Cbrt, cbrt(A))
    TAPEFREE_STD(Ceil, ceil(A))
    TAPEFREE_STD(Copysign, copysign(A, B))
    TAPEFREE_STD(Cos, cos(A))
    TAPEFREE_STD(Cosh, cosh(A))
    TAPEFREE_STD(Erf, erf(A))
    TAPEFREE_STD(Erfc, erfc(A))
    TAPEFREE_STD(Exp, exp(A))
    TAPEFREE_STD(Exp10, pow(T(10), A))
    TAPEFREE_STD(Exp2, exp2(A))
    TAPEFREE_STD(Expm1, expm1(A))
    TAPEFREE_STD(Fabs, fabs(A))
    TAPEFREE_STD(Fdim, fdim(A, B))
    TAPEFREE_STD(Floor, floor(A))
    TAPEFREE_STD(Fma, fma(A, B, C))
    TAPEFREE_STD(Fmax, fmax(A, B))
    TAPEFREE_STD(Fmin, fmin(A, B))
    TAPEFREE_STD(Fmod, fmod(A, B))
    TAPEFREE_STD(Hypot, hypot(A, B))
    TAPEFREE_STD(Ldexp, ldexp(A, N))
    TAPEFREE_STD(Lgamma, lgamma(A))
    TAPEFREE_STD(Log, log(A))
    TAPEFREE_STD(Log10, log10(A))
    TAPEFREE_STD(Log1p, log1p(A))
    TAPEFREE_STD(Log2, log2(A))
    TAPEFREE_STD(Nearbyint, nearbyint(A))
    TAPEFREE_STD(Pow, pow(A, B))
    TAPEFREE_STD(Powi, pow(A, T(N)))
    TAPEFREE_STD(Remainder, remainder(A, B))
    TAPEFREE_STD(Rint, rint(A))
    TAPEFREE_STD(Round, round(A))
    TAPEFREE_STD(Roundeven, nearbyint(A)) // in the default rounding mode
    TAPEFREE_STD(Sin, sin(A))
    TAPEFREE_STD(Sinh, sinh(A))
    TAPEFREE_STD(Sqrt, sqrt(A))
    TAPEFREE_STD(Tan, tan(A))
    TAPEFREE_STD(Tanh, tanh(A))
    TAPEFREE_STD(Tgamma, tgamma(A))
    TAPEFREE_STD(Trunc, trunc(A))
#undef TAPEFREE_STD
  case Fn::Digamma: {
    NumberAlgebra<T> Numbers;
    return digamma(Numbers, A);
  }
  }
  std::abort();
}

} // namespace detail

/// The value of \p F at \p Args (as many as it reads), integer argument \p N and function value \p Result.
template <typename T> T evaluate(const Formula &F, const T *Args, int N = 0, T Result = T(0)) {
  // Truth values and integers fit in a floating number; an integer is exact because |n| < 2^31 and double has
  // 53 bits. Only float would round, so integers are kept apart.
  T Real[Formula::Capacity] = {};
  long Int[Formula::Capacity] = {};
  for (unsigned I = 0; I < F.size(); ++I) {
    const Node &Now = F[I];
    bool OfInts = F[Now.A].Type == Kind::Int;
    T A = Real[Now.A], B = Real[Now.B], C = Real[Now.C];
    long IntA = Int[Now.A], IntB = Int[Now.B];
    switch (Now.Operation) {
    case Op::Arg:
      Real[I] = Args[Now.Id];
      break;
    case Op::Result:
      Real[I] = Result;
      break;
    case Op::IntArg:
      Int[I] = N;
      break;
    case Op::Const:
      Real[I] = T(Now.Value);
      break;
    case Op::NamedConst:
      Real[I] = T(info(static_cast<NamedConstant>(Now.Id)).Value);
      break;
    case Op::IntConst:
      Int[I] = long(Now.Value);
      break;
    case Op::Neg:
      Real[I] = -A;
      break;
    case Op::Add:
      Real[I] = A + B;
      break;
    case Op::Sub:
      if (OfInts)
        Int[I] = IntA - IntB;
      else
        Real[I] = A - B;
      break;
    case Op::Mul:
      Real[I] = A * B;
      break;
    case Op::Div:
      Real[I] = A / B;
      break;
    case Op::Less:
      Int[I] = OfInts ? IntA < IntB : A < B;
      break;
    case Op::LessEqual:
      Int[I] = OfInts ? IntA <= IntB : A <= B;
      break;
    case Op::Equal:
      Int[I] = OfInts ? IntA == IntB : A == B;
      break;
    case Op::NotEqual:
      Int[I] = OfInts ? IntA != IntB : A != B;
      break;
    case Op::Select:
      Real[I] = IntA ? B : C;
      Int[I] = IntA ? Int[Now.B] : Int[Now.C];
      break;
    case Op::ToReal:
      Real[I] = T(IntA);
      break;
    case Op::Call:
      Real[I] = detail::callFn(static_cast<Fn>(Now.Id), A, B, C, int(IntB));
      break;
    }
  }
  return Real[F.size() - 1];
}

} // namespace tapefree::rules
