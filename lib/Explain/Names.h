// Names: what the user calls a value of the prepared function. Variables and members come from debug records
// and types
// (`w->z1[i]`, `x[j]`, `a.b[i][j]`, `*p`); without -g there are only lines.
#pragma once
#include "Explain/Polynomial.h"
#include "Plan/Plan.h"
#include "llvm/IR/DebugLoc.h"

namespace llvm {
class DILocalVariable;
class DIType;
class DIExpression;
} // namespace llvm

namespace tapefree {

class Names {
public:
  explicit Names(const Facts &F);

  /// An expression of the user's language: the name of a variable, or the place that a load reads. None
  /// without one.
  std::optional<std::string> expression(const llvm::Value *V);
  /// The same for the memory that a load or store of `I` touches.
  std::optional<std::string> place(const llvm::Instruction &I);
  /// The variable or member that leads to the memory: 'x' of x[i], 'w->z1' of w->z1[i]; null for a direct
  /// variable too.
  std::optional<std::string> buffer(const llvm::Value *Address);
  /// A planned value for a sentence: "'x[i]'", "the condition", "the value computed", with no line yet.
  std::string describe(ValueRef R);

  /// The line of a value: its own, or, for one made by Prepare, the line that it stands for; of the system's
  /// headers, the line that calls them.
  llvm::DebugLoc line(const llvm::Value *V);
  /// "line 12" where the file is that of `Near`, else "file.cpp:12"; "an unknown line" without debug
  /// locations.
  static std::string lineText(const llvm::DebugLoc &L, const llvm::DebugLoc &Near);
  /// The same behind " at "; empty without debug locations.
  static std::string atLine(const llvm::DebugLoc &L, const llvm::DebugLoc &Near);
  llvm::DebugLoc loopLine(const llvm::Loop &L);

  /// The loop whose number of iterations `V` is, known only when it has run; else null.
  const llvm::Loop *countedBy(const llvm::Value *V) const;
  /// Whether `V` tells which way control came to a merge.
  bool isSelector(const llvm::Value *V) const;

  /// An integer in the user's variables.
  std::optional<Polynomial> polynomial(const llvm::SCEV *S, int64_t Scale = 1);

private:
  /// An expression and its type; the type is null where debug information does not know it.
  struct Typed {
    std::string Text;
    const llvm::DIType *Type = nullptr;
    bool Address = false; // the text is a pointer, rather than what lies at the address
  };
  struct Record {
    const llvm::DILocalVariable *Variable;
    const llvm::DIExpression *Expression;
    llvm::DebugLoc Scope;
    bool IsAddress;     // the value is where the variable lies
    int64_t Offset = 0; // the variable is the value and this much more
  };
  /// Names are those that are seen from the line of `I`.
  void lookFrom(const llvm::Instruction &I);
  llvm::DebugLoc innerLine(const llvm::Value *V);
  const Record *recordOf(const llvm::Value *V, bool IsAddress, bool AnyOffset = false) const;
  const llvm::Value *baseOf(const llvm::Value *Address);
  std::optional<Typed> pointer(const llvm::Value *V);
  std::optional<Typed> value(const llvm::Value *V);
  std::optional<Typed> memory(const llvm::Value *Address, uint64_t Bytes);
  std::optional<Typed> element(Typed Base, std::optional<Polynomial> Offset, uint64_t Bytes,
                               bool FromPointer);
  std::optional<PolynomialNames::LoopVariable> loopVariable(const llvm::Loop *L);

  const Facts &F;
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<Record, 1>> Records;
  llvm::DenseMap<const llvm::Loop *, std::optional<PolynomialNames::LoopVariable>> Variables;
  const llvm::DISubprogram *Near = nullptr;   // names of this function go first,
  const llvm::DILocation *NearCall = nullptr; // those of its body that was inlined for this call before all
  unsigned Depth = 0;
};

} // namespace tapefree
