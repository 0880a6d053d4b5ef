// Polynomial: integers in the user's variables: an index `i*n + j`, a byte count `8·n·m`.
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Loop;
class SCEV;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace tapefree {

class Polynomial {
public:
  using Monomial = std::vector<std::string>; // sorted names, a power repeats its name

  Polynomial(int64_t Constant = 0) { add({}, Constant); }
  static Polynomial symbol(std::string Name);

  std::optional<int64_t> constant() const;
  const std::map<Monomial, int64_t> &terms() const { return Terms; }
  void add(const Monomial &M, int64_t Coefficient);
  Polynomial operator+(const Polynomial &O) const;
  Polynomial operator*(const Polynomial &O) const;
  bool operator==(const Polynomial &O) const { return Terms == O.Terms; }
  /// The quotient where every coefficient is divisible.
  std::optional<Polynomial> dividedBy(int64_t D) const;
  /// Whether it is a multiple of `D` whatever the variables are, as n*(n-1) is of 2.
  bool alwaysDivisibleBy(int64_t D) const;
  /// "n*m + n - 1" with the given sign between factors.
  std::string str(llvm::StringRef Times) const;

private:
  std::map<Monomial, int64_t> Terms; // no zero coefficients
};

/// How the user calls what a polynomial is made of; nothing where there is no name.
struct PolynomialNames {
  /// The value that the loop's own variable has: its name, value in the first iteration and step.
  struct LoopVariable {
    std::string Name;
    const llvm::SCEV *Start;
    int64_t Step;
  };
  llvm::function_ref<std::optional<std::string>(const llvm::Value *)> Value;
  llvm::function_ref<std::optional<LoopVariable>(const llvm::Loop *)> Variable;
};

/// `S` times `Scale` in the user's variables. Casts are passed over, and a count's guard against negative
/// numbers is dropped: it is for people to read. Nothing where a part has no name or is no polynomial.
std::optional<Polynomial> toPolynomial(const llvm::SCEV *S, llvm::ScalarEvolution &SE,
                                       const PolynomialNames &Names, int64_t Scale = 1);

} // namespace tapefree
