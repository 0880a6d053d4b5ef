#include "Emit/Tangent.h"
#include "Emit/MemoryHelpers.h"
#include "Emit/TangentBuilder.h"
#include "Emit/Unwinding.h"
#include "Rules/FormulaEmit.h"
#include "Rules/Lookup.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace tapefree {

TangentSignature callTangentSignature(const Function &Callee, const CallSignature &S) {
  TangentSignature T;
  T.Args = S.Args;
  T.ReturnPrimal = !Callee.getReturnType()->isVoidTy();
  T.ReturnTangent = S.ReturnActive || holdsPointer(Callee.getReturnType());
  T.Lanes = S.Lanes;
  return T;
}

Function *declareTangent(Function &Source, const TangentSignature &S, const Twine &Name) {
  SmallVector<Type *, 16> Params;
  for (const Argument &A : Source.args())
    for (bool Shadow : {false, true})
      if (!Shadow)
        Params.push_back(A.getType());
      else if (S.Args[A.getArgNo()] != ArgActivity::Const)
        Params.push_back(differentialType(A.getType(), S.Lanes.arg(A.getArgNo()), S.Lanes.Width));
  SmallVector<Type *, 2> Results;
  if (S.ReturnPrimal)
    Results.push_back(Source.getReturnType());
  if (S.ReturnTangent)
    Results.push_back(differentialType(Source.getReturnType(), S.Lanes.inMemory(), S.Lanes.Width));
  LLVMContext &C = Source.getContext();
  Type *Result = Results.empty() ? Type::getVoidTy(C) : static_cast<Type *>(StructType::get(C, Results));
  return Function::Create(FunctionType::get(Result, Params, false), GlobalValue::InternalLinkage, Name,
                          Source.getParent());
}

bool emitTangent(Function &Into, const TangentFacts &F, const TangentSignature &S, TangentProvider Callee,
                 Diag &D) {
  if (TangentBuilder(Into, F, S, Callee, D).run())
    return true;
  Into.deleteBody();
  return false;
}

void TangentBuilder::cloneInto() {
  unsigned Next = 0;
  for (Argument &A : F.P.F->args()) {
    Map[&A] = G.getArg(Next++);
    G.getArg(Next - 1)->setName(A.getName());
    if (S.Args[A.getArgNo()] == ArgActivity::Const)
      continue;
    Tangents[&A] = G.getArg(Next++);
    G.getArg(Next - 1)->setName(A.getName() + ".tangent");
  }
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(&G, F.P.F, Map, CloneFunctionChangeType::LocalChangesOnly, Returns);
  dropPrimalPromises(G);
  dropUnwindBundles(G);
}

/// An argument passed by value is the callee's own: the tangent function gets its address, so it makes the
/// copy itself.
void TangentBuilder::ownByValueArguments() {
  IRBuilder<> B(&*G.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  const DataLayout &DL = G.getDataLayout();
  for (Argument &A : F.P.F->args()) {
    Type *T = A.getParamByValType();
    if (!T)
      continue;
    for (bool Shadow : {false, true}) {
      Value *Given = Shadow ? Tangents.lookup(&A) : static_cast<Value *>(Map[&A]);
      if (!Given)
        continue;
      Align Alignment = A.getParamAlign().value_or(DL.getABITypeAlign(T));
      uint64_t Bytes = DL.getTypeAllocSize(T);
      Type *Room = Shadow ? ArrayType::get(T, F.L.width()) : T;
      auto *Own = new AllocaInst(Room, DL.getAllocaAddrSpace(), nullptr, Alignment, Given->getName() + ".own",
                                 G.getEntryBlock().begin());
      if (!Shadow) {
        Given->replaceAllUsesWith(Own);
        B.CreateMemCpy(Own, Alignment, Given, Alignment, Bytes);
        Map[&A] = Own;
        continue;
      }
      Value *All = Ops.spread(B, Own, B.getInt64(Bytes), F.L.of(&A));
      MemoryHelpers(B, Ops).copyAll(AccessPattern(), All, Given, B.getInt64(Bytes), /*MayOverlap=*/false);
      Tangents[&A] = All;
    }
  }
}

/// Integers that are copies of shadowed memory, whatever it holds: they carry the shadow's bytes along.
void TangentBuilder::findBits() {
  auto Copies = [&](const Instruction &I) {
    if (!I.getType()->isIntOrIntVectorTy() || !F.Act.isVaried(&I))
      return false;
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return F.Act.hasShadow(Load->getPointerOperand()) && !F.Types.pattern(I).allOf(ScalarKind::Integer);
    if (isa<BitCastInst>(I) && !I.getOperand(0)->getType()->isIntOrIntVectorTy())
      return false;
    return isa<PHINode, SelectInst, FreezeInst, BitCastInst, ShuffleVectorInst, ExtractElementInst,
               InsertElementInst>(I) &&
           any_of(I.operands(), [&](const Use &U) { return Bits.contains(U.get()); });
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const Instruction &I : instructions(*F.P.F))
      if (Copies(I))
        Changed |= Bits.insert(&I).second;
  }
}

bool TangentBuilder::carries(const Value *V) const {
  if (V->getType()->isPtrOrPtrVectorTy())
    return F.Act.hasShadow(V);
  if (S.OnlyReleases)
    return false;
  return F.Act.isActive(V) || Bits.contains(V) || (holdsPointer(V->getType()) && F.Act.hasShadow(V));
}

Value *TangentBuilder::primal(const Value *V) const {
  Value *M = Map.lookup(V);
  return M ? M : const_cast<Value *>(V); // constants stand for themselves
}

Instruction *TangentBuilder::copyOf(const Instruction &I) const { return cast<Instruction>(primal(&I)); }

/// What an aggregate without derivatives has: zeros for floats, and its own pointers.
Value *TangentBuilder::inactive(IRBuilderBase &B, Value *Primal, LaneLayout Layout) {
  Type *T = Primal->getType(), *Differential = differentialType(T, Layout, F.L.width());
  if (T->isPtrOrPtrVectorTy())
    return Ops.broadcast(B, Primal, Layout);
  if (!isa<StructType, ArrayType>(T) || !holdsPointer(T))
    return zeroAdjoint(Differential);
  Value *Result = Constant::getNullValue(Differential);
  for (unsigned I = 0, N = T->isStructTy() ? T->getStructNumElements() : unsigned(T->getArrayNumElements());
       I < N; ++I)
    Result = B.CreateInsertValue(Result, inactive(B, B.CreateExtractValue(Primal, I), Layout), I);
  return Result;
}

Value *TangentBuilder::differential(IRBuilderBase &B, const Value *V, LaneLayout Layout) {
  if (!carries(V) || isa<Constant>(V))
    return inactive(B, primal(V), Layout);
  return Tangents.lookup(V);
}

void TangentBuilder::refuse(const Instruction &I) {
  D.error(I, Twine("differentiated data passes through an operation that has no derivative here (") +
                 I.getOpcodeName() + "): keep differentiated values out of it");
}

Value *TangentBuilder::scalar(IRBuilderBase &B, const Instruction &I, const rules::ScalarRule &Rule) {
  // What is added as it is comes first: each product behind it is then one multiply-add (Contract.h).
  SmallVector<unsigned, 4> Order, Products;
  for (unsigned A = 0; A < Rule.Arity; ++A)
    (Rule.isActive(A) && Rule.Partial[A].isConstant(1.0) ? Order : Products).push_back(A);
  Order.append(Products);
  Value *Sum = nullptr;
  for (unsigned A : Order) {
    const Value *Operand = I.getOperand(A);
    if (!Rule.isActive(A) || !F.Act.isActive(Operand))
      continue;
    Value *Tangent = differential(B, Operand), *Term;
    if (Rule.Partial[A].isConstant(1.0)) {
      Term = Tangent;
    } else if (Rule.Partial[A].isConstant(-1.0)) {
      if (Sum) { // a - b keeps its shape
        Sum = B.CreateFSub(Sum, Tangent);
        continue;
      }
      Term = B.CreateFNeg(Tangent);
    } else {
      SmallVector<Value *, 4> Args;
      for (unsigned K = 0; K < Rule.Arity + Rule.HasInt; ++K)
        Args.push_back(primal(I.getOperand(K)));
      Value *Partial = rules::emitFormula(B, Rule.Partial[A], Args, primal(&I), I.getType());
      Term = B.CreateFMul(Tangent, Ops.broadcast(B, Partial));
      if (rules::needsStrongZero(Rule, A, I)) {
        Constant *Zero = zero(&I);
        Term = B.CreateSelect(B.CreateFCmpOEQ(Tangent, Zero), Zero, Term);
      }
    }
    Sum = Sum ? B.CreateFAdd(Sum, Term) : Term;
  }
  return Sum ? Sum : zero(&I);
}

/// Pointer arithmetic again, on shadows.
void TangentBuilder::pointer(IRBuilderBase &B, const Instruction &I) {
  LaneLayout Layout = F.L.of(&I);
  Tangents[&I] = Ops.pointer(B, I, [&](const Value *V) {
    return holdsPointer(V->getType()) ? differential(B, V, Layout) : primal(V);
  });
}

/// Instructions that move values without computing: the same on tangents and on the bytes that integers
/// carry.
void TangentBuilder::value(IRBuilderBase &B, const Instruction &I) {
  auto Of = [&](unsigned Operand) { return differential(B, I.getOperand(Operand), F.L.of(&I)); };
  switch (I.getOpcode()) {
  case Instruction::Select:
    Tangents[&I] = B.CreateSelect(primal(I.getOperand(0)), Of(1), Of(2));
    return;
  case Instruction::ExtractElement:
    Tangents[&I] = Ops.extractElement(B, Of(0), primal(I.getOperand(1)));
    return;
  case Instruction::InsertElement:
    Tangents[&I] = Ops.insertElement(B, Of(0), Of(1), primal(I.getOperand(2)));
    return;
  case Instruction::ShuffleVector:
    Tangents[&I] = B.CreateShuffleVector(Of(0), Of(1), cast<ShuffleVectorInst>(I).getShuffleMask());
    return;
  case Instruction::ExtractValue:
    Tangents[&I] = B.CreateExtractValue(Of(0), cast<ExtractValueInst>(I).getIndices());
    return;
  case Instruction::InsertValue:
    Tangents[&I] = B.CreateInsertValue(Of(0), Of(1), cast<InsertValueInst>(I).getIndices());
    return;
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    Tangents[&I] = B.CreateFPCast(Of(0), F.L.differentialType(&I));
    return;
  case Instruction::Freeze:
    Tangents[&I] = B.CreateFreeze(Of(0));
    return;
  case Instruction::BitCast: {
    Type *From = I.getOperand(0)->getType(), *To = I.getType();
    if (From->getScalarType() == To->getScalarType() ||
        (From->isIntOrIntVectorTy() && To->isIntOrIntVectorTy())) {
      Tangents[&I] = B.CreateBitCast(Of(0), F.L.differentialType(&I));
      return;
    }
    break;
  }
  default:
    break;
  }
  refuse(I);
  Tangents[&I] = zero(&I);
}

void TangentBuilder::emit(const Instruction &I) {
  Instruction *Copy = copyOf(I);
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    if (!carries(Phi))
      return;
    auto *Tangent =
        PHINode::Create(F.L.differentialType(Phi), Phi->getNumIncomingValues(), I.getName() + ".tangent",
                        Copy->getIterator()); // operands follow when all tangents exist
    Tangent->setDebugLoc(Copy->getDebugLoc());
    Tangents[Phi] = Tangent;
    return;
  }
  if (I.isTerminator() || I.isEHPad())
    return;
  if (S.OnlyReleases && !isa<CallBase>(I) && !I.getType()->isPtrOrPtrVectorTy() &&
      !(isa<StoreInst>(I) && I.getOperand(0)->getType()->isPtrOrPtrVectorTy()))
    return;
  IRBuilder<> B(copyOf(*I.getNextNode()));
  B.SetCurrentDebugLocation(Copy->getDebugLoc());
  FastMathFlags Flags;
  if (auto *Op = dyn_cast<FPMathOperator>(&I))
    Flags = Op->getFastMathFlags();
  Flags.setAllowContract(Flags.allowContract() || F.P.Contracts);
  B.setFastMathFlags(Flags);
  if (const rules::ScalarRule *Rule = rules::scalarRule(I)) {
    if (F.Act.isActive(&I) && !S.OnlyReleases)
      Tangents[&I] = scalar(B, I, *Rule);
    return;
  }
  if (auto *Mem = dyn_cast<MemIntrinsic>(&I)) {
    bool Pointers = any_of(F.Types.pattern(I).Fields,
                           [](const TypeField &Field) { return Field.Kind == ScalarKind::Pointer; });
    return Pointers || !S.OnlyReleases ? memory(B, *Mem) : void();
  }
  if (auto *Call = dyn_cast<CallBase>(&I))
    return call(B, *Call);
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return store(B, *Store);
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I) && F.Act.hasShadow(I.getOperand(0)) &&
      any_of(drop_begin(I.operands()),
             [&](const Use &U) { return !U->getType()->isIntegerTy() || F.Act.isVaried(U.get()); }))
    return refuse(I);
  if (!carries(&I))
    return;
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return load(B, *Load);
  if (auto *Alloca = dyn_cast<AllocaInst>(&I))
    return local(B, *Alloca);
  if (I.getType()->isPtrOrPtrVectorTy())
    return pointer(B, I);
  value(B, I);
}

void TangentBuilder::fillPhis() {
  for (const BasicBlock &Block : *F.P.F)
    for (const PHINode &Phi : Block.phis()) {
      auto *Tangent = cast_if_present<PHINode>(Tangents.lookup(&Phi));
      if (!Tangent)
        continue;
      auto *Copy = cast<PHINode>(primal(&Phi));
      for (unsigned K = 0; K < Phi.getNumIncomingValues(); ++K) {
        BasicBlock *From = Copy->getIncomingBlock(K);
        IRBuilder<> B(From->getTerminator());
        Tangent->addIncoming(differential(B, Phi.getIncomingValue(K), F.L.of(&Phi)), From);
      }
    }
}

void TangentBuilder::finishReturn() {
  for (const BasicBlock &Block : *F.P.F) {
    auto *Frozen = dyn_cast<ReturnInst>(Block.getTerminator());
    if (!Frozen)
      continue;
    auto *Return = cast<ReturnInst>(primal(Frozen));
    IRBuilder<> B(Return);
    SmallVector<Value *, 2> Results;
    if (S.ReturnPrimal)
      Results.push_back(Return->getReturnValue());
    if (S.ReturnTangent)
      Results.push_back(differential(B, Frozen->getReturnValue(), S.Lanes.inMemory()));
    releaseScoped(B);
    if (Results.empty())
      B.CreateRetVoid();
    else
      B.CreateAggregateRet(Results.data(), unsigned(Results.size()));
    Return->eraseFromParent();
  }
}

bool TangentBuilder::run() {
  unsigned Before = D.errors();
  if (!S.OnlyReleases && !F.Act.check(D))
    return false;
  cloneInto();
  ownByValueArguments();
  if (!S.OnlyReleases)
    findBits();
  for (const BasicBlock *Block : ReversePostOrderTraversal<Function *>(F.P.F))
    for (const Instruction &I : *Block) {
      emit(I);
      // After an error emission goes on, to report the others as well.
      if (D.errors() != Before && carries(&I) && !Tangents.contains(&I))
        Tangents[&I] = PoisonValue::get(F.L.differentialType(&I));
    }
  if (D.errors() != Before)
    return false;
  fillPhis();
  finishReturn();
  finishSpares();
  tagPrimal();
  if (!S.OnlyReleases && !guard())
    return false;
  for (Instruction *I : Dead)
    I->eraseFromParent();
  return true;
}

} // namespace tapefree
