// Units: the derivative functions of a module, each made once for each function and assignment of activities.
#pragma once
#include "Emit/Gradient.h"
#include "Emit/Tangent.h"
#include "Request/Request.h"
#include <map>
#include <memory>

namespace tapefree {

/// A prepared function with the LLVM analyses that later stages read.
class PreparedUnit {
public:
  PreparedUnit(std::unique_ptr<Prepared> P, llvm::FunctionAnalysisManager &FAM);
  ~PreparedUnit();
  const Prepared &prepared() const { return *P; }
  Overwrites &overwrites() { return *Over; }
  const MemoryTypes &types() const { return *Types; }
  llvm::FunctionAnalysisManager &manager() { return FAM; }

private:
  std::unique_ptr<Prepared> P;
  llvm::FunctionAnalysisManager &FAM;
  std::unique_ptr<MemoryTypes> Types;
  std::unique_ptr<Overwrites> Over;
};

class Units {
public:
  Units(llvm::Module &M, llvm::ModuleAnalysisManager &MAM, Diag &D);
  ~Units();
  /// The combined gradient that a request asks for; null after an error.
  llvm::Function *gradient(const CallRequest &R);
  /// The tangent function (forward mode) that a request asks for; null after an error.
  llvm::Function *tangent(const CallRequest &R);
  /// Facts and plan of a request, handed to `Use` (for printers).
  /// Under the policy `disjoint`, with what the plan takes for disjoint.
  void plan(const Request &R,
            llvm::function_ref<void(const Facts &, const Plan &, const PromisedBuffers *)> Use);

private:
  llvm::Function *checkedGradient(const CallRequest &R, const Facts &F, unsigned SafeKeeps,
                                  llvm::Function *SafeBody);
  PreparedUnit *prepared(llvm::Function &Source, bool Lanes, CheckedBodies Bodies);
  const SplitFunctions *split(llvm::Function &Source, const CallSignature &S);
  llvm::Function *callTangent(llvm::Function &Source, const CallSignature &S);
  bool fillTangent(llvm::Function &Into, llvm::Function &Source, const TangentSignature &S,
                   bool ReturnActive);
  void clean(llvm::Function &F, unsigned Width);

  llvm::FunctionAnalysisManager &FAM;
  Diag &D;
  std::map<llvm::Function *, std::unique_ptr<PreparedUnit>> Prepareds;
  std::vector<std::pair<Request, llvm::Function *>> Gradients;
  struct Split {
    llvm::Function *Source;
    CallSignature S;
    SplitFunctions Functions;
    bool Failed = false;
  };
  std::vector<std::unique_ptr<Split>> Splits;
  struct CallTangent {
    llvm::Function *Source;
    CallSignature S;
    llvm::Function *Tangent; // declared before its body exists: recursive bodies call it
  };
  std::vector<CallTangent> CallTangents;
};

} // namespace tapefree
