//===- Formula.h - A scalar expression as constexpr data --------*- C++ -*-===//
//
// A formula is built at compile time by ordinary-looking C++ (`1 - r * r`, `select(x == 0, 0, y / r)`) and
// then read by several readers that all walk the same nodes: the plain evaluator (FormulaEval.h), the
// question of what it reads (FormulaNeeds.h), the IR emitter (FormulaEmit.h) and the printer (FormulaText.h).
// No LLVM in here, so that the rule tables can be tested without a compiler around them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace tapefree::rules {

enum class Op : std::uint8_t {
  Arg,        ///< floating argument number Id: x, y, z
  Result,     ///< r, the value of the function itself
  IntArg,     ///< n, the integer argument
  Const,      ///< Value
  NamedConst, ///< NamedConstant(Id), exact in every floating type
  IntConst,   ///< Value, which is a small integer
  Neg,        ///< -A
  Add,        ///< A + B
  Sub,        ///< A - B (also of integers)
  Mul,        ///< A * B
  Div,        ///< A / B
  Less,       ///< A < B, false when unordered
  LessEqual,  ///< A <= B, false when unordered
  Equal,      ///< A == B, false when unordered
  NotEqual,   ///< A != B, true when unordered
  Select,     ///< A ? B : C
  ToReal,     ///< integer A as a floating value
  Call,       ///< Fn(Id) of A, B, C
};

/// What a node evaluates to.
enum class Kind : std::uint8_t { Real, Int, Bool };

enum class Fn : std::uint8_t {
#define TAPEFREE_FN(Enumerator, Name, Arity, Intrinsic) Enumerator,
#include "Rules/Functions.def"
};

struct FnInfo {
  std::string_view Name; ///< the C library's spelling for double
  unsigned Arity;
  bool IntLast; ///< the last argument is an integer
};

constexpr FnInfo info(Fn F) {
  constexpr FnInfo Table[] = {
#define TAPEFREE_FN(Enumerator, Name, Arity, Intrinsic) {#Name, Arity, false},
#define TAPEFREE_INT_FN(Enumerator, Name, Intrinsic) {#Name, 2, true},
#include "Rules/Functions.def"
  };
  return Table[static_cast<unsigned>(F)];
}

/// Irrational constants are named, not written as double: x86_fp80 and fp128 get all their digits.
enum class NamedConstant : std::uint8_t { Ln10, Ln2, Log10E, Log2E, Pi, TwoOverSqrtPi };

struct ConstantInfo {
  std::string_view Name;
  std::string_view Digits; ///< enough for fp128
  long double Value;
};

constexpr ConstantInfo info(NamedConstant C) {
#define TAPEFREE_CONSTANT(Name, Digits)                                                                      \
  {                                                                                                          \
    Name, #Digits, Digits##L                                                                                 \
  }
  constexpr ConstantInfo Table[] = {
      TAPEFREE_CONSTANT("ln(10)", 2.302585092994045684017991454684364207601),
      TAPEFREE_CONSTANT("ln(2)", 0.6931471805599453094172321214581765680755),
      TAPEFREE_CONSTANT("log10(e)", 0.4342944819032518276511289189166050822944),
      TAPEFREE_CONSTANT("log2(e)", 1.442695040888963407359924681001892137427),
      TAPEFREE_CONSTANT("pi", 3.141592653589793238462643383279502884197),
      TAPEFREE_CONSTANT("2/sqrt(pi)", 1.128379167095512573896158903121545171688),
  };
#undef TAPEFREE_CONSTANT
  return Table[static_cast<unsigned>(C)];
}

/// One operation. A, B and C are indexes of earlier nodes of the same formula.
struct Node {
  Op Operation = Op::Const;
  Kind Type = Kind::Real;
  std::uint8_t Id = 0; ///< argument number, Fn or NamedConstant
  std::uint8_t A = 0, B = 0, C = 0;
  double Value = 0;

  constexpr bool operator==(const Node &) const = default;
};

/// An expression in a fixed-size pool. Operands come before their users, equal subexpressions are stored
/// once, and the root is the last node. A default-constructed formula is empty: "there is none".
class Formula {
public:
  static constexpr unsigned Capacity = 24;

  constexpr Formula() = default;
  /// A constant that double holds exactly; others are NamedConstants. Implicit, so that `1 - r * r` reads
  /// well.
  constexpr Formula(double Value) : Formula(Node{.Operation = Op::Const, .Value = Value}) {}
  explicit constexpr Formula(const Node &Leaf) { add(Leaf); }

  constexpr bool empty() const { return Size == 0; }
  constexpr unsigned size() const { return Size; }
  constexpr const Node &operator[](unsigned Index) const { return Nodes[Index]; }
  constexpr const Node &root() const { return Nodes[Size - 1]; }
  /// The derivative is zero everywhere: nothing flows through this argument.
  constexpr bool isZero() const { return isConstant(0); }
  constexpr bool isConstant(double Value) const {
    return Size == 1 && root().Operation == Op::Const && root().Value == Value;
  }

  /// The formula of \p New with its operands replaced by these formulas.
  static constexpr Formula combine(Node New, const Formula &A) {
    Formula F = A;
    New.A = F.Size - 1;
    F.add(New);
    return F;
  }
  static constexpr Formula combine(Node New, const Formula &A, const Formula &B) {
    Formula F = A;
    New.A = F.Size - 1;
    New.B = F.merge(B);
    F.add(New);
    return F;
  }
  static constexpr Formula combine(Node New, const Formula &A, const Formula &B, const Formula &C) {
    Formula F = A;
    New.A = F.Size - 1;
    New.B = F.merge(B);
    New.C = F.merge(C);
    F.add(New);
    return F;
  }

private:
  std::array<Node, Capacity> Nodes = {};
  std::uint8_t Size = 0;

  constexpr std::uint8_t add(const Node &New) {
    for (std::uint8_t I = 0; I < Size; ++I)
      if (Nodes[I] == New)
        return I;
    if (Size == Capacity)
      std::abort(); // In a constant expression this is a compile-time error: raise Capacity or split the
                    // rule.
    Nodes[Size] = New;
    return Size++;
  }

  /// Adds the nodes of \p F; returns where its root is now.
  constexpr std::uint8_t merge(const Formula &F) {
    std::array<std::uint8_t, Capacity> Moved = {};
    for (unsigned I = 0; I < F.Size; ++I) {
      Node Copy = F.Nodes[I];
      Copy.A = Moved[Copy.A];
      Copy.B = Moved[Copy.B];
      Copy.C = Moved[Copy.C];
      Moved[I] = add(Copy);
    }
    return Moved[F.Size - 1];
  }
};

/// Integer and truth-valued expressions have types of their own, so a formula that mixes them does not
/// compile.
struct IntFormula {
  Formula F;
  explicit constexpr IntFormula(const Formula &F) : F(F) {}
  constexpr IntFormula(int Value)
      : F(Node{.Operation = Op::IntConst, .Type = Kind::Int, .Value = double(Value)}) {}
};
struct Condition {
  Formula F;
};

constexpr Formula operator-(const Formula &A) { return Formula::combine({.Operation = Op::Neg}, A); }
constexpr Formula operator+(const Formula &A, const Formula &B) {
  return Formula::combine({.Operation = Op::Add}, A, B);
}
constexpr Formula operator-(const Formula &A, const Formula &B) {
  return Formula::combine({.Operation = Op::Sub}, A, B);
}
constexpr Formula operator*(const Formula &A, const Formula &B) {
  return Formula::combine({.Operation = Op::Mul}, A, B);
}
constexpr Formula operator/(const Formula &A, const Formula &B) {
  return Formula::combine({.Operation = Op::Div}, A, B);
}
constexpr IntFormula operator-(const IntFormula &A, const IntFormula &B) {
  return IntFormula(Formula::combine({.Operation = Op::Sub, .Type = Kind::Int}, A.F, B.F));
}

#define TAPEFREE_COMPARISON(Symbol, Operation_)                                                              \
  constexpr Condition operator Symbol(const Formula &A, const Formula &B) {                                  \
    return {Formula::combine({.Operation = Operation_, .Type = Kind::Bool}, A, B)};                          \
  }                                                                                                          \
  constexpr Condition operator Symbol(const IntFormula &A, const IntFormula &B) {                            \
    return {Formula::combine({.Operation = Operation_, .Type = Kind::Bool}, A.F, B.F)};                      \
  }
TAPEFREE_COMPARISON(<, Op::Less)
TAPEFREE_COMPARISON(<=, Op::LessEqual)
TAPEFREE_COMPARISON(==, Op::Equal)
TAPEFREE_COMPARISON(!=, Op::NotEqual)
#undef TAPEFREE_COMPARISON

constexpr Condition isnan(const Formula &A) { return A != A; }

constexpr Formula select(const Condition &If, const Formula &Then, const Formula &Else) {
  return Formula::combine({.Operation = Op::Select}, If.F, Then, Else);
}
constexpr IntFormula select(const Condition &If, const IntFormula &Then, const IntFormula &Else) {
  return IntFormula(Formula::combine({.Operation = Op::Select, .Type = Kind::Int}, If.F, Then.F, Else.F));
}
constexpr Formula real(const IntFormula &A) { return Formula::combine({.Operation = Op::ToReal}, A.F); }

namespace detail {
constexpr Node callNode(Fn F) { return {.Operation = Op::Call, .Id = static_cast<std::uint8_t>(F)}; }
template <Fn F, unsigned Arity> struct Caller;
template <Fn F> struct Caller<F, 1> {
  constexpr Formula operator()(const Formula &A) const { return Formula::combine(callNode(F), A); }
};
template <Fn F> struct Caller<F, 2> {
  constexpr Formula operator()(const Formula &A, const Formula &B) const {
    return Formula::combine(callNode(F), A, B);
  }
};
template <Fn F> struct Caller<F, 3> {
  constexpr Formula operator()(const Formula &A, const Formula &B, const Formula &C) const {
    return Formula::combine(callNode(F), A, B, C);
  }
};
template <Fn F> struct IntCaller {
  constexpr Formula operator()(const Formula &A, const IntFormula &N) const {
    return Formula::combine(callNode(F), A, N.F);
  }
};
} // namespace detail

/// The words that rule tables are written in.
namespace dsl {
inline constexpr Formula x{Node{.Operation = Op::Arg, .Id = 0}};
inline constexpr Formula y{Node{.Operation = Op::Arg, .Id = 1}};
inline constexpr Formula z{Node{.Operation = Op::Arg, .Id = 2}};
inline constexpr Formula r{Node{.Operation = Op::Result}};
inline constexpr IntFormula n{Formula(Node{.Operation = Op::IntArg, .Type = Kind::Int})};

constexpr Formula c(double Value) { return Formula(Value); }
constexpr Formula c(NamedConstant Named) {
  return Formula(Node{.Operation = Op::NamedConst, .Id = static_cast<std::uint8_t>(Named)});
}

// Objects, not functions: they hide the C library's functions of the same name instead of overloading them.
#define TAPEFREE_FN(Enumerator, Name, Arity, Intrinsic)                                                      \
  inline constexpr detail::Caller<Fn::Enumerator, Arity> Name;
#define TAPEFREE_INT_FN(Enumerator, Name, Intrinsic) inline constexpr detail::IntCaller<Fn::Enumerator> Name;
#include "Rules/Functions.def"
} // namespace dsl

} // namespace tapefree::rules
