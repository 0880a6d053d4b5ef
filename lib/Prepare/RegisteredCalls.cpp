// What calls of registered functions do to memory. They stay calls, and would be taken to write anything that
// they can reach; but where the body is visible, it says what it reads and writes.
#include "Prepare/Prepare.h"
#include "Rules/CallEffects.h"
#include "Rules/Lookup.h"
#include "Rules/UserRules.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/IPO/FunctionAttrs.h"

using namespace llvm;

namespace tapefree {

/// Calls of the library that write nothing of the program's, and such as do not come back (also of
/// sanitizers).
static bool isHarmless(const CallBase &Call) {
  rules::CallKind K = rules::callEffect(Call).Kind;
  return K == rules::CallKind::Inactive || K == rules::CallKind::NoReturn;
}

/// Whether a body only reads through a pointer parameter, and keeps it nowhere.
static bool onlyReads(const Argument &A) {
  SmallVector<const Value *, 8> Work = {&A};
  SmallPtrSet<const Value *, 8> Seen = {&A};
  while (!Work.empty())
    for (const Use &U : Work.pop_back_val()->uses()) {
      auto *I = cast<Instruction>(U.getUser());
      if (isa<GetElementPtrInst, PHINode, SelectInst, FreezeInst, PtrToIntInst, BinaryOperator>(I)) {
        if (Seen.insert(I).second)
          Work.push_back(I);
        continue;
      }
      // As a number it only goes to the reports of sanitizers.
      if (auto *Call = dyn_cast<CallBase>(I); Call && U->getType()->isIntegerTy() && isHarmless(*Call))
        continue;
      if (auto *Size = dyn_cast<IntrinsicInst>(I); Size && Size->getIntrinsicID() == Intrinsic::objectsize)
        continue;
      if (isa<ICmpInst>(I) || (isa<LoadInst>(I) && cast<LoadInst>(I)->isSimple()))
        continue;
      if (auto *Copy = dyn_cast<MemTransferInst>(I); Copy && !Copy->isVolatile() && U.getOperandNo() == 1)
        continue;
      return false;
    }
  return true;
}

namespace {
struct CallFacts {
  MemoryEffects Effects = MemoryEffects::unknown();
  SmallVector<bool, 8> OnlyRead;
};
} // namespace

static CallFacts factsOf(Function &Callee, CheckedBodies Bodies, FunctionAnalysisManager &FAM) {
  CallFacts Out;
  Function *F = inlineVisibleCalls(Callee, Bodies, FAM);
  for (Instruction &I : instructions(*F))
    if (auto *Call = dyn_cast<CallBase>(&I)) {
      if (rules::scalarRule(*Call))
        Call->setDoesNotAccessMemory();
      else if (isHarmless(*Call))
        Call->setMemoryEffects(Call->getMemoryEffects() &
                               (MemoryEffects::readOnly() | MemoryEffects::inaccessibleMemOnly()));
    }
  FAM.invalidate(*F, PreservedAnalyses::none());
  Out.Effects = computeFunctionBodyMemoryAccess(*F, FAM.getResult<AAManager>(*F));
  for (const Argument &A : F->args())
    Out.OnlyRead.push_back(A.getType()->isPointerTy() && onlyReads(A));
  FAM.clear(*F, F->getName());
  F->eraseFromParent();
  return Out;
}

void describeRegisteredCalls(Function &F, CheckedBodies Bodies, FunctionAnalysisManager &FAM) {
  DenseMap<Function *, CallFacts> Known;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee || Callee->isDeclaration() || Callee->isVarArg() ||
        (!rules::userRule(*Callee) && !Callee->hasFnAttribute(rules::InactiveMark)))
      continue;
    auto [It, New] = Known.try_emplace(Callee);
    if (New) {
      CallFacts Facts = factsOf(*Callee, Bodies, FAM);
      It = Known.insert_or_assign(Callee, std::move(Facts)).first;
    }
    Call->setMemoryEffects(Call->getMemoryEffects() & It->second.Effects);
    for (unsigned K = 0; K < Call->arg_size(); ++K)
      if (It->second.OnlyRead[K])
        Call->addParamAttr(K, Attribute::ReadOnly);
  }
}

} // namespace tapefree
