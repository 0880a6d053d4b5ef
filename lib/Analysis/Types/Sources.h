// What do declarations, metadata and library signatures say about memory, before anything accesses it?
#pragma once
#include "Analysis/Types/Graph.h"

namespace llvm {
class CallBase;
class MDNode;
} // namespace llvm

namespace tapefree {

/// A scalar at an offset, for declared arrays with strides.
struct DeclaredScalar {
  uint64_t Off;
  uint64_t Size;
  ScalarKind Kind;
  Strides S;
};

/// The scalars of a type as it is declared. With TrustIntegers unset only floats and pointers are told: the
/// compiler itself declares i64 and [2 x i64] for memory that carries anything.
void flattenType(llvm::Type *T, const llvm::DataLayout &DL, bool TrustIntegers,
                 llvm::SmallVectorImpl<DeclaredScalar> &Out);

/// The kind that a TBAA access tag or scalar type node names; Unknown when it says nothing.
struct TbaaScalar {
  ScalarKind Kind = ScalarKind::Unknown;
  uint64_t Size = 0;
};
TbaaScalar tbaaScalar(const llvm::MDNode *Tag, const llvm::Module &M);
/// The scalars of the struct that an access tag names as its base, relative to the access.
void tbaaBaseFields(const llvm::MDNode *Tag, const llvm::Module &M,
                    llvm::SmallVectorImpl<std::pair<int64_t, TbaaScalar>> &Out);

/// How a library function uses the memory behind a pointer argument.
struct PointerUse {
  unsigned Arg;
  ScalarKind Kind;
  unsigned Size;
};
llvm::ArrayRef<PointerUse> libraryPointerUses(llvm::StringRef Name);

/// memcpy and its kin as plain calls.
struct LibraryCopy {
  unsigned Dst, Src, Len;
};
std::optional<LibraryCopy> libraryCopy(llvm::StringRef Name);
/// The argument that the result points to (realloc, strcpy), if it is known.
std::optional<unsigned> libraryReturnedArgument(llvm::StringRef Name);

} // namespace tapefree
