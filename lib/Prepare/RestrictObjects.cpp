// Scopes of restrict members: of the objects that the function reads through its parameters.
//
// A member is in memory, which makes four things uncertain that are plain for a parameter. Two loads may read
// the same object (layer[i].W and layer[j].W): these are told apart by the names of members and by addresses,
// in any two iterations, or not at all. Its value may be read in another way (a copy of the struct): then
// what is loaded from memory may be based on it. A pointer based on it may be stored and loaded again:
// likewise. And the object may not be the function's to speak of: its scope is that of a parameter that leads
// to it.
#include "Prepare/Restrict.h"
#include "Rules/CallEffects.h"
#include "Rules/Lookup.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/ModRef.h"

using namespace llvm;

namespace tapefree {

// Beyond so many objects, and pairs of an object and a read, nothing is said.
static constexpr unsigned MaxObjects = 160;
static constexpr uint64_t MaxPairs = 1u << 17;

namespace {

/// The objects that one address expression denotes, in all iterations.
struct Object {
  StringRef Name;
  MemoryLocation Loc;
  SmallVector<LoadInst *, 4> Loads;
  MDNode *Scope = nullptr;
  bool OfParameter = true;
  bool Leaks = false; // a pointer based on it may be read from memory elsewhere
};

class ObjectScopes {
public:
  ObjectScopes(Function &F, AAResults &AA) : F(F), AnyIteration(AA) {
    AnyIteration.enableCrossIterationMode();
  }
  void run();

private:
  bool collect();
  void findLeaks();
  bool mayReadAndPassOn(const Instruction &I, unsigned K);
  bool surelyDifferent(unsigned A, unsigned B);
  const BitVector &notBasedOn(const Value *Root);
  void mark(Instruction &I);
  const Basis &basis(const Value *Ptr);

  Function &F;
  BatchAAResults AnyIteration;
  SmallVector<Object, 8> Objects;
  DenseMap<const Value *, unsigned> ObjectOf; // by load
  DenseMap<std::pair<unsigned, unsigned>, bool> Different;
  DenseMap<const Value *, BitVector> NotBased; // by root: the objects that it is surely not based on
  DenseMap<const Value *, Basis> Bases;
};

} // namespace

static bool passesOn(const Value *V) {
  return capturesAnyProvenance(PointerMayBeCaptured(V, /*ReturnCaptures=*/false,
                                                    CaptureComponents::Provenance, capturesAnyProvenance,
                                                    /*MaxUsesToExplore=*/10000));
}

/// Could these bits be those of a pointer, and be stored or become a pointer? Not if they only count and
/// index.
static bool integerPassesOn(const Instruction &From) {
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *, 8> Work = {&From};
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    if (Seen.size() > 256)
      return true;
    for (const User *U : V->users()) {
      if (isa<ICmpInst, BranchInst, SwitchInst, ReturnInst, GetElementPtrInst, SIToFPInst, UIToFPInst>(U))
        continue;
      if (isa<BinaryOperator, TruncInst, ZExtInst, SExtInst, PHINode, SelectInst, FreezeInst>(U) ||
          (isa<IntrinsicInst>(U) && cast<IntrinsicInst>(U)->doesNotAccessMemory()))
        Work.push_back(U);
      else if (!isa<IntrinsicInst>(U) || !cast<IntrinsicInst>(U)->isAssumeLikeIntrinsic())
        return true;
    }
  }
  return false;
}

/// Does a parameter lead there, by members and pointers?
static bool isReachedThroughParameter(const Value *Address) {
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *, 8> Work = {Address};
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    Basis B = basisOf(V);
    if (!B.Known || Seen.size() > 64)
      return false;
    for (const Value *Root : B.Roots) {
      if (const auto *Load = dyn_cast<LoadInst>(Root))
        Work.push_back(Load->getPointerOperand());
      else if (!isa<Argument>(Root))
        return false;
    }
  }
  return true;
}

/// Facts of other scopes hold only while these last; types hold always.
static MemoryLocation anyTime(const LoadInst &Load) {
  MemoryLocation Loc = MemoryLocation::get(&Load);
  Loc.AATags.Scope = Loc.AATags.NoAlias = nullptr;
  return Loc;
}

bool ObjectScopes::collect() {
  MapVector<std::pair<const Value *, StringRef>, Object> Found;
  for (Instruction &I : instructions(F))
    if (auto *Load = dyn_cast<LoadInst>(&I))
      if (CallInst *Mark = markCall(Load->getPointerOperand(), ObjectMark)) {
        const Value *Address = Mark->getArgOperand(0);
        Object &O = Found[{Address, objectName(*Mark)}];
        MemoryLocation Loc = anyTime(*Load).getWithNewPtr(Address);
        if (O.Loads.empty())
          O.Loc = Loc;
        else if (Loc.AATags != O.Loc.AATags)
          O.Loc.AATags = AAMDNodes();
        O.Name = objectName(*Mark);
        O.Loads.push_back(Load);
      }
  if (Found.empty() || Found.size() > MaxObjects)
    return false;
  MDBuilder Build(F.getContext());
  MDNode *Domain = Build.createAnonymousAliasScopeDomain("restrict members");
  bool Any = false;
  for (auto &[Key, O] : Found) {
    O.Scope = Build.createAnonymousAliasScope(Domain, O.Name);
    O.OfParameter = isReachedThroughParameter(O.Loc.Ptr);
    Any |= O.OfParameter;
    for (const LoadInst *Load : O.Loads)
      ObjectOf[Load] = Objects.size();
    Objects.push_back(std::move(O));
  }
  return Any;
}

bool ObjectScopes::surelyDifferent(unsigned A, unsigned B) {
  if (A == B)
    return false;
  auto [It, New] = Different.try_emplace({std::min(A, B), std::max(A, B)}, false);
  if (New) {
    const Object &X = Objects[A], &Y = Objects[B];
    It->second =
        (!X.Name.empty() && !Y.Name.empty() && X.Name != Y.Name) || AnyIteration.isNoAlias(X.Loc, Y.Loc);
  }
  return It->second;
}

/// Does it read the object in another way than as that object, and let the value go?
bool ObjectScopes::mayReadAndPassOn(const Instruction &I, unsigned K) {
  if (const auto *Load = dyn_cast<LoadInst>(&I)) {
    if (Load->getType()->isFPOrFPVectorTy())
      return false;
    auto Known = ObjectOf.find(Load);
    bool Apart = Known != ObjectOf.end() ? Known->second == K || surelyDifferent(Known->second, K)
                                         : AnyIteration.isNoAlias(anyTime(*Load), Objects[K].Loc);
    if (Apart)
      return false;
    if (Load->getType()->isPointerTy())
      return passesOn(Load);
    return !Load->getType()->isIntegerTy() || integerPassesOn(*Load);
  }
  return isRefSet(AnyIteration.getModRefInfo(&I, Objects[K].Loc));
}

/// What could read an object of the program at all.
static bool readsObjects(const Instruction &I) {
  if (!I.mayReadFromMemory())
    return false;
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return true;
  if (isa<IntrinsicInst>(Call) && cast<IntrinsicInst>(Call)->isAssumeLikeIntrinsic())
    return false;
  const Function *Callee = Call->getCalledFunction();
  if (Callee && !Callee->isDeclaration())
    return true;
  rules::CallKind Kind = rules::callEffect(*Call).Kind;
  return !rules::scalarRule(*Call) && Kind != rules::CallKind::Inactive &&
         Kind != rules::CallKind::Allocate && Kind != rules::CallKind::AllocateZeroed &&
         Kind != rules::CallKind::Free && Kind != rules::CallKind::NoReturn;
}

void ObjectScopes::findLeaks() {
  SmallVector<const Instruction *, 32> Readers;
  for (const Instruction &I : instructions(F))
    if (readsObjects(I))
      Readers.push_back(&I);
  bool TooMany = uint64_t(Readers.size()) * Objects.size() > MaxPairs;
  for (unsigned K = 0; K != Objects.size(); ++K) {
    Object &O = Objects[K];
    O.Leaks = TooMany || any_of(O.Loads, [](const LoadInst *Load) { return passesOn(Load); }) ||
              any_of(Readers, [&](const Instruction *I) { return mayReadAndPassOn(*I, K); });
  }
}

const BitVector &ObjectScopes::notBasedOn(const Value *Root) {
  auto [It, New] = NotBased.try_emplace(Root);
  if (!New)
    return It->second;
  BitVector Result(Objects.size(), isOwnRoot(Root));
  if (const auto *Load = dyn_cast<LoadInst>(Root)) {
    auto Known = ObjectOf.find(Load);
    for (unsigned K = 0; K != Objects.size(); ++K)
      Result[K] = !Objects[K].Leaks &&
                  (Known != ObjectOf.end() ? surelyDifferent(Known->second, K)
                                           : AnyIteration.isNoAlias(anyTime(*Load), Objects[K].Loc));
  }
  return NotBased[Root] = std::move(Result);
}

const Basis &ObjectScopes::basis(const Value *Ptr) {
  auto [It, New] = Bases.try_emplace(Ptr);
  if (New)
    It->second = basisOf(Ptr);
  return It->second;
}

void ObjectScopes::mark(Instruction &I) {
  SmallVector<const Value *, 2> Pointers = accessedPointers(I);
  if (Pointers.empty())
    return;
  BitVector BasedOn(Objects.size()), Not(Objects.size(), true);
  bool OnlyObjects = true;
  for (const Value *Ptr : Pointers) {
    const Basis &B = basis(Ptr);
    if (!B.Known)
      return;
    for (const Value *Root : B.Roots) {
      auto Known = ObjectOf.find(Root);
      if (Known != ObjectOf.end() && Objects[Known->second].OfParameter)
        BasedOn.set(Known->second);
      else
        OnlyObjects = false;
      Not &= notBasedOn(Root);
    }
  }
  SmallVector<Metadata *, 4> Scopes, NoAlias;
  for (unsigned K = 0; K != Objects.size(); ++K) {
    if (OnlyObjects && BasedOn.test(K))
      Scopes.push_back(Objects[K].Scope);
    if (Objects[K].OfParameter && Not.test(K))
      NoAlias.push_back(Objects[K].Scope);
  }
  addScopes(I, Scopes, NoAlias);
}

void ObjectScopes::run() {
  if (!collect())
    return;
  // Alias analysis sees the addresses themselves; the marks come back for the function that this one is
  // inlined into.
  SmallVector<std::pair<LoadInst *, Value *>, 16> Marks;
  for (const Object &O : Objects)
    for (LoadInst *Load : O.Loads) {
      Marks.push_back({Load, Load->getPointerOperand()});
      Load->setOperand(Load->getPointerOperandIndex(), const_cast<Value *>(O.Loc.Ptr));
    }
  findLeaks();
  for (Instruction &I : instructions(F))
    mark(I);
  SmallVector<Metadata *, 8> Scopes;
  for (const Object &O : Objects)
    if (O.OfParameter)
      Scopes.push_back(O.Scope);
  BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<>(&Entry, Entry.getFirstInsertionPt())
      .CreateNoAliasScopeDeclaration(MDNode::get(F.getContext(), Scopes));
  for (auto &[Load, Mark] : Marks)
    Load->setOperand(Load->getPointerOperandIndex(), Mark);
}

void scopeRestrictObjects(Function &F, FunctionAnalysisManager &FAM) {
  if (hasObjectMarks(F))
    ObjectScopes(F, FAM.getResult<AAManager>(F)).run();
}

} // namespace tapefree
