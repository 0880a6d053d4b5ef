#include "Explain/Polynomial.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <set>

using namespace llvm;

namespace tapefree {

Polynomial Polynomial::symbol(std::string Name) {
  Polynomial P;
  P.add({std::move(Name)}, 1);
  return P;
}

std::optional<int64_t> Polynomial::constant() const {
  if (Terms.empty())
    return 0;
  if (Terms.size() == 1 && Terms.begin()->first.empty())
    return Terms.begin()->second;
  return std::nullopt;
}

void Polynomial::add(const Monomial &M, int64_t Coefficient) {
  if (!Coefficient)
    return;
  // Unsigned arithmetic wraps as the program's own does.
  int64_t &C = Terms[M];
  C = int64_t(uint64_t(C) + uint64_t(Coefficient));
  if (!C)
    Terms.erase(M);
}

Polynomial Polynomial::operator+(const Polynomial &O) const {
  Polynomial Sum = *this;
  for (const auto &[M, C] : O.Terms)
    Sum.add(M, C);
  return Sum;
}

Polynomial Polynomial::operator*(const Polynomial &O) const {
  Polynomial Product;
  for (const auto &[M, C] : Terms)
    for (const auto &[N, D] : O.Terms) {
      Monomial Both;
      std::merge(M.begin(), M.end(), N.begin(), N.end(), std::back_inserter(Both));
      Product.add(Both, int64_t(uint64_t(C) * uint64_t(D)));
    }
  return Product;
}

std::optional<Polynomial> Polynomial::dividedBy(int64_t D) const {
  Polynomial Quotient;
  for (const auto &[M, C] : Terms) {
    if (C % D)
      return std::nullopt;
    Quotient.add(M, C / D);
  }
  return Quotient;
}

bool Polynomial::alwaysDivisibleBy(int64_t D) const {
  std::set<std::string> Symbols;
  for (const auto &[M, C] : Terms)
    Symbols.insert(M.begin(), M.end());
  if (D <= 0 || D > 4 || Symbols.size() > 4)
    return false;
  // The remainder depends on the remainders of the variables only: try them all.
  unsigned Cases = 1;
  for (size_t I = 0; I < Symbols.size(); ++I)
    Cases *= unsigned(D);
  for (unsigned Case = 0; Case < Cases; ++Case) {
    std::map<std::string, int64_t> At;
    unsigned Rest = Case;
    for (const std::string &S : Symbols) {
      At[S] = Rest % unsigned(D);
      Rest /= unsigned(D);
    }
    int64_t Sum = 0;
    for (const auto &[M, C] : Terms) {
      int64_t T = C % D;
      for (const std::string &S : M)
        T = T * At[S] % D;
      Sum = (Sum + T) % D;
    }
    if (Sum)
      return false;
  }
  return true;
}

std::string Polynomial::str(StringRef Times) const {
  if (Terms.empty())
    return "0";
  // Highest powers first, then by name: i*n + j - 1.
  SmallVector<std::pair<const Monomial *, int64_t>, 8> Order;
  for (const auto &[M, C] : Terms)
    Order.push_back({&M, C});
  llvm::sort(Order, [](const auto &A, const auto &B) {
    return A.first->size() != B.first->size() ? A.first->size() > B.first->size() : *A.first < *B.first;
  });
  // A leading minus reads badly where a positive term could go first.
  if (Order.front().second < 0)
    for (auto &T : Order)
      if (T.second > 0) {
        std::swap(T, Order.front());
        break;
      }
  std::string Text;
  for (const auto &[M, C] : Order) {
    if (!Text.empty())
      Text += C < 0 ? " - " : " + ";
    else if (C < 0)
      Text += "-";
    uint64_t Size = C < 0 ? 0 - uint64_t(C) : uint64_t(C);
    std::string Term;
    if (Size != 1 || M->empty())
      Term = std::to_string(Size);
    for (const std::string &S : *M)
      Term += (Term.empty() ? "" : Times.str()) + S;
    Text += Term;
  }
  return Text;
}

namespace {
class Converter {
public:
  Converter(ScalarEvolution &SE, const PolynomialNames &Names) : SE(SE), Names(Names) {}
  /// `S` times `Scale`.
  std::optional<Polynomial> convert(const SCEV *S, int64_t Scale = 1);

private:
  std::optional<Polynomial> recurrence(const SCEVAddRecExpr &AR);
  std::optional<Polynomial> quotient(const SCEVUDivExpr &Div, int64_t Scale);

  ScalarEvolution &SE;
  const PolynomialNames &Names;
  unsigned Budget = 200;
};
} // namespace

/// {a,+,b} in a loop whose variable is {s,+,t}: a + b*(i - s)/t.
std::optional<Polynomial> Converter::recurrence(const SCEVAddRecExpr &AR) {
  if (!AR.isAffine())
    return std::nullopt;
  auto Variable = Names.Variable(AR.getLoop());
  if (!Variable)
    return std::nullopt;
  auto A = convert(AR.getStart()), B = convert(AR.getStepRecurrence(SE)), S = convert(Variable->Start);
  if (!A || !B || !S)
    return std::nullopt;
  auto PerStep = B->dividedBy(Variable->Step);
  if (!PerStep)
    return std::nullopt;
  return *A + *PerStep * (Polynomial::symbol(Variable->Name) + *S * -1);
}

/// n*(n-1)/2 is whole whatever n is: then 8 of them are 4*n*(n-1). Another quotient stays as it is.
std::optional<Polynomial> Converter::quotient(const SCEVUDivExpr &Div, int64_t Scale) {
  auto *D = dyn_cast<SCEVConstant>(Div.getRHS());
  auto Above = convert(Div.getLHS());
  if (!D || !Above || !D->getAPInt().isSignedIntN(32) || D->getAPInt().isNonPositive())
    return std::nullopt;
  int64_t By = D->getAPInt().getSExtValue();
  if (auto Exact = Above->dividedBy(By))
    return *Exact * Scale;
  if (Above->alwaysDivisibleBy(By))
    if (auto Exact = (*Above * Scale).dividedBy(By))
      return Exact;
  return Polynomial(Scale) *
         Polynomial::symbol("(" +
                            (Above->terms().size() > 1 ? "(" + Above->str("·") + ")" : Above->str("·")) +
                            "/" + std::to_string(By) + ")");
}

std::optional<Polynomial> Converter::convert(const SCEV *S, int64_t Scale) {
  if (!Budget--)
    return Budget = 0, std::nullopt;
  switch (S->getSCEVType()) {
  case scConstant: {
    const APInt &C = cast<SCEVConstant>(S)->getAPInt();
    if (!C.isSignedIntN(64))
      return std::nullopt;
    return Polynomial(C.getSExtValue()) * Scale;
  }
  case scTruncate:
  case scZeroExtend:
  case scSignExtend:
    return convert(cast<SCEVCastExpr>(S)->getOperand(), Scale);
  case scAddExpr: {
    Polynomial Sum;
    for (const SCEV *Op : S->operands()) {
      auto P = convert(Op, Scale);
      if (!P)
        return std::nullopt;
      Sum = Sum + *P;
    }
    return Sum;
  }
  case scMulExpr: {
    // The scale (and constant factors) go to a quotient, which may need them to become whole.
    for (const SCEV *Op : S->operands())
      if (auto *C = dyn_cast<SCEVConstant>(Op); C && C->getAPInt().isSignedIntN(32))
        Scale *= C->getAPInt().getSExtValue();
    Polynomial Product(1);
    bool Scaled = false;
    for (const SCEV *Op : S->operands()) {
      if (auto *C = dyn_cast<SCEVConstant>(Op); C && C->getAPInt().isSignedIntN(32))
        continue;
      bool Here = !Scaled && isa<SCEVUDivExpr>(Op);
      Scaled |= Here;
      auto P = convert(Op, Here ? Scale : 1);
      if (!P)
        return std::nullopt;
      Product = Product * *P;
    }
    return Scaled ? Product : Product * Scale;
  }
  case scSMaxExpr:
  case scUMaxExpr:
  case scSMinExpr:
  case scUMinExpr: {
    // max(0, n), max(1, n), min(0, n): the guard of a loop that may not run. For people, it does.
    if (S->operands().size() != 2)
      return std::nullopt;
    auto *C = dyn_cast<SCEVConstant>(S->operands()[0]);
    if (!C || C->getAPInt().sgt(1) || C->getAPInt().slt(-1))
      return std::nullopt;
    bool Max = isa<SCEVSMaxExpr, SCEVUMaxExpr>(S);
    return convert(S->operands()[Max ? 1 : 0], Scale);
  }
  case scAddRecExpr:
    if (auto P = recurrence(*cast<SCEVAddRecExpr>(S)))
      return *P * Scale;
    return std::nullopt;
  case scUDivExpr:
    return quotient(*cast<SCEVUDivExpr>(S), Scale);
  case scUnknown: {
    auto Name = Names.Value(cast<SCEVUnknown>(S)->getValue());
    if (!Name)
      return std::nullopt;
    return Polynomial::symbol(*Name) * Scale;
  }
  default:
    return std::nullopt;
  }
}

std::optional<Polynomial> toPolynomial(const SCEV *S, ScalarEvolution &SE, const PolynomialNames &Names,
                                       int64_t Scale) {
  return Converter(SE, Names).convert(S, Scale);
}

} // namespace tapefree
