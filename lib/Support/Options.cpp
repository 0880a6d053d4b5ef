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

static StringRef variable(const char *Name) {
  const char *Value = std::getenv(Name);
  return Value ? StringRef(Value) : StringRef();
}
static bool isOn(StringRef Value) { return Value != "" && Value != "0"; }

bool strictEverywhere() { return Strict || isOn(variable("TAPEFREE_STRICT")); }

static cl::opt<AliasPolicy>
    Alias("tapefree-alias", cl::init(AliasPolicy::Checked),
          cl::desc("What may be assumed of buffers that are reached in different ways"),
          cl::values(clEnumValN(AliasPolicy::Checked, "checked", "test at run time"),
                     clEnumValN(AliasPolicy::C, "c", "only what the source proves"),
                     clEnumValN(AliasPolicy::Disjoint, "disjoint", "the caller promises no overlap")));
static cl::opt<bool> CheckDisjoint("tapefree-check-disjoint", cl::init(false),
                                   cl::desc("Stop at run time where buffers overlap that a call promised to "
                                            "be disjoint"));

StringRef name(AliasPolicy P) {
  return P == AliasPolicy::Checked ? "checked" : P == AliasPolicy::C ? "c" : "disjoint";
}

std::optional<AliasPolicy> aliasPolicyNamed(StringRef Name) {
  for (AliasPolicy P : {AliasPolicy::Checked, AliasPolicy::C, AliasPolicy::Disjoint})
    if (name(P) == Name)
      return P;
  return std::nullopt;
}

AliasPolicy aliasPolicy() { return aliasPolicyNamed(variable("TAPEFREE_ALIAS")).value_or(Alias); }

std::string environmentMistake() {
  StringRef Value = variable("TAPEFREE_ALIAS");
  if (Value.empty() || aliasPolicyNamed(Value))
    return "";
  return ("TAPEFREE_ALIAS in the environment is '" + Value + "', which is none of checked, c, disjoint")
      .str();
}

bool checksDisjoint() { return CheckDisjoint || isOn(variable("TAPEFREE_CHECK_DISJOINT")); }

} // namespace tapefree
