#include "Analysis/Types/Explain.h"

using namespace llvm;

namespace tapefree {

bool checkCopiedTypes(const Instruction &Copy, const MemoryTypes &Types, Diag &D) {
  AccessPattern P = Types.pattern(Copy);
  if (P.hasConflict()) {
    auto [A, B] = Types.conflict(Copy);
    std::string Where =
        A && B ? " (" + describeLine(*A) + " against " + describeLine(*B) + ")" : std::string();
    D.error(Copy, "the same bytes are used as two different types" + Where +
                      ", so their derivative is ambiguous: use one type for this memory");
    return false;
  }
  auto Unknown = P.unknownBytes();
  if (!Unknown)
    return true;
  if (P.Fields.empty()) {
    D.error(Copy, "cannot tell whether the bytes moved here are floating numbers: nothing in the "
                  "differentiated function says what this memory holds; access it through its own type");
    return false;
  }
  auto [Begin, End] = *Unknown;
  std::string Which = End == UINT64_MAX
                          ? "from byte " + std::to_string(Begin) + " on"
                          : "at bytes " + std::to_string(Begin) + " to " + std::to_string(End - 1);
  D.error(Copy,
          "cannot tell whether all bytes moved here are floating numbers: nothing in the differentiated "
          "function says what this memory holds " +
              Which + "; copy it in a loop, element by element");
  return false;
}

bool checkSetTypes(const Instruction &Set, const MemoryTypes &Types, Diag &D) {
  AccessPattern P = Types.pattern(Set);
  // Where it is not known how the bytes go on, all must be of one sort.
  if (!P.Open || !(P.has(ScalarKind::Integer) || P.has(ScalarKind::Pointer)))
    return true;
  D.error(Set, "cannot tell which of the bytes set here are floating numbers: nothing in the differentiated "
               "function says how this memory goes on; set its members by name");
  return false;
}

} // namespace tapefree
