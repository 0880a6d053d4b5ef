//===- RuleTableTest.cpp - Every entry against differences and at edges ---===//
#include "RuleSamples.h"
#include "Rules/FormulaText.h"
#include "Rules/Lookup.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <set>

namespace tapefree::rules {

namespace {

constexpr double Inf = std::numeric_limits<double>::infinity();
constexpr double NaN = std::numeric_limits<double>::quiet_NaN();

const ScalarRule &rule(std::string_view Name) {
  const ScalarRule *Found = nullptr;
  forEachRule([&](const ScalarRule &Rule) {
    if (Rule.Name == Name)
      Found = &Rule;
  });
  EXPECT_NE(Found, nullptr) << Name;
  return *Found;
}

double partial(std::string_view Name, unsigned I, double X, double Y = 0, int N = 0) {
  return partialAt<double>(rule(Name), I, {{X, Y, 0}, N});
}

/// (f(x + h) - f(x - h)) / 2h in long double: about 12 digits.
long double centralDifference(const ScalarRule &Rule, unsigned I, const Sample<double> &At) {
  Sample<long double> Low, High;
  Low.N = High.N = At.N;
  for (unsigned A = 0; A < 3; ++A)
    Low.Args[A] = High.Args[A] = At.Args[A];
  long double Step = 1e-6L;
  Low.Args[I] -= Step;
  High.Args[I] += Step;
  return (valueAt(Rule, High) - valueAt(Rule, Low)) / (2 * Step);
}

TEST(RuleTable, EntriesAreComplete) {
  std::set<std::string_view> Names, Library;
  std::set<unsigned> Intrinsics, Opcodes;
  forEachRule([&](const ScalarRule &Rule) {
    EXPECT_TRUE(Names.insert(Rule.Name).second) << Rule.Name;
    EXPECT_FALSE(Rule.Value.empty()) << Rule.Name;
    EXPECT_TRUE(Rule.Arity >= 1 && Rule.Arity <= 3) << Rule.Name;
    for (unsigned I = 0; I < 3; ++I) {
      EXPECT_EQ(Rule.Partial[I].empty(), I >= Rule.Arity) << Rule.Name;
      EXPECT_FALSE(Rule.strongZero(I) && !Rule.isActive(I)) << Rule.Name;
    }
    if (Rule.Opcode)
      EXPECT_TRUE(Opcodes.insert(Rule.Opcode).second) << Rule.Name;
    for (unsigned ID : Rule.Intrinsics)
      EXPECT_TRUE(!ID || Intrinsics.insert(ID).second) << Rule.Name;
    for (std::string_view Spelling : Rule.Library)
      EXPECT_TRUE(Spelling.empty() || Library.insert(Spelling).second) << Spelling;
  });
  EXPECT_GT(Names.size(), 50u);
}

TEST(RuleTable, PartialsMatchDifferences) {
  forEachRule([&](const ScalarRule &Rule) {
    for (const Sample<double> &At : ordinarySamples(Rule))
      for (unsigned I = 0; I < Rule.Arity; ++I) {
        long double Expected = centralDifference(Rule, I, At);
        double Tolerance = 1e-9 * std::max(1.0, double(std::fabs(Expected)));
        EXPECT_NEAR(partialAt(Rule, I, At), Expected, Tolerance) << describe(Rule, I, At);
      }
  });
}

TEST(RuleTable, StrongZeroIsStatedWherePartialsAreNotFinite) {
  forEachRule([&](const ScalarRule &Rule) {
    // The partials of a product are its factors, and those of fma: infinite only if an argument is.
    std::set<unsigned> Reported;
    for (const Sample<double> &At : extremeSamples(Rule))
      for (unsigned I = 0; I < Rule.Arity; ++I)
        if (std::isfinite(valueAt(Rule, At)) && !std::isfinite(partialAt(Rule, I, At)) && !Rule.strongZero(I))
          if (Reported.insert(I).second)
            ADD_FAILURE() << describe(Rule, I, At) << ": StrongZero is missing";
  });
}

TEST(RuleTable, PartialsAreNeverNaNWhereTheFunctionIsANumber) {
  forEachRule([&](const ScalarRule &Rule) {
    for (const Sample<double> &At : extremeSamples(Rule))
      for (unsigned I = 0; I < Rule.Arity; ++I)
        if (std::isfinite(valueAt(Rule, At)))
          EXPECT_FALSE(std::isnan(partialAt(Rule, I, At))) << describe(Rule, I, At);
  });
}

TEST(RuleTable, NeedsAreWhatTheFormulaReads) {
  forEachRule([&](const ScalarRule &Rule) {
    for (unsigned I = 0; I < Rule.Arity; ++I) {
      Needs Read = needs(Rule.Partial[I]);
      EXPECT_FALSE(Read.IntArg && !Rule.HasInt) << Rule.Name;
      for (unsigned A = Rule.Arity; A < 3; ++A)
        EXPECT_FALSE(Read.Arg[A]) << Rule.Name;
      for (Sample<double> At : ordinarySamples(Rule)) {
        double Result = valueAt(Rule, At), Expected = partialAt(Rule, I, At);
        for (unsigned A = 0; A < 3; ++A)
          if (!Read.Arg[A])
            At.Args[A] = NaN;
        EXPECT_EQ(evaluate<double>(Rule.Partial[I], At.Args, At.N, Read.Result ? Result : NaN), Expected)
            << Rule.Name;
      }
    }
    EXPECT_FALSE(needs(Rule.Value).Result) << Rule.Name;
  });
}

TEST(RuleTable, FactsFollowFromFormulas) {
  EXPECT_TRUE(rule("fadd").isLinear());
  EXPECT_TRUE(rule("floor").isLinear());
  EXPECT_FALSE(rule("fmul").isLinear());
  EXPECT_FALSE(rule("floor").isActive(0));
  EXPECT_FALSE(rule("copysign").isActive(1));
  EXPECT_EQ(needs(rule("tanh").Partial[0]), (Needs{.Result = true}));
  EXPECT_EQ(needs(rule("exp").Partial[0]), (Needs{.Result = true}));
  EXPECT_EQ(needs(rule("sqrt").Partial[0]), (Needs{.Result = true}));
  EXPECT_EQ(needs(rule("fmul").Partial[0]), (Needs{.Arg = {false, true, false}}));
}

/// Derivatives must have derivatives: what a formula calls is itself in the tables, or is expanded in place.
TEST(RuleTable, FormulasCallOnlyWhatHasARule) {
  std::set<std::string_view> Known = {"digamma"};
  forEachRule([&](const ScalarRule &Rule) { Known.insert(Rule.Name); });
  forEachRule([&](const ScalarRule &Rule) {
    for (const Formula &Partial : Rule.Partial)
      for (unsigned I = 0; I < Partial.size(); ++I)
        if (Partial[I].Operation == Op::Call)
          EXPECT_TRUE(Known.count(info(static_cast<Fn>(Partial[I].Id)).Name)) << Rule.Name;
  });
}

TEST(RuleEdges, Powers) {
  EXPECT_EQ(partial("pow", 0, 0, 1), 1);
  EXPECT_EQ(partial("pow", 0, 0, 2), 0);
  EXPECT_EQ(partial("pow", 0, 0, 1.875), 0);
  EXPECT_EQ(partial("pow", 0, 0, 0), 0);
  EXPECT_EQ(partial("pow", 0, 7, 0), 0);
  EXPECT_EQ(partial("pow", 0, 0, 0.5), Inf);
  EXPECT_EQ(partial("pow", 0, -2, 3), 12);
  EXPECT_EQ(partial("pow", 0, -2, -2), 0.25);
  EXPECT_EQ(partial("pow", 1, -2, 3), 0);
  EXPECT_EQ(partial("pow", 1, 0, 2), 0);
  EXPECT_EQ(partial("pow", 1, 0, 0), 0);
  EXPECT_EQ(partial("pow", 1, 0, -1), 0);
  EXPECT_TRUE(std::isnan(partial("pow", 1, NaN, 2)));
  EXPECT_EQ(partial("powi", 0, 0, 0, 0), 0);
  EXPECT_EQ(partial("powi", 0, 0, 0, 1), 1);
  EXPECT_EQ(partial("powi", 0, 0, 0, 2), 0);
  EXPECT_EQ(partial("powi", 0, -2, 0, 3), 12);
  EXPECT_EQ(partial("powi", 0, -2, 0, -2), 0.25);
  EXPECT_EQ(partial("powi", 0, -1, 0, INT32_MIN), -double(INT32_MIN) * 1); // odd exponent n - 1
  EXPECT_EQ(partial("sqrt", 0, 0), Inf);
  EXPECT_EQ(partial("cbrt", 0, 0), Inf);
  EXPECT_TRUE(rule("sqrt").strongZero(0) && rule("cbrt").strongZero(0) && rule("pow").strongZero(0));
}

TEST(RuleEdges, Radii) {
  EXPECT_EQ(partial("hypot", 0, 0, 0), 0);
  EXPECT_EQ(partial("hypot", 1, 0, 0), 0);
  EXPECT_EQ(partial("atan2", 0, 0, 0), 0);
  EXPECT_EQ(partial("atan2", 1, 0, 0), 0);
  EXPECT_DOUBLE_EQ(partial("atan2", 0, 0, 1e200), 1e-200);
  EXPECT_DOUBLE_EQ(partial("atan2", 0, 0, 1e-200), 1e200);
  EXPECT_DOUBLE_EQ(partial("atan2", 0, 0, -2), -0.5);
  EXPECT_DOUBLE_EQ(partial("asinh", 0, 1e200), 1e-200);
  EXPECT_DOUBLE_EQ(partial("acosh", 0, 1e200), 1e-200);
}

TEST(RuleEdges, Choices) {
  EXPECT_EQ(partial("fabs", 0, 0), 0);
  EXPECT_EQ(partial("fabs", 0, -0.0), 0);
  EXPECT_EQ(partial("fabs", 0, -3), -1);
  EXPECT_EQ(partial("copysign", 0, 0, -1), 0);
  EXPECT_EQ(partial("copysign", 0, 2, -1), -1);
  EXPECT_EQ(partial("copysign", 0, -2, -1), 1);
  for (const char *Name : {"fmin", "fmax"}) {
    EXPECT_EQ(partial(Name, 0, 1, 1), 1) << Name;
    EXPECT_EQ(partial(Name, 1, 1, 1), 0) << Name;
    EXPECT_EQ(partial(Name, 0, NaN, 1), 0) << Name;
    EXPECT_EQ(partial(Name, 1, NaN, 1), 1) << Name;
    EXPECT_EQ(partial(Name, 0, 1, NaN), 1) << Name;
    EXPECT_EQ(partial(Name, 1, 1, NaN), 0) << Name;
  }
  EXPECT_EQ(partial("fmin", 0, 1, 2), 1);
  EXPECT_EQ(partial("fmax", 0, 1, 2), 0);
  EXPECT_EQ(partial("fdim", 0, 1, 1), 0);
  EXPECT_EQ(partial("fdim", 1, 1, 1), 0);
}

TEST(RuleEdges, Remainders) {
  EXPECT_EQ(partial("fmod", 1, 7, 2), -3);
  EXPECT_EQ(partial("fmod", 1, -7, 2), 3);
  EXPECT_EQ(partial("remainder", 1, 7, 4), -2);
  // x / y rounds to 3, but three times y is more than x: the quotient that fmod used is 2.
  double Y = 0.1 + 0.2 / 3;
  double X = std::nextafter(3 * Y, 0.0);
  while (std::fmod(X, Y) < Y / 2)
    X = std::nextafter(X, 0.0);
  EXPECT_EQ(partial("fmod", 1, X, Y), -2);
}

TEST(RuleEdges, Gamma) {
  EXPECT_NEAR(partial("lgamma", 0, 1), -0.57721566490153286, 1e-15);
  EXPECT_NEAR(partial("lgamma", 0, 0.5), -1.96351002602142348, 1e-14);
  EXPECT_NEAR(partial("lgamma", 0, -0.5), 0.03648997397857652, 1e-13);
  EXPECT_NEAR(partial("lgamma", 0, 1e5), std::log(1e5) - 0.5e-5, 1e-10);
  EXPECT_NEAR(partial("lgamma", 0, -2.5), 1.10315664064524319, 1e-12);
  EXPECT_NEAR(partial("tgamma", 0, 4), 6 * 1.25611766843180047, 1e-13);
  EXPECT_TRUE(std::isinf(partial("lgamma", 0, -1)));
}

TEST(Formula, SharesEqualSubexpressions) {
  using namespace dsl;
  constexpr Formula F = sin(x) * sin(x) + sin(x);
  static_assert(F.size() == 4);
  EXPECT_EQ(toText(F), "sin(x) * sin(x) + sin(x)");
  EXPECT_EQ(toText(1 - r * r), "1 - r * r");
  EXPECT_EQ(toText(x - (y - z)), "x - (y - z)");
  EXPECT_EQ(toText(-(x + y) / z), "-(x + y) / z");
  EXPECT_EQ(toText(x / (y * z)), "x / (y * z)");
  EXPECT_EQ(toText(select(x <= y, c(0), x)), "x <= y ? 0 : x");
  EXPECT_EQ(toText(2 * select(n == 0, x, y)), "2 * (n == 0 ? x : y)");
}

} // namespace

} // namespace tapefree::rules
