// Activity: what can carry a derivative, for one prepared function and one assignment of argument activities.
//
// A floating value is active when it depends on a differentiated input (varied) and an output depends on it
// (useful). A pointer has a shadow when the memory behind it does. Both are least fixpoints over finite
// lattices, computed by sweeps over the function; memory is described per object (alloca, allocation call)
// and by one class for all that lies outside.
#pragma once
#include "Analysis/Types/MemoryTypes.h"
#include "Request/Request.h"
#include "Support/Diag.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/IntrinsicInst.h"

namespace tapefree {

/// What is known of a pointer's shadow. Neutral (null, undef) joins with anything; Mixed pointers are told
/// apart when the program runs: the shadow of memory without a derivative is its primal address.
enum class PointerState : uint8_t { Neutral, Const, Active, Mixed };

/// The activities with which a call that stays a call is differentiated.
struct CallSignature {
  llvm::SmallVector<ArgActivity, 8> Args;
  bool ReturnActive = false;
  LaneSignature Lanes;      // filled in by Lanes::signature()
  bool Overwritten = false; // what it reads, before its reverse sweep; filled in by splitSignature()
  bool active() const;
  bool operator==(const CallSignature &) const = default;
};

class Activity {
public:
  /// Solves at once. `ReturnActive`: the returned value is differentiated.
  Activity(llvm::Function &F, llvm::ArrayRef<ArgActivity> Args, bool ReturnActive, const MemoryTypes &Types);

  /// Whether the floating value (scalar, vector or aggregate) has an adjoint.
  bool isActive(const llvm::Value *V) const;
  PointerState pointer(const llvm::Value *V) const;
  bool hasShadow(const llvm::Value *V) const {
    PointerState S = pointer(V);
    return S == PointerState::Active || S == PointerState::Mixed;
  }
  /// Whether the floating value depends on a differentiated input, used or not.
  bool isVaried(const llvm::Value *V) const { return Varied.contains(V); }
  /// For a call of a function with a body.
  CallSignature signature(const llvm::CallBase &Call) const;
  /// Reports active data that goes where no derivative can follow. False if anything was reported.
  bool check(Diag &D) const;
  void print(llvm::raw_ostream &OS) const;

private:
  struct Object { // memory made by this function
    bool Varied = false, Useful = false, Shadowed = false;
    PointerState Content = PointerState::Neutral; // of the pointers stored in it
    bool HoldsPointers = false;
  };
  void forwardSweep();
  void forward(llvm::Instruction &I);
  void backwardSweep();
  void backward(llvm::Instruction &I);
  bool markVaried(const llvm::Value *V);
  void markUseful(const llvm::Value *V);
  void join(const llvm::Value *V, PointerState S);
  void joinContent(const llvm::Value *Address, PointerState S);
  void shadowObjects(const llvm::Value *Pointer);
  bool mayLeadToLocals(const llvm::Value *Pointer) const;
  void expose(const llvm::Value *Pointer, bool Written);
  void variedMemory(const llvm::Value *Pointer);
  void usefulMemory(const llvm::Value *Pointer);
  bool holdsShadows(const llvm::Value *Address) const;
  bool memoryVaried(const llvm::Value *Pointer) const;
  bool memoryUseful(const llvm::Value *Pointer);
  void returned(const llvm::Value *V);
  void forwardCall(llvm::CallBase &Call);
  bool neverRead(const llvm::Value *Object) const;
  bool reachesVaried(const llvm::Value *Pointer) const;
  llvm::ArrayRef<const llvm::Value *> objects(const llvm::Value *Pointer) const;
  Object *local(const llvm::Value *ObjectValue);
  const Object *local(const llvm::Value *ObjectValue) const;
  void checkCall(const llvm::CallBase &Call, Diag &D) const;
  void checkCopy(const llvm::MemTransferInst &Copy, Diag &D) const;

  llvm::Function &F;
  llvm::SmallVector<ArgActivity, 8> Args;
  bool ReturnActive;
  const MemoryTypes &Types;
  bool Changed = false;
  bool Settled = false; ///< what is neutral by now stays so, unless a shadow is given for its sake
  llvm::DenseSet<const llvm::Value *> Varied, Useful;
  llvm::DenseMap<const llvm::Value *, PointerState> Pointers;
  llvm::DenseMap<const llvm::Value *, Object> Locals;
  PointerState OutsideContent = PointerState::Active;
  bool EscapedVaried = false;
  llvm::DenseSet<const llvm::Value *> Escaped;
  mutable llvm::DenseMap<const llvm::Value *, llvm::SmallVector<const llvm::Value *, 2>> ObjectCache;
};

/// Whether a type holds any floating scalar.
bool holdsFloat(const llvm::Type *T);
/// Whether a type holds any pointer.
bool holdsPointer(const llvm::Type *T);
/// Whether the call is of a function whose body the module has (a recursive or very large one, after
/// Prepare), or one that has a rule of the user's.
bool callsVisibleBody(const llvm::CallBase &Call);
/// Whether the call makes memory (malloc, operator new, ...).
bool isAllocation(const llvm::Value *V);
/// Whether an instruction rounds an address down (ptrmask): it leads to the same memory.
bool roundsPointer(const llvm::Instruction &I);

} // namespace tapefree
