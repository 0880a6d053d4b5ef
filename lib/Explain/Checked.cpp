#include "Explain/Checked.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"

using namespace llvm;

namespace tapefree {

void remarkChecked(const Facts &F, const Plan &Fast, StringRef Name, size_t Buffers) {
  OptimizationRemarkEmitter ORE(F.P.F);
  ORE.emit([&] {
    OptimizationRemark R("tapefree", "Checked", F.P.F->getSubprogram(), &F.P.F->getEntryBlock());
    R << "the gradient of '" << ore::NV("Function", Name) << "' tests at run time that "
      << ore::NV("Buffers", unsigned(Buffers)) << " buffers and their shadows do not overlap, and then keeps ";
    if (Fast.keeps())
      R << ore::NV("Kept", Fast.keptValues()) << (Fast.keptValues() == 1 ? " value" : " values");
    else
      R << "nothing";
    return R;
  });
}

} // namespace tapefree
