// Operands of a request as every parser reads them: markers, and the names of types in messages.
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Value.h"
#include <string>

namespace tapefree {

/// "dup" for a load of @tapefree_dup or @enzyme_dup, for the address of either, or for the metadata string;
/// empty if `V` is no marker.
llvm::StringRef markerName(const llvm::Value *V);

/// "a double", "a pointer", ... for messages.
std::string typeName(llvm::Type *T);

} // namespace tapefree
