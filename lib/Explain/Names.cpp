#include "Explain/Names.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tapefree {

static constexpr unsigned DepthLimit = 16;

/// A record whose value is the variable itself: no arithmetic in between but changes of width.
static bool isPlain(const DIExpression &E) {
  for (const DIExpression::ExprOperand &Op : E.expr_ops())
    switch (Op.getOp()) {
    case dwarf::DW_OP_LLVM_convert:
    case dwarf::DW_OP_LLVM_fragment:
    case dwarf::DW_OP_stack_value:
      break;
    default:
      return false;
    }
  return true;
}

/// An integer that is the value and a constant: a loop's counter that was moved by one.
static std::optional<int64_t> offsetOf(const DIExpression &E) {
  ArrayRef<uint64_t> Ops = E.getElements();
  if (Ops.empty() || Ops.back() != dwarf::DW_OP_stack_value)
    return std::nullopt;
  if (Ops.size() == 3 && Ops[0] == dwarf::DW_OP_plus_uconst)
    return int64_t(Ops[1]);
  if (Ops.size() == 4 && Ops[0] == dwarf::DW_OP_constu && Ops[2] == dwarf::DW_OP_plus)
    return int64_t(Ops[1]);
  if (Ops.size() == 4 && Ops[0] == dwarf::DW_OP_constu && Ops[2] == dwarf::DW_OP_minus)
    return -int64_t(Ops[1]);
  return std::nullopt;
}

static bool isDereference(const DIExpression &E) {
  return E.getNumElements() == 1 && E.getElement(0) == dwarf::DW_OP_deref;
}

/// Members of the standard library's own inside are left out: v._M_impl._M_start[i] is v[i].
static bool isReserved(StringRef Name) {
  return Name.empty() || Name.starts_with("__") || (Name.size() > 1 && Name[0] == '_' && isUpper(Name[1]));
}

Names::Names(const Facts &F) : F(F) {
  for (Instruction &I : instructions(*F.P.F))
    for (DbgVariableRecord &R : filterDbgVars(I.getDbgRecordRange())) {
      if (!R.getVariable())
        continue;
      auto Add = [&](Value *V, const DIExpression *E, bool IsAddress, int64_t Offset = 0) {
        if (V && !isa<Constant>(V))
          Records[V].push_back({R.getVariable(), E, R.getDebugLoc(), IsAddress, Offset});
      };
      const DIExpression *E = R.getExpression();
      // With optimisation clang ties each store to the variable that it assigns: the variable lies at that
      // address.
      if (R.isDbgAssign() && !R.isKillAddress() && !E->isFragment() &&
          !R.getAddressExpression()->getNumElements())
        Add(R.getAddress(), E, true);
      if (R.isKillLocation() || R.getNumVariableLocationOps() != 1)
        continue;
      Value *V = R.getVariableLocationOp(0);
      if (R.isDbgDeclare() ? E->getNumElements() == 0 : isDereference(*E))
        Add(V, E, true);
      else if (!R.isDbgDeclare() && isPlain(*E))
        Add(V, E, false);
      else if (auto Offset = offsetOf(*E))
        Add(V, E, false, *Offset);
    }
}

const Names::Record *Names::recordOf(const Value *V, bool IsAddress, bool AnyOffset) const {
  auto It = Records.find(V);
  if (It == Records.end())
    return nullptr;
  // The names of the function that the user is looking at, then those of the function that is differentiated.
  const Record *Best = nullptr;
  unsigned BestRank = 0;
  for (const Record &R : It->second) {
    // Variables of the standard library's own (sin's __x, a range-for's __range) are nobody's words.
    if (R.IsAddress != IsAddress || (R.Offset && !AnyOffset) || isReserved(R.Variable->getName()))
      continue;
    const DISubprogram *Function = R.Variable->getScope()->getSubprogram();
    bool SameCall = R.Scope && R.Scope.getInlinedAt() == NearCall;
    unsigned Rank = Near && Function == Near             ? (SameCall ? 4 : 3)
                    : Function == F.P.F->getSubprogram() ? 2
                                                         : 1;
    if (Rank > BestRank) {
      Best = &R;
      BestRank = Rank;
    }
  }
  return Best;
}

//===--- Types
//----------------------------------------------------------------------------------------------------===//

/// The type without typedefs and qualifiers.
static const DIType *plainType(const DIType *T) {
  while (auto *D = dyn_cast_or_null<DIDerivedType>(T)) {
    switch (D->getTag()) {
    case dwarf::DW_TAG_typedef:
    case dwarf::DW_TAG_const_type:
    case dwarf::DW_TAG_volatile_type:
    case dwarf::DW_TAG_restrict_type:
    case dwarf::DW_TAG_atomic_type:
    case dwarf::DW_TAG_member:
    case dwarf::DW_TAG_inheritance:
      T = D->getBaseType();
      continue;
    default:
      return T;
    }
  }
  return T;
}

static bool isReference(const DIType *T) {
  T = plainType(T);
  return T &&
         (T->getTag() == dwarf::DW_TAG_reference_type || T->getTag() == dwarf::DW_TAG_rvalue_reference_type);
}

static const DIType *pointee(const DIType *T) {
  T = plainType(T);
  auto *D = dyn_cast_or_null<DIDerivedType>(T);
  if (!D || (D->getTag() != dwarf::DW_TAG_pointer_type && !isReference(T)))
    return nullptr;
  return plainType(D->getBaseType());
}

static uint64_t bytesOf(const DIType *T) {
  T = plainType(T);
  return T ? T->getSizeInBits() / 8 : 0;
}

/// The number of elements of each dimension of a fixed array.
static bool dimensions(const DICompositeType &Array, SmallVectorImpl<int64_t> &Counts) {
  for (const Metadata *M : Array.getElements()) {
    auto *Range = dyn_cast_or_null<DISubrange>(M);
    auto *Count = Range ? dyn_cast_if_present<ConstantInt *>(Range->getCount()) : nullptr;
    if (!Count)
      return false;
    Counts.push_back(Count->getSExtValue());
  }
  return !Counts.empty();
}

/// Splits an offset into multiples of `Stride` and a rest within one.
static std::pair<Polynomial, Polynomial> split(const Polynomial &Offset, int64_t Stride) {
  Polynomial Index, Rest;
  for (const auto &[M, C] : Offset.terms()) {
    if (M.empty()) { // floor, so that the rest lies inside
      int64_t Q = C / Stride - (C % Stride < 0);
      Index.add(M, Q);
      Rest.add(M, C - Q * Stride);
    } else if (C % Stride == 0) {
      Index.add(M, C / Stride);
    } else {
      Rest.add(M, C);
    }
  }
  return {Index, Rest};
}

static int64_t constantPart(const Polynomial &P) {
  auto It = P.terms().find({});
  return It == P.terms().end() ? 0 : It->second;
}

static std::string subscript(const std::optional<Polynomial> &Index) {
  return "[" + (Index ? Index->str("*") : std::string("…")) + "]";
}

/// The member of `Struct` at a byte offset, or null.
static const DIDerivedType *memberAt(const DICompositeType &Struct, int64_t Offset) {
  for (const DINode *N : Struct.getElements()) {
    auto *M = dyn_cast_or_null<DIDerivedType>(N);
    if (!M || M->isStaticMember() ||
        (M->getTag() != dwarf::DW_TAG_member && M->getTag() != dwarf::DW_TAG_inheritance))
      continue;
    int64_t At = int64_t(M->getOffsetInBits() / 8), Size = int64_t(bytesOf(M));
    if (Offset >= At && Offset < At + std::max<int64_t>(Size, 1))
      return M;
  }
  return nullptr;
}

/// The place at an offset from a base. `FromPointer`: the base is a pointer and its type is that of what it
/// points to.
std::optional<Names::Typed> Names::element(Typed Base, std::optional<Polynomial> Offset, uint64_t Bytes,
                                           bool FromPointer) {
  std::string Text = Base.Text;
  const DIType *T = plainType(Base.Type);
  bool Arrow = false;
  if (FromPointer) {
    int64_t Unit = int64_t(bytesOf(T));
    // Without a type (or with one that does not fit, such as char*) count in units of the access.
    if (!Unit || (Unit < int64_t(Bytes) && !isa<DICompositeType>(T))) {
      Unit = int64_t(Bytes);
      T = nullptr;
    }
    std::optional<Polynomial> Index, Rest;
    if (Offset)
      std::tie(Index, Rest) = split(*Offset, Unit);
    bool First = Index && Index->constant() == 0;
    Arrow = First && isa_and_nonnull<DICompositeType>(T) && T->getTag() != dwarf::DW_TAG_array_type;
    if (Text.empty()) // `this` is left out
      Arrow = false;
    else if (First && T && T->getTag() == dwarf::DW_TAG_array_type)
      Text += "[0]";
    else if (!Arrow && First)
      Text = "*" + Text;
    else if (!Arrow)
      Text += subscript(Index);
    Offset = Rest;
  }
  // Down through arrays and members to what is accessed.
  for (unsigned Level = 0; Level < DepthLimit; ++Level) {
    auto *C = dyn_cast_or_null<DICompositeType>(T);
    if (!C)
      break;
    if (C->getTag() == dwarf::DW_TAG_array_type) {
      SmallVector<int64_t, 4> Counts;
      int64_t Stride = int64_t(bytesOf(C->getBaseType()));
      if (!dimensions(*C, Counts) || !Stride)
        return std::nullopt;
      SmallVector<int64_t, 4> Strides(Counts.size());
      for (size_t I = Counts.size(); I-- > 0; Stride *= std::max<int64_t>(Counts[I], 1))
        Strides[I] = Stride;
      for (int64_t S : Strides) {
        if (!S)
          return std::nullopt;
        std::optional<Polynomial> Index, Rest;
        if (Offset)
          std::tie(Index, Rest) = split(*Offset, S);
        Text += subscript(Index);
        Offset = Rest;
      }
      T = plainType(C->getBaseType());
      continue;
    }
    if (C->getTag() == dwarf::DW_TAG_union_type || C->getTag() == dwarf::DW_TAG_enumeration_type)
      break;
    // Variable parts of the offset lie inside the member that the constant part leads to.
    int64_t At = Offset ? constantPart(*Offset) : -1;
    const DIDerivedType *M = At >= 0 ? memberAt(*C, At) : nullptr;
    if (!M)
      break;
    Offset = *Offset + Polynomial(-int64_t(M->getOffsetInBits() / 8));
    if (M->getTag() == dwarf::DW_TAG_member && !isReserved(M->getName())) {
      Text += (Text.empty() ? "" : Arrow ? "->" : ".") + M->getName().str();
      Arrow = false;
    }
    T = plainType(M->getBaseType());
  }
  if (Arrow) // a struct as a whole, or its hidden start
    Text = "*" + Text;
  if (Text.empty() || Text == "*" || (isa_and_nonnull<DICompositeType>(T) && Bytes < bytesOf(T)))
    return std::nullopt;
  return Typed{Text, T, false};
}

//===--- Values
//---------------------------------------------------------------------------------------------------===//

/// Names as the source has them: letters, digits and underscores. Only a front end that keeps names gives
/// these.
static bool isIdentifier(StringRef Name) {
  return !Name.empty() && !isDigit(Name[0]) && all_of(Name, [](char C) { return isAlnum(C) || C == '_'; });
}

std::optional<Names::Typed> Names::value(const Value *V) {
  if (Depth > DepthLimit)
    return std::nullopt;
  if (const Record *R = recordOf(V, false)) {
    std::string Name = R->Variable->getName().str();
    const DIType *T = R->Variable->getType();
    if (Name == "this" && R->Variable->isArtificial())
      return Typed{"this", T, true};
    if (auto Fragment = R->Expression->getFragmentInfo()) {
      ++Depth;
      auto Member = element({Name, T, false}, Polynomial(int64_t(Fragment->OffsetInBits / 8)),
                            Fragment->SizeInBits / 8, false);
      --Depth;
      if (Member)
        return Member;
    }
    return Typed{Name, T, V->getType()->isPointerTy()};
  }
  if (auto *A = dyn_cast<Argument>(V); A && isIdentifier(A->getName()) && !F.P.F->getSubprogram())
    return Typed{A->getName().str(), nullptr, A->getType()->isPointerTy()};
  if (auto *Cast = dyn_cast<CastInst>(V);
      Cast && (isa<SExtInst, ZExtInst, TruncInst, FPExtInst, FPTruncInst>(Cast)))
    return value(Cast->getOperand(0));
  if (auto *Phi = dyn_cast<PHINode>(V); Phi && Phi->getNumIncomingValues() == 1)
    return value(Phi->getIncomingValue(0));
  // What a loop arrived at, or where it started if it did not run at all.
  if (auto *Phi = dyn_cast<PHINode>(V); Phi && Phi->getNumIncomingValues() == 2) {
    const auto *Arrived = dyn_cast<PHINode>(Phi->getIncomingValue(0));
    const Value *Start = Phi->getIncomingValue(1);
    if (!Arrived) {
      Arrived = dyn_cast<PHINode>(Start);
      Start = Phi->getIncomingValue(0);
    }
    if (Arrived && Arrived->getNumIncomingValues() == 1 && isa<Constant>(Start))
      return value(Arrived);
  }
  if (auto *Load = dyn_cast<LoadInst>(V)) {
    ++Depth;
    auto Found = memory(Load->getPointerOperand(), F.P.F->getDataLayout().getTypeStoreSize(Load->getType()));
    --Depth;
    return Found;
  }
  return std::nullopt;
}

/// What names the object at a base address: a pointer (its type is the pointee's) or the variable that lies
/// there.
std::optional<Names::Typed> Names::pointer(const Value *Base) {
  if (auto *G = dyn_cast<GlobalVariable>(Base)) {
    SmallVector<DIGlobalVariableExpression *, 1> Infos;
    G->getDebugInfo(Infos);
    if (!Infos.empty())
      return Typed{Infos[0]->getVariable()->getName().str(), Infos[0]->getVariable()->getType(), false};
    std::string Name = demangle(G->getName());
    return isIdentifier(Name) ? std::optional(Typed{Name, nullptr, true}) : std::nullopt;
  }
  if (const Record *R = recordOf(Base, true))
    return Typed{R->Variable->getName().str(), R->Variable->getType(), false};
  auto P = value(Base);
  if (!P)
    return std::nullopt;
  // A reference is its object.
  if (isReference(P->Type))
    return Typed{P->Text, pointee(P->Type), false};
  return Typed{P->Text == "this" ? "" : P->Text, pointee(P->Type), true};
}

/// The pointer from which an address is counted: the nearest one that has a name, else where its object
/// starts.
const Value *Names::baseOf(const Value *Address) {
  const Value *Start = nullptr;
  if (auto *Base = dyn_cast<SCEVUnknown>(F.SE.getPointerBase(F.SE.getSCEV(const_cast<Value *>(Address)))))
    Start = Base->getValue();
  for (const Value *P = Address; P != Start;) {
    if (P != Address && (recordOf(P, true) || (recordOf(P, false) && !isa<PHINode>(P))))
      return P;
    auto *Step = dyn_cast<GetElementPtrInst>(P);
    if (!Step)
      break;
    P = Step->getPointerOperand();
  }
  return Start;
}

std::optional<Names::Typed> Names::memory(const Value *Address, uint64_t Bytes) {
  const Value *Base = baseOf(Address);
  auto Object = Base ? pointer(Base) : std::nullopt;
  if (!Object)
    return std::nullopt;
  const SCEV *Distance =
      F.SE.getMinusSCEV(F.SE.getSCEV(const_cast<Value *>(Address)), F.SE.getSCEV(const_cast<Value *>(Base)));
  auto Offset = isa<SCEVCouldNotCompute>(Distance) ? std::nullopt : polynomial(Distance);
  return element(*Object, Offset, Bytes, Object->Address);
}

void Names::lookFrom(const Instruction &I) {
  if (const DebugLoc &L = I.getDebugLoc()) {
    Near = L->getScope()->getSubprogram();
    NearCall = L.getInlinedAt();
  }
}

std::optional<std::string> Names::expression(const Value *V) {
  if (auto *I = dyn_cast<Instruction>(V))
    lookFrom(*I);
  auto T = value(V);
  return T ? std::optional(T->Text) : std::nullopt;
}

std::optional<std::string> Names::place(const Instruction &I) {
  lookFrom(I);
  if (auto *M = dyn_cast<MemIntrinsic>(&I))
    return buffer(M->getRawDest());
  const Value *Address = getLoadStorePointerOperand(&I);
  if (!Address)
    return std::nullopt;
  Type *T = getLoadStoreType(&I);
  auto Found = memory(Address, F.P.F->getDataLayout().getTypeStoreSize(T));
  return Found ? std::optional(Found->Text) : std::nullopt;
}

std::optional<std::string> Names::buffer(const Value *Address) {
  if (auto *I = dyn_cast<Instruction>(Address))
    lookFrom(*I);
  const Value *Base = baseOf(Address);
  auto Object = Base ? pointer(Base) : std::nullopt;
  if (!Object || Object->Text.empty())
    return std::nullopt;
  return Object->Text;
}

std::optional<PolynomialNames::LoopVariable> Names::loopVariable(const Loop *L) {
  auto [It, New] = Variables.try_emplace(L);
  if (!New)
    return It->second;
  std::optional<PolynomialNames::LoopVariable> Found;
  for (PHINode &Phi : const_cast<BasicBlock *>(L->getHeader())->phis()) {
    if (!Phi.getType()->isIntegerTy())
      continue;
    auto *AR = dyn_cast<SCEVAddRecExpr>(F.SE.getSCEV(&Phi));
    if (!AR || AR->getLoop() != L || !AR->isAffine())
      continue;
    auto *Step = dyn_cast<SCEVConstant>(AR->getStepRecurrence(F.SE));
    if (!Step || Step->isZero() || !Step->getAPInt().isSignedIntN(32))
      continue;
    const Record *R = recordOf(&Phi, false, /*AnyOffset=*/true);
    for (const User *U : Phi.users())
      if (!R && isa<CastInst>(U))
        R = recordOf(U, false);
    if (R) {
      const SCEV *Moved =
          F.SE.getAddExpr(AR->getStart(), F.SE.getConstant(Phi.getType(), uint64_t(R->Offset), true));
      Found = {R->Variable->getName().str(), Moved, Step->getAPInt().getSExtValue()};
      break;
    }
  }
  return Variables[L] = Found;
}

std::optional<Polynomial> Names::polynomial(const SCEV *S, int64_t Scale) {
  auto Value = [&](const llvm::Value *V) -> std::optional<std::string> {
    auto T = value(V);
    return T ? std::optional(T->Text) : std::nullopt;
  };
  auto Variable = [&](const Loop *L) { return loopVariable(L); };
  return toPolynomial(S, F.SE, {Value, Variable}, Scale);
}

} // namespace tapefree
