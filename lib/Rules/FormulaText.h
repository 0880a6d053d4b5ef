//===- FormulaText.h - A formula as people write it -------------*- C++ -*-===//
#pragma once

#include "Rules/Formula.h"

#include <cmath>
#include <string>

namespace tapefree::rules {

namespace detail {

/// How tightly the operator of \p N binds, in C's order; a leaf or call binds tightest.
constexpr unsigned precedence(const Node &N) {
  switch (N.Operation) {
  case Op::Select:
    return 0;
  case Op::Equal:
  case Op::NotEqual:
    return 1;
  case Op::Less:
  case Op::LessEqual:
    return 2;
  case Op::Add:
  case Op::Sub:
    return 3;
  case Op::Mul:
  case Op::Div:
    return 4;
  case Op::Neg:
    return 5;
  default:
    return 6;
  }
}

inline std::string numberText(double Value) {
  std::string Text = std::to_string(Value);
  while (Text.back() == '0')
    Text.pop_back();
  if (Text.back() == '.')
    Text.pop_back();
  return Text;
}

inline std::string text(const Formula &F, unsigned Index, unsigned Outer) {
  const Node &N = F[Index];
  unsigned Own = precedence(N);
  auto infix = [&](const char *Symbol) {
    // The right operand of - and / needs its brackets at equal precedence: a - (b - c).
    return text(F, N.A, Own) + " " + Symbol + " " + text(F, N.B, Own + 1);
  };
  std::string Text;
  switch (N.Operation) {
  case Op::Arg:
    return std::string(1, "xyz"[N.Id]);
  case Op::Result:
    return "r";
  case Op::IntArg:
    return "n";
  case Op::Const:
  case Op::IntConst:
    return numberText(N.Value);
  case Op::NamedConst:
    return std::string(info(static_cast<NamedConstant>(N.Id)).Name);
  case Op::ToReal:
    return text(F, N.A, Outer);
  case Op::Call: {
    FnInfo Callee = info(static_cast<Fn>(N.Id));
    Text = std::string(Callee.Name) + "(" + text(F, N.A, 0);
    if (Callee.Arity > 1)
      Text += ", " + text(F, N.B, 0);
    if (Callee.Arity > 2)
      Text += ", " + text(F, N.C, 0);
    return Text + ")";
  }
  case Op::Neg:
    Text = "-" + text(F, N.A, Own);
    break;
  case Op::Add:
    Text = infix("+");
    break;
  case Op::Sub:
    Text = infix("-");
    break;
  case Op::Mul:
    Text = infix("*");
    break;
  case Op::Div:
    Text = infix("/");
    break;
  case Op::Less:
    Text = infix("<");
    break;
  case Op::LessEqual:
    Text = infix("<=");
    break;
  case Op::Equal:
    Text = infix("==");
    break;
  case Op::NotEqual:
    Text = infix("!=");
    break;
  case Op::Select:
    Text = text(F, N.A, 1) + " ? " + text(F, N.B, 1) + " : " + text(F, N.C, 0);
    break;
  }
  return Own < Outer ? "(" + Text + ")" : Text;
}

} // namespace detail

/// `1 - r * r`; the empty string for no formula.
inline std::string toText(const Formula &F) { return F.empty() ? "" : detail::text(F, F.size() - 1, 0); }

} // namespace tapefree::rules
