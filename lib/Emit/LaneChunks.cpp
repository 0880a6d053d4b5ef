#include "Emit/LaneChunks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace tapefree {

// Groups are not made longer than this many memory accesses: each is compared with those that it is moved
// past.
static constexpr unsigned MostAccesses = 48;

// Lanes that are handled at once: a register of 256 bits for doubles, the widest that compilers use unasked.
static constexpr unsigned ChunkLanes = 4;

namespace {
/// Instructions of one block that run for a chunk of lanes together, in the loop that is put before `End`.
struct Group {
  SmallVector<Instruction *, 16> Members;
  Instruction *End = nullptr;
};

class Chunker {
public:
  Chunker(Function &F, unsigned Width, AAResults &AA) : F(F), Width(Width), AA(AA), DL(F.getDataLayout()) {}
  void run();

private:
  bool wide(const Type *T) const;
  bool chunkable(const Instruction &I) const;
  bool operandsAreLanes(const Instruction &I) const;
  void spreadScalars();
  Value *firstLane(Value *V);
  void selectLanes();
  SmallVector<AllocaInst *, 16> demote(ArrayRef<PHINode *> Phis);
  void storeEarly(AllocaInst &Slot);
  void findGroups();
  bool mustEnd(const Group &G, const Instruction &I);
  void passBetweenGroups();
  bool holds(Instruction &Access, Instruction &At, const Group *G, MemorySSA &Memory);
  Instruction *accessFor(Value *V, Instruction &User, MemorySSA &Memory);
  Instruction *readAgain(Value *V, Instruction &User, MemorySSA &Memory);
  bool computeThere(Value *V, ArrayRef<Use *> Outside, MemorySSA &Memory, const LoopInfo &Loops);
  Instruction *load(Type *T, Value *Pointer, Align A, Instruction &User);
  AllocaInst *keep(Value *V);
  void joinBehind(Instruction &New, Instruction &Old);
  Type *stored(Type *T) const;
  AllocaInst *slot(Type *T);
  void emit(Group &G);
  Value *chunk(IRBuilder<> &B, Instruction &I, Value *First, unsigned Lanes, ValueToValueMapTy &Map);
  Value *operand(Value *V, unsigned Lanes, ValueToValueMapTy &Map);
  Type *narrow(Type *T, unsigned Lanes) const { return FixedVectorType::get(T->getScalarType(), Lanes); }

  Function &F;
  unsigned Width;
  AAResults &AA;
  const DataLayout &DL;
  std::vector<Group> Groups;
  DenseMap<const Instruction *, size_t> GroupOf, EndOf;
  DenseMap<const Instruction *, Value *>
      Broadcasts; // shuffles that put a scalar into every lane -> the scalar
};
} // namespace

bool Chunker::wide(const Type *T) const {
  auto *V = dyn_cast<FixedVectorType>(T);
  if (!V || V->getNumElements() != Width)
    return false;
  Type *E = V->getElementType(); // an x86_fp80 has other distances in memory than in a vector
  return E->isIntegerTy(1) || DL.getTypeAllocSizeInBits(E) == DL.getTypeSizeInBits(E);
}

static bool isSplat(const Value *V) {
  return match(V, m_Shuffle(m_InsertElt(m_Undef(), m_Value(), m_ZeroInt()), m_Undef(), m_ZeroMask()));
}

/// Every vector operand has the batch's width, and constants are the same in every lane.
bool Chunker::operandsAreLanes(const Instruction &I) const {
  return all_of(I.operands(), [&](const Use &U) {
    if (!U->getType()->isVectorTy())
      return true;
    if (!wide(U->getType()))
      return false;
    auto *C = dyn_cast<Constant>(U.get());
    return !C || isa<UndefValue>(C) || C->getSplatValue();
  });
}

bool Chunker::chunkable(const Instruction &I) const {
  if (isSplat(&I))
    return wide(I.getType());
  if (isa<StoreInst>(I))
    return wide(I.getOperand(0)->getType()) && !cast<StoreInst>(I).isVolatile() && operandsAreLanes(I) &&
           !I.getOperand(0)->getType()->getScalarType()->isIntegerTy(1);
  if (auto *Call = dyn_cast<IntrinsicInst>(&I)) {
    if (Call->getIntrinsicID() == Intrinsic::masked_gather)
      return wide(I.getType()) && match(Call->getArgOperand(1), m_AllOnes()) && operandsAreLanes(I);
    if (Call->getIntrinsicID() == Intrinsic::masked_scatter)
      return wide(Call->getArgOperand(0)->getType()) && match(Call->getArgOperand(2), m_AllOnes()) &&
             operandsAreLanes(I);
    return Call->getIntrinsicID() == Intrinsic::fmuladd && wide(I.getType()) && operandsAreLanes(I);
  }
  if (!wide(I.getType()) || !operandsAreLanes(I))
    return false;
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return !Load->isVolatile() && !I.getType()->getScalarType()->isIntegerTy(1);
  return isa<BinaryOperator, UnaryOperator, CmpInst, SelectInst, CastInst, FreezeInst, GetElementPtrInst>(I);
}

/// Whether the group's loop has to stand before `I`: `I` reads what it computes, or memory that it accesses.
bool Chunker::mustEnd(const Group &G, const Instruction &I) {
  if (I.isTerminator() ||
      any_of(I.operands(), [&](const Use &U) { return is_contained(G.Members, U.get()); }))
    return true;
  if (isa<DbgInfoIntrinsic, LifetimeIntrinsic>(I) || !I.mayReadOrWriteMemory())
    return false;
  return any_of(G.Members, [&](Instruction *Member) {
    if (!Member->mayReadOrWriteMemory() || (!I.mayWriteToMemory() && !Member->mayWriteToMemory()))
      return false;
    std::optional<MemoryLocation> Where = MemoryLocation::getOrNone(&I);
    return !Where || isModOrRefSet(AA.getModRefInfo(Member, Where));
  });
}

/// What stands in the first lane of `V`, if it can be computed without the others: `V` is made by operations
/// on vectors of which only that lane is known. Null else.
Value *Chunker::firstLane(Value *V) {
  Value *Scalar;
  if (match(V, m_InsertElt(m_Undef(), m_Value(Scalar), m_ZeroInt())))
    return Scalar;
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return isa<Constant>(V) ? cast<Constant>(V)->getSplatValue() : nullptr;
  if (!isa<UnaryOperator, BinaryOperator, CastInst>(I) || !I->hasOneUse())
    return nullptr;
  SmallVector<Value *, 2> Operands;
  for (Value *Operand : I->operands())
    if (Value *First = firstLane(Operand))
      Operands.push_back(First);
    else
      return nullptr;
  Instruction *New = I->clone();
  for (auto [K, Operand] : enumerate(Operands))
    New->setOperand(unsigned(K), Operand);
  New->mutateType(I->getType()->getScalarType());
  New->insertBefore(I->getIterator());
  return New;
}

/// Instcombine turns an operation on equal lanes into one on a vector with a single lane, which is spread
/// afterwards. A scalar is spread instead: vectors of single lanes do not belong into loops over lanes.
void Chunker::spreadScalars() {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I);
    if (!Shuffle || !wide(I.getType()) || isSplat(&I) ||
        !match(Shuffle, m_Shuffle(m_Value(), m_Undef(), m_ZeroMask())))
      continue;
    if (Value *Scalar = firstLane(Shuffle->getOperand(0))) {
      Value *Splat = IRBuilder<>(Shuffle).CreateVectorSplat(Width, Scalar);
      Shuffle->replaceAllUsesWith(Splat);
      Shuffle->eraseFromParent();
    }
  }
}

/// Lanes that come from both sides of a condition without being computed there are selected: no memory is
/// needed.
void Chunker::selectLanes() {
  for (BasicBlock &Block : F) {
    BasicBlock *IfTrue, *IfFalse;
    BranchInst *Branch = GetIfCondition(&Block, IfTrue, IfFalse);
    if (!Branch)
      continue;
    auto FromAbove = [&](const Value *V) {
      auto *I = dyn_cast<Instruction>(V);
      return !I ||
             (I->getParent() != &Block && none_of(ArrayRef{IfTrue, IfFalse}, [&](const BasicBlock *Arm) {
                return Arm != Branch->getParent() && I->getParent() == Arm;
              }));
    };
    for (PHINode &Phi : make_early_inc_range(Block.phis())) {
      if (!wide(Phi.getType()) || !all_of(Phi.incoming_values(), FromAbove))
        continue;
      Value *Select = IRBuilder<>(&Block, Block.getFirstInsertionPt())
                          .CreateSelect(Branch->getCondition(), Phi.getIncomingValueForBlock(IfTrue),
                                        Phi.getIncomingValueForBlock(IfFalse));
      Phi.replaceAllUsesWith(Select);
      Phi.eraseFromParent();
    }
  }
}

/// Memory for lanes that differ with the way into a block. Phis of the same values from the same blocks, as a
/// loop's sum at its header and behind the loop where it is tested at its end, share theirs: each stands for
/// what was stored last before its block is entered, and whatever is stored for one is stored for the other.
SmallVector<AllocaInst *, 16> Chunker::demote(ArrayRef<PHINode *> Phis) {
  SmallVector<AllocaInst *, 16> Slots;
  SmallVector<std::pair<PHINode *, SmallVector<PHINode *, 1>>, 16> Alike;
  for (PHINode *Phi : Phis) {
    auto Same = find_if(Alike, [&](const auto &Class) {
      return Class.first->getType() == Phi->getType() &&
             Class.first->getNumIncomingValues() == Phi->getNumIncomingValues() &&
             all_of(Phi->blocks(), [&](const BasicBlock *From) {
               return Class.first->getBasicBlockIndex(From) >= 0 &&
                      Class.first->getIncomingValueForBlock(From) == Phi->getIncomingValueForBlock(From);
             });
    });
    if (Same == Alike.end())
      Alike.push_back({Phi, {}});
    else
      Same->second.push_back(Phi);
  }
  for (auto &[First, Others] : Alike) {
    AllocaInst *Slot = DemotePHIToStack(First);
    for (PHINode *Other : Others) {
      AllocaInst *Twin = DemotePHIToStack(Other);
      if (!Slot || !Twin) { // one without uses needs no memory
        Slot = Slot ? Slot : Twin;
        continue;
      }
      for (User *U : make_early_inc_range(Twin->users()))
        if (isa<StoreInst>(U))
          cast<Instruction>(U)->eraseFromParent();
      Twin->replaceAllUsesWith(Slot);
      Twin->eraseFromParent();
    }
    if (Slot)
      Slots.push_back(Slot);
  }
  return Slots;
}

/// The next value of what was a phi goes to its memory where it is computed instead of at the end of the
/// block, if nothing reads the last one in between: one copy less.
void Chunker::storeEarly(AllocaInst &Slot) {
  for (User *U : make_early_inc_range(Slot.users())) {
    auto *Store = dyn_cast<StoreInst>(U);
    auto *V = Store ? dyn_cast<Instruction>(Store->getValueOperand()) : nullptr;
    if (!V || V->getParent() != Store->getParent() || !chunkable(*V) || Broadcasts.contains(V))
      continue;
    auto Before = [&](Instruction *Other) {
      return Other->getParent() != V->getParent() || Other == V || Other->comesBefore(V);
    };
    bool Free = all_of(Slot.users(), [&](User *Reader) {
      auto *Load = dyn_cast<LoadInst>(Reader);
      return !Load ||
             (Before(Load) && all_of(Load->users(), [&](User *Of) { return Before(cast<Instruction>(Of)); }));
    });
    if (Free)
      Store->moveAfter(V);
  }
}

void Chunker::findGroups() {
  for (BasicBlock &Block : F) {
    Group Now;
    unsigned Accesses = 0;
    auto Finish = [&](Instruction &At) {
      if (!Now.Members.empty()) {
        Now.End = &At;
        EndOf[&At] = Groups.size();
        for (Instruction *I : Now.Members)
          GroupOf[I] = Groups.size();
        Groups.push_back(std::move(Now));
      }
      Now = Group();
      Accesses = 0;
    };
    for (Instruction &I : Block) {
      if (isa<PHINode>(I))
        continue;
      if (chunkable(I)) {
        if (I.mayReadOrWriteMemory() && ++Accesses > MostAccesses)
          Finish(I);
        Now.Members.push_back(&I);
      } else if (!Now.Members.empty() && mustEnd(Now, I)) {
        Finish(I);
      }
    }
  }
}

AllocaInst *Chunker::slot(Type *T) {
  auto *A = new AllocaInst(ArrayType::get(T->getScalarType(), Width), DL.getAllocaAddrSpace(), nullptr,
                           Align(64), "tapefree.lanes", F.getEntryBlock().begin());
  return A;
}

/// The state of memory when control gets to `At`.
static MemoryAccess *stateBefore(Instruction &At, MemorySSA &Memory) {
  for (Instruction *I = At.getPrevNode(); I; I = I->getPrevNode())
    if (auto *Def = dyn_cast_or_null<MemoryDef>(Memory.getMemoryAccess(I)))
      return Def;
  BasicBlock *Block = At.getParent();
  if (MemoryPhi *Phi = Memory.getMemoryAccess(Block))
    return Phi;
  for (auto *Node = Memory.getDomTree().getNode(Block)->getIDom(); Node; Node = Node->getIDom())
    if (const MemorySSA::DefsList *Defs = Memory.getBlockDefs(Node->getBlock()))
      return const_cast<MemoryAccess *>(&*Defs->rbegin());
  return Memory.getLiveOnEntryDef();
}

/// Whether the memory that `Access` loads or stores has the same contents at `At`, the first member of `G` or
/// in no group.
bool Chunker::holds(Instruction &Access, Instruction &At, const Group *G, MemorySSA &Memory) {
  MemoryLocation Where = MemoryLocation::get(&Access);
  MemorySSAWalker &Walker = *Memory.getWalker();
  MemoryAccess *Written =
      isa<StoreInst>(Access) ? Memory.getMemoryAccess(&Access) : Walker.getClobberingMemoryAccess(&Access);
  if (Walker.getClobberingMemoryAccess(stateBefore(At, Memory), Where) != Written)
    return false;
  // The loop stands at the group's end, behind what is between its members.
  return !G || none_of(make_range(At.getIterator(), G->End->getIterator()), [&](Instruction &I) {
    return I.mayWriteToMemory() && !GroupOf.contains(&I) && isModSet(AA.getModRefInfo(&I, Where));
  });
}

/// A load for `User`: in its group, or before it.
Instruction *Chunker::load(Type *T, Value *Pointer, Align A, Instruction &User) {
  auto Theirs = GroupOf.find(&User);
  Group *G = Theirs == GroupOf.end() ? nullptr : &Groups[Theirs->second];
  Instruction *Load = IRBuilder<>(G ? G->Members.front() : &User).CreateAlignedLoad(T, Pointer, A);
  if (G) {
    G->Members.insert(G->Members.begin(), Load);
    GroupOf[Load] = Theirs->second;
  } else if (auto Ends = EndOf.find(&User); Ends != EndOf.end()) { // behind the loop that ends here
    size_t Ended = Ends->second;
    Groups[Ended].End = Load;
    EndOf.erase(Ends);
    EndOf[Load] = Ended;
  }
  return Load;
}

/// The load or store of `V` whose memory still holds it for `User` and all of its group. Null if there is
/// none.
Instruction *Chunker::accessFor(Value *V, Instruction &User, MemorySSA &Memory) {
  auto Theirs = GroupOf.find(&User);
  const Group *G = Theirs == GroupOf.end() ? nullptr : &Groups[Theirs->second];
  Instruction &At = G ? *G->Members.front() : User;
  auto Usable = [&](Instruction &Access) {
    if (&Access == &User || !Memory.getMemoryAccess(&Access))
      return false;
    auto Its = GroupOf.find(&Access);
    Instruction *End = Its == GroupOf.end() ? &Access : Groups[Its->second].End;
    bool Late = !G && End->getParent() == At.getParent() && At.comesBefore(End);
    return !Late && holds(Access, At, G, Memory);
  };
  SmallVector<Instruction *, 4> Accesses;
  if (auto *Load = dyn_cast<LoadInst>(V); Load && Load->isSimple())
    Accesses.push_back(Load);
  for (llvm::User *U : V->users())
    if (auto *Store = dyn_cast<StoreInst>(U); Store && Store->getValueOperand() == V && Store->isSimple())
      Accesses.push_back(Store);
  auto Found = find_if(Accesses, [&](Instruction *Access) { return Usable(*Access); });
  return Found == Accesses.end() ? nullptr : *Found;
}

/// `V` for `User` and all of its group, from where it lies in memory anyway. Null if it does not.
Instruction *Chunker::readAgain(Value *V, Instruction &User, MemorySSA &Memory) {
  Instruction *Access = accessFor(V, User, Memory);
  if (!Access)
    return nullptr;
  Instruction *Read =
      load(V->getType(), getLoadStorePointerOperand(Access), getLoadStoreAlignment(Access), User);
  Read->copyMetadata(*Access, {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
  return Read;
}

/// Computes `V` in the groups that use it instead of in its own, which does not: one operation on what lies
/// in memory costs less than a store and loads of its result. False if that is not so.
bool Chunker::computeThere(Value *V, ArrayRef<Use *> Outside, MemorySSA &Memory, const LoopInfo &Loops) {
  auto *I = dyn_cast<BinaryOperator>(V);
  if (!I || Outside.empty() || !V->hasNUses(unsigned(Outside.size())))
    return false;
  MapVector<size_t, SmallVector<Use *, 4>> ByGroup;
  for (Use *U : Outside) {
    auto *User = cast<Instruction>(U->getUser());
    auto Theirs = GroupOf.find(User);
    if (Theirs == GroupOf.end() || Loops.getLoopFor(User->getParent()) != Loops.getLoopFor(I->getParent()) ||
        !all_of(I->operands(), [&](Value *X) { return isa<LoadInst>(X) && accessFor(X, *User, Memory); }))
      return false;
    ByGroup[Theirs->second].push_back(U);
  }
  if (ByGroup.size() > 2)
    return false;
  for (auto &[Index, Uses] : ByGroup) {
    auto *User = cast<Instruction>(Uses.front()->getUser());
    Instruction *Again = I->clone();
    Instruction *Last = nullptr; // loads are put in front of each other
    for (Use &X : Again->operands()) {
      Instruction *Read = readAgain(X, *User, Memory);
      Last = Last ? Last : Read;
      X.set(Read);
    }
    Again->insertAfter(Last->getIterator());
    joinBehind(*Again, *Last);
    for (Use *U : Uses)
      U->set(Again);
  }
  return true;
}

/// Makes `New`, which stands behind `Old`, a member of the same group, if any.
void Chunker::joinBehind(Instruction &New, Instruction &Old) {
  auto Its = GroupOf.find(&Old);
  if (Its == GroupOf.end())
    return;
  size_t Index = Its->second;
  auto &Members = Groups[Index].Members;
  Members.insert(std::next(find(Members, &Old)), &New);
  GroupOf[&New] = Index;
}

/// The type that lanes of type `T` have in memory: bits are stored as bytes.
Type *Chunker::stored(Type *T) const {
  return T->getScalarType()->isIntegerTy(1) ? FixedVectorType::get(Type::getInt8Ty(T->getContext()), Width)
                                            : T;
}

/// New memory for `V`, stored right behind its definition, in the same group.
AllocaInst *Chunker::keep(Value *V) {
  Type *T = stored(V->getType());
  AllocaInst *Slot = slot(T);
  auto *I = dyn_cast<Instruction>(V);
  BasicBlock::iterator Behind =
      I ? std::next(I->getIterator()) : F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  IRBuilder<> B(Behind->getParent(), Behind);
  Value *Kept = T != V->getType() ? B.CreateZExt(V, T) : V;
  Instruction *Store = B.CreateAlignedStore(Kept, Slot, Slot->getAlign());
  if (I && Kept != V)
    joinBehind(*cast<Instruction>(Kept), *I);
  if (I)
    joinBehind(*Store, *cast<Instruction>(Kept));
  return Slot;
}

/// What one group computes and another reads goes through memory: a store here, a load there, each part of
/// its group. What lies in memory anyway is read from there.
void Chunker::passBetweenGroups() {
  DominatorTree DT(F);
  MemorySSA Memory(F, &AA, &DT);
  LoopInfo Loops(DT);
  SmallVector<Value *, 32> Values;
  for (Argument &A : F.args())
    if (wide(A.getType()))
      Values.push_back(&A);
  for (Instruction &I : instructions(F))
    if (wide(I.getType()))
      Values.push_back(&I);
  for (Value *V : Values) {
    auto *I = dyn_cast<Instruction>(V);
    auto Mine = I ? GroupOf.find(I) : GroupOf.end();
    auto InMine = [&](Instruction *User) {
      auto Theirs = GroupOf.find(User);
      return Mine == GroupOf.end() ? Theirs == GroupOf.end()
                                   : Theirs != GroupOf.end() && Theirs->second == Mine->second;
    };
    SmallVector<Use *, 8> Outside;
    for (Use &U : V->uses()) // the first half of a broadcast is not read: the scalar is
      if (auto *User = cast<Instruction>(U.getUser()); !InMine(User) && !Broadcasts.contains(User))
        Outside.push_back(&U);
    // Broadcasts of scalars are made again where they are needed.
    if (I && Broadcasts.contains(I)) {
      for (Use *U : Outside) {
        auto *User = cast<Instruction>(U->getUser());
        auto Theirs = GroupOf.find(User);
        auto *Again = cast<Instruction>(I->clone());
        Again->insertBefore(User->getIterator());
        Broadcasts[Again] = Broadcasts.lookup(I);
        U->set(Again);
        if (Theirs == GroupOf.end())
          continue;
        size_t Index = Theirs->second;
        GroupOf[Again] = Index;
        Groups[Index].Members.insert(find(Groups[Index].Members, User), Again);
      }
      continue;
    }
    if (computeThere(V, Outside, Memory, Loops))
      continue;
    AllocaInst *Slot = nullptr;
    DenseMap<size_t, Value *> Loaded; // by group
    for (Use *U : Outside) {
      auto *User = cast<Instruction>(U->getUser());
      auto Theirs = GroupOf.find(User);
      if (Value *Known = Theirs == GroupOf.end() ? nullptr : Loaded.lookup(Theirs->second)) {
        U->set(Known);
        continue;
      }
      Instruction *Read = readAgain(V, *User, Memory);
      if (!Read) {
        if (!Slot)
          Slot = keep(V);
        Read = load(stored(V->getType()), Slot, Slot->getAlign(), *User);
        if (Instruction *Bytes = Read; Bytes->getType() != V->getType()) {
          Read = cast<Instruction>(IRBuilder<>(Bytes->getNextNode()).CreateTrunc(Bytes, V->getType()));
          joinBehind(*Read, *Bytes);
        }
      }
      U->set(Read);
      if (auto Its = GroupOf.find(User); Its != GroupOf.end())
        Loaded[Its->second] = Read;
    }
  }
}

Value *Chunker::operand(Value *V, unsigned Lanes, ValueToValueMapTy &Map) {
  if (!V->getType()->isVectorTy())
    return V;
  if (Value *Known = Map.lookup(V))
    return Known;
  auto *C = cast<Constant>(V);
  Type *T = narrow(V->getType(), Lanes);
  if (isa<PoisonValue>(C))
    return PoisonValue::get(T);
  if (isa<UndefValue>(C))
    return UndefValue::get(T);
  return ConstantVector::getSplat(ElementCount::getFixed(Lanes), C->getSplatValue());
}

Value *Chunker::chunk(IRBuilder<> &B, Instruction &I, Value *First, unsigned Lanes, ValueToValueMapTy &Map) {
  B.SetCurrentDebugLocation(I.getDebugLoc());
  auto Of = [&](unsigned K) { return operand(I.getOperand(K), Lanes, Map); };
  auto Finish = [&](Value *V) {
    if (auto *New = dyn_cast<Instruction>(V)) {
      New->copyMetadata(I);
      New->copyIRFlags(&I);
    }
    return V;
  };
  if (Value *Scalar = Broadcasts.lookup(&I)) {
    // A sign costs nothing in a sum of products; a second register with the same number in all lanes does.
    if (Value *Negated; match(Scalar, m_FNeg(m_Value(Negated))))
      return B.CreateFNeg(B.CreateVectorSplat(Lanes, Negated));
    return B.CreateVectorSplat(Lanes, Scalar);
  }
  if (isa<LoadInst, StoreInst>(I)) {
    Value *Pointer = getLoadStorePointerOperand(&I);
    Type *T = narrow(getLoadStoreType(&I), Lanes);
    uint64_t Size = DL.getTypeAllocSize(T->getScalarType());
    Value *At = B.CreateInBoundsGEP(T->getScalarType(), Pointer, First);
    Align A = commonAlignment(getLoadStoreAlignment(&I), Size * ChunkLanes);
    if (isa<LoadInst>(I))
      return Finish(B.CreateAlignedLoad(T, At, A));
    return Finish(B.CreateAlignedStore(Of(0), At, A));
  }
  if (auto *Call = dyn_cast<IntrinsicInst>(&I)) {
    if (Call->getIntrinsicID() == Intrinsic::masked_gather) {
      Value *V = B.CreateMaskedGather(narrow(I.getType(), Lanes), Of(0), Call->getParamAlign(0).valueOrOne());
      cast<Instruction>(V)->copyMetadata(I);
      return V;
    }
    if (Call->getIntrinsicID() == Intrinsic::fmuladd)
      return Finish(
          B.CreateIntrinsic(Intrinsic::fmuladd, {narrow(I.getType(), Lanes)}, {Of(0), Of(1), Of(2)}));
    Instruction *V = B.CreateMaskedScatter(Of(0), Of(1), Call->getParamAlign(1).valueOrOne());
    V->copyMetadata(I);
    return V;
  }
  if (auto *Cast = dyn_cast<CastInst>(&I))
    return Finish(B.CreateCast(Cast->getOpcode(), Of(0), narrow(I.getType(), Lanes)));
  if (auto *G = dyn_cast<GetElementPtrInst>(&I)) {
    SmallVector<Value *, 4> Indices;
    for (unsigned K = 1; K < I.getNumOperands(); ++K)
      Indices.push_back(Of(K));
    Value *Base = Of(0);
    bool Vector =
        Base->getType()->isVectorTy() || any_of(Indices, [](Value *V) { return V->getType()->isVectorTy(); });
    if (!Vector)
      Base = B.CreateVectorSplat(Lanes, Base);
    return Finish(B.CreateGEP(G->getSourceElementType(), Base, Indices, "", G->getNoWrapFlags()));
  }
  Instruction *New = I.clone();
  for (unsigned K = 0; K < I.getNumOperands(); ++K)
    New->setOperand(K, Of(K));
  New->mutateType(narrow(I.getType(), Lanes));
  return B.Insert(New);
}

/// The loop over chunks, and the lanes that are left.
void Chunker::emit(Group &G) {
  LLVMContext &C = F.getContext();
  BasicBlock *Before = G.End->getParent();
  BasicBlock *After = SplitBlock(Before, G.End->getIterator());
  BasicBlock *Body = BasicBlock::Create(C, "tapefree.chunk", &F, After);
  Before->getTerminator()->eraseFromParent();
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(G.Members.front()->getDebugLoc());
  B.CreateBr(Body);
  B.SetInsertPoint(Body);
  PHINode *First = B.CreatePHI(B.getInt64Ty(), 2, "tapefree.lane");
  ValueToValueMapTy Map;
  for (Instruction *I : G.Members)
    Map[I] = chunk(B, *I, First, ChunkLanes, Map);
  B.SetCurrentDebugLocation(G.Members.front()->getDebugLoc());
  uint64_t Whole = Width / ChunkLanes * ChunkLanes;
  Value *Next = B.CreateAdd(First, B.getInt64(ChunkLanes), "", /*HasNUW=*/true);
  First->addIncoming(B.getInt64(0), Before);
  First->addIncoming(Next, Body);
  BranchInst *Back = B.CreateCondBr(B.CreateICmpULT(Next, B.getInt64(Whole)), Body, After);
  MDNode *Keep =
      MDNode::get(C, MDString::get(C, "llvm.loop.unroll.disable")); // else the code would grow again
  MDNode *ID = MDNode::getDistinct(C, {nullptr, Keep});
  ID->replaceOperandWith(0, ID);
  Back->setMetadata(LLVMContext::MD_loop, ID);
  if (Whole != Width) {
    B.SetInsertPoint(&*After->begin());
    ValueToValueMapTy Rest;
    for (Instruction *I : G.Members)
      Rest[I] = chunk(B, *I, B.getInt64(Whole), unsigned(Width - Whole), Rest);
  }
  for (Instruction *I : reverse(G.Members)) {
    if (!I->use_empty())
      I->replaceAllUsesWith(PoisonValue::get(I->getType())); // only by members that go as well
    I->eraseFromParent();
  }
}

void Chunker::run() {
  SmallVector<PHINode *, 16> Phis;
  SmallVector<AllocaInst *, 16> Slots;
  for (BasicBlock &Block : F)
    if (Block.getSinglePredecessor())
      FoldSingleEntryPHINodes(&Block);
  spreadScalars();
  selectLanes();
  for (Instruction &I : instructions(F))
    if (isa<PHINode>(I) && wide(I.getType()) && !I.getType()->getScalarType()->isIntegerTy(1))
      Phis.push_back(cast<PHINode>(&I));
  Slots = demote(Phis);
  for (Instruction &I : instructions(F))
    if (wide(I.getType()) && isSplat(&I))
      Broadcasts[&I] = cast<Instruction>(I.getOperand(0))->getOperand(1);
  for (AllocaInst *Slot : Slots)
    storeEarly(*Slot);
  findGroups();
  passBetweenGroups();
  for (Group &G : Groups)
    emit(G);
}

void chunkLanes(Function &F, unsigned Width, AAResults &AA) {
  if (Width > StraightLanes)
    Chunker(F, Width, AA).run();
}

} // namespace tapefree
