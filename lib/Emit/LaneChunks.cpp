#include "Emit/LaneChunks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/VectorUtils.h"
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
  void findGroups();
  bool mustEnd(const Group &G, const Instruction &I);
  void passBetweenGroups();
  bool stillHolds(const AllocaInst *Slot, const Instruction &Loaded, const Instruction &User) const;
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
  DenseMap<const Instruction *, AllocaInst *> PhiSlots; // what was a phi -> the memory that took its place
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
    return false;
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

/// Whether `Slot`, from which `Loaded` was read, has the same contents when control gets to `User`.
bool Chunker::stillHolds(const AllocaInst *Slot, const Instruction &Loaded, const Instruction &User) const {
  SmallPtrSet<BasicBlock *, 1> Head = {const_cast<BasicBlock *>(Loaded.getParent())};
  for (const llvm::User *U : Slot->users()) {
    auto *Store = dyn_cast<StoreInst>(U);
    if (!Store)
      continue;
    // Stores stand at the ends of their blocks, but a block may be cut between two of them: the next values
    // of two phis, of which one is the other's last.
    auto Theirs = GroupOf.find(&User), Stored = GroupOf.find(Store);
    if (User.getParent() == Store->getParent() && Theirs != GroupOf.end() &&
        (Stored == GroupOf.end() || Stored->second < Theirs->second))
      return false;
    for (const BasicBlock *Next : successors(Store->getParent()))
      if (Next != Loaded.getParent() && isPotentiallyReachable(Next, User.getParent(), &Head))
        return false;
  }
  return true;
}

/// What one group computes and another reads goes through memory: a store here, a load there, each part of
/// its group.
void Chunker::passBetweenGroups() {
  SmallVector<std::pair<Value *, Type *>, 32> Values;
  for (Argument &A : F.args())
    if (wide(A.getType()))
      Values.push_back({&A, A.getType()});
  for (Instruction &I : instructions(F))
    if (wide(I.getType()))
      Values.push_back({&I, I.getType()});
  for (auto [V, T] : Values) {
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
    if (Outside.empty())
      continue;
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
    bool Bits = T->getScalarType()->isIntegerTy(1);
    Type *Stored = Bits ? FixedVectorType::get(Type::getInt8Ty(F.getContext()), Width) : T;
    // What was a phi can be read again where it was, unless its next value may have been written meanwhile.
    AllocaInst *Phi = I ? PhiSlots.lookup(I) : nullptr;
    bool Again =
        Phi && all_of(Outside, [&](Use *U) { return stillHolds(Phi, *I, *cast<Instruction>(U->getUser())); });
    AllocaInst *Slot = Again ? Phi : slot(Stored);
    // The store stands behind the definition, in the same group.
    BasicBlock::iterator Behind =
        I ? std::next(I->getIterator()) : F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    IRBuilder<> B(Behind->getParent(), Behind);
    Value *Kept = Bits ? B.CreateZExt(V, Stored) : V;
    Instruction *Store = Again ? nullptr : B.CreateAlignedStore(Kept, Slot, Slot->getAlign());
    if (Store && Mine != GroupOf.end()) {
      size_t Index = Mine->second;
      auto &Members = Groups[Index].Members;
      auto At = std::next(find(Members, I));
      if (Bits) {
        At = std::next(Members.insert(At, cast<Instruction>(Kept)));
        GroupOf[cast<Instruction>(Kept)] = Index;
      }
      Members.insert(At, Store);
      GroupOf[Store] = Index;
    }
    DenseMap<size_t, Value *> Loaded;
    for (Use *U : Outside) {
      auto *User = cast<Instruction>(U->getUser());
      if (User == Store || User == Kept)
        continue; // Kept is V itself unless it is a bit
      auto Theirs = GroupOf.find(User);
      if (Theirs != GroupOf.end()) {
        if (Value *Known = Loaded.lookup(Theirs->second)) {
          U->set(Known);
          continue;
        }
      }
      Group *G = Theirs == GroupOf.end() ? nullptr : &Groups[Theirs->second];
      B.SetInsertPoint(G ? G->Members.front() : User);
      Instruction *Load = B.CreateAlignedLoad(Stored, Slot, Slot->getAlign());
      Instruction *Read = Bits ? cast<Instruction>(B.CreateTrunc(Load, T)) : Load;
      U->set(Read);
      if (!G) { // it must be read behind the loop that ends here
        if (auto Ends = EndOf.find(User); Ends != EndOf.end()) {
          size_t Ended = Ends->second;
          Groups[Ended].End = Load;
          EndOf.erase(User);
          EndOf[Load] = Ended;
        }
        continue;
      }
      size_t Index = Theirs->second;
      GroupOf[Load] = GroupOf[Read] = Index;
      Loaded[Index] = Read;
      if (Bits)
        G->Members.insert(G->Members.begin(), Read);
      G->Members.insert(G->Members.begin(), Load);
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
  if (Value *Scalar = Broadcasts.lookup(&I))
    return B.CreateVectorSplat(Lanes, Scalar);
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
  for (Instruction &I : instructions(F))
    if (isa<PHINode>(I) && wide(I.getType()) && !I.getType()->getScalarType()->isIntegerTy(1))
      Phis.push_back(cast<PHINode>(&I));
  for (PHINode *Phi : Phis)
    if (AllocaInst *Slot = DemotePHIToStack(Phi))
      for (User *U : Slot->users())
        if (isa<LoadInst>(U))
          PhiSlots[cast<Instruction>(U)] = Slot;
  for (Instruction &I : instructions(F))
    if (wide(I.getType()) && isSplat(&I))
      Broadcasts[&I] = cast<Instruction>(I.getOperand(0))->getOperand(1);
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
