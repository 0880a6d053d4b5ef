#include "Request/BatchRequest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tapefree {

static const char *name(LaneKind K) {
  switch (K) {
  case LaneKind::Vector:
    return "vector";
  case LaneKind::Scalar:
    return "scalar";
  case LaneKind::Buffer:
    return "buffer";
  }
  return "?";
}

void BatchRequest::print(raw_ostream &OS) const {
  OS << "batch " << Callee->getName() << "(";
  ListSeparator Comma;
  for (const LaneArgument &A : Args)
    OS << Comma << name(A.Kind);
  OS << ") width " << Width << "\n";
}

} // namespace tapefree
