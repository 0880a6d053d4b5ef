#include "Support/Options.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include <cstdlib>

using namespace llvm;

namespace tapefree {

// clang reads -mllvm before it loads the plugins of -fpass-plugin; -fplugin with the same file loads it in
// time.
static cl::opt<bool> Strict("tapefree-strict", cl::init(false),
                            cl::desc("Make every value that a gradient keeps on the heap an error"));

bool strictEverywhere() {
  const char *Variable = std::getenv("TAPEFREE_STRICT");
  return Strict || (Variable && StringRef(Variable) != "" && StringRef(Variable) != "0");
}

static cl::opt<AliasPolicy> Alias("tapefree-alias", cl::init(AliasPolicy::Checked),
                                 cl::desc("What may be assumed of buffers that are reached in different ways"),
                                 cl::values(clEnumValN(AliasPolicy::Checked, "checked", "test at run time"),
                                            clEnumValN(AliasPolicy::C, "c", "only what the source proves")));

AliasPolicy aliasPolicy() {
  const char *Variable = std::getenv("TAPEFREE_ALIAS");
  if (Variable && StringRef(Variable) == "c")
    return AliasPolicy::C;
  return Alias;
}

} // namespace tapefree
