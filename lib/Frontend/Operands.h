// Operands of a request as every parser reads them: a cursor over the call's operands, the function that
// comes first, markers, the width, and the sentences about what is wrong with any of these.
#pragma once
#include "Support/Diag.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include <string>

namespace tapefree {

/// The most lanes that one call may have.
inline constexpr unsigned MostLanes = 64;

/// "dup" for a load of @tapefree_dup or @enzyme_dup, for the address of either, or for the metadata string;
/// empty if `V` is no marker.
llvm::StringRef markerName(const llvm::Value *V);

/// "a double", "a pointer", ... for messages.
std::string typeName(llvm::Type *T);

class OperandReader {
protected:
  OperandReader(llvm::CallBase &Call, Diag &D);
  bool fail(const llvm::Twine &Message) {
    D.error(Call, Message);
    return false;
  }
  llvm::Value *peek() const { return At < Operands.size() ? Operands[At] : nullptr; }
  bool atValue() const { return peek() && markerName(peek()).empty(); }
  /// Reads the function; `Purpose` is what is to be done with it: "differentiate", "is to be differentiated".
  bool readFunction(llvm::Function *&F, const llvm::Twine &Verb, const llvm::Twine &Passive);
  /// Reads the number behind the marker width.
  bool readWidth(unsigned &Width);
  /// `V` as the type that the function takes there. Null after an error.
  llvm::Value *convert(llvm::Value *V, llvm::Type *Want, const llvm::Twine &What);
  bool tooFew(unsigned Given);
  bool tooMany();
  /// "'name'" of the function read.
  std::string callee() const { return "'" + userName(*Callee) + "'"; }

  llvm::CallBase &Call;
  Diag &D;
  llvm::Function *Callee = nullptr;
  llvm::Value *ResultMemory = nullptr; // the call's sret pointer, if any
  llvm::Type *ResultType;              // type in which the call wants its result
  llvm::SmallVector<llvm::Value *, 32> Operands;
  size_t At = 0;
};

} // namespace tapefree
