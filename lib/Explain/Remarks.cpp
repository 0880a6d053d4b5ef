#include "Explain/Remarks.h"
using namespace llvm;
namespace tapefree {
void remarkPlan(const Facts &, const Plan &, StringRef) {}
bool checkStrict(const Facts &, const Plan &, const CallBase &, Diag &) { return true; }
} // namespace tapefree
