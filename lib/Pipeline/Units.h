// Units: the derivative functions of a module, each made once for each function and assignment of activities.
#pragma once
#include "Analysis/Memory/Extents.h"
#include "Emit/Gradient.h"
#include "Emit/Tangent.h"
#include "Explain/Remarks.h"
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

/// What a plan under the alias policy `disjoint` takes for disjoint, and the alias analysis that says so.
struct Promise {
  const PromisedBuffers &Buffers;
  llvm::AAResults &AA;
};

class Units {
public:
  /// `Named`: how many gradients of the module have been remarked upon.
  Units(llvm::Module &M, llvm::ModuleAnalysisManager &MAM, Diag &D, unsigned &Named);
  ~Units();
  /// The combined gradient that a request asks for, or the bytes that it keeps; null after an error.
  llvm::Function *gradient(const CallRequest &R);
  /// The tangent function (forward mode) that a request asks for; null after an error.
  llvm::Function *tangent(const CallRequest &R);
  /// Facts and plan of a request, handed to `Use` (for printers); under the policy `disjoint` with the
  /// promise, else with null. `Overwritten`: what the function reads may be changed before its reverse sweep.
  using PlanUser = llvm::function_ref<void(const Facts &, const Plan &, const Promise *)>;
  void plan(const Request &R, PlanUser Use, bool Overwritten = false);

private:
  /// Makes a function from facts and a plan. `Tested`: buffers that are known to be disjoint in it, or null.
  using BodyMaker = llvm::function_ref<llvm::Function *(const Facts &, const Plan &, const Extents *Tested,
                                                        llvm::AAResults &)>;
  llvm::Function *checked(const CallRequest &R, const Facts &F, const Plan &Safe, llvm::Function *SafeBody,
                          BodyMaker Make);
  bool announce(const CallRequest &R, const Facts &F, const Plan &P, const GradientName &Asked);
  llvm::Function *makeGradient(const CallRequest &R, const Facts &F, const Plan &P, const Promise *Given);
  llvm::Function *makeWorkspaceSize(const CallRequest &R, const Facts &F, const Plan &P,
                                    const Promise *Given);
  CallChain callsToSplit(const llvm::Function &Source) const;
  PreparedUnit *prepared(llvm::Function &Source, bool Lanes, CheckedBodies Bodies);
  const SplitFunctions *split(llvm::Function &Source, const CallSignature &S);
  void abandon(std::initializer_list<llvm::Function *> Unfinished);
  struct Split;
  std::unique_ptr<Split> splitApart(llvm::Function &Step, const CallSignature &S, llvm::Function *&Test);
  bool splitSteps(const SplitFunctions &Into, llvm::Function &Steps, const CallSignature &S);
  llvm::Function *callTangent(llvm::Function &Source, const CallSignature &S);
  llvm::Function *shadowedExit(llvm::Function &Exit, const CallSignature &S);
  bool fillTangent(llvm::Function &Into, llvm::Function &Source, const TangentSignature &S,
                   bool ReturnActive);
  void clean(llvm::Function &F, unsigned Width, bool Contract = false);

  llvm::Module &M;
  llvm::FunctionAnalysisManager &FAM;
  Diag &D;
  std::map<llvm::Function *, std::unique_ptr<PreparedUnit>> Prepareds;
  std::vector<std::pair<Request, llvm::Function *>> Gradients;
  struct Split {
    llvm::Function *Source;
    CallSignature S;
    bool Guarded = false;
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
  bool Guarded = false; // an exception may leave the function whose gradient is being made
  /// The gradients whose bodies are being made, from the one that a call asks for to the innermost split: how
  /// remarks say by which calls a split function is reached.
  struct Emitting {
    const llvm::Function *Frozen;
    const GradientName *Name;
  };
  std::vector<Emitting> Within;
  unsigned &Named;
};

} // namespace tapefree
