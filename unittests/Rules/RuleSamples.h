//===- RuleSamples.h - Arguments at which rules are tested ------*- C++ -*-===//
#pragma once

#include "Rules/FormulaEval.h"
#include "Rules/Tables/Tables.h"

#include <cmath>
#include <string>
#include <vector>

namespace tapefree::rules {

/// Arguments of one evaluation.
template <typename T> struct Sample {
  T Args[3] = {};
  int N = 0;
};

template <typename Callback> void forEachRule(Callback Visit) {
  for (std::span<const ScalarRule> Table : scalarRuleTables())
    for (const ScalarRule &Rule : Table)
      Visit(Rule);
}

template <typename T> T valueAt(const ScalarRule &Rule, const Sample<T> &At) {
  return evaluate<T>(Rule.Value, At.Args, At.N);
}
template <typename T> T partialAt(const ScalarRule &Rule, unsigned I, const Sample<T> &At) {
  return evaluate<T>(Rule.Partial[I], At.Args, At.N, valueAt(Rule, At));
}

/// Points inside the rule's domain, at fractions of it that hit no kink and no jump.
inline std::vector<Sample<double>> ordinarySamples(const ScalarRule &Rule) {
  std::vector<Sample<double>> Samples;
  for (int N : {-3, -1, 0, 1, 2, 5}) {
    for (unsigned K = 0; K < 40; ++K) {
      Sample<double> At;
      At.N = N;
      for (unsigned I = 0; I < 3; ++I) {
        double Fraction = std::fmod(0.137 + (K + 1) * (I == 0   ? 0.6180339887
                                                       : I == 1 ? 0.4142135623
                                                                : 0.7320508075),
                                    1);
        At.Args[I] = Rule.Domain[I].Low + Fraction * (Rule.Domain[I].High - Rule.Domain[I].Low);
      }
      Samples.push_back(At);
    }
    if (!Rule.HasInt)
      break;
  }
  return Samples;
}

/// Every combination of unpleasant finite arguments.
inline std::vector<Sample<double>> extremeSamples(const ScalarRule &Rule) {
  const double Values[] = {0.0,  -0.0, 1.0,    -1.0,  0.5,    -0.5,  1.875,    2.0,     -2.0,   3.0,
                           -3.0, 30.0, 1000.0, -1000, 1e-160, 1e160, -1.7e308, 1.7e308, 1e-320, -1e-320};
  std::vector<Sample<double>> Samples;
  auto extend = [&](auto &Self, unsigned I, Sample<double> At) -> void {
    if (I == Rule.Arity) {
      for (int N : {0, 1, -1, 2, 3, 2000, -2000, INT32_MAX, INT32_MIN}) {
        At.N = N;
        Samples.push_back(At);
        if (!Rule.HasInt)
          break;
      }
      return;
    }
    for (double Value : Values) {
      At.Args[I] = Value;
      Self(Self, I + 1, At);
    }
  };
  extend(extend, 0, {});
  return Samples;
}

inline std::string describe(const ScalarRule &Rule, unsigned I, const Sample<double> &At) {
  std::string Text = std::string(Rule.Name) + ", partial " + std::to_string(I) + " at";
  for (unsigned A = 0; A < Rule.Arity; ++A)
    Text += " " + std::to_string(At.Args[A]);
  return Rule.HasInt ? Text + ", n = " + std::to_string(At.N) : Text;
}

} // namespace tapefree::rules
