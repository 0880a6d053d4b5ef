#include "Pipeline/Printers.h"
#include "Frontend/ParseBatch.h"
#include "Frontend/ParseCall.h"
#include "Frontend/Registrations.h"
#include "Pipeline/Driver.h"
#include "Pipeline/Units.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tapefree {

PreservedAnalyses PrintStagePass::run(Module &M, ModuleAnalysisManager &MAM) {
  FunctionAnalysisManager &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  Diag D;
  readRegistrations(M, D);
  exposeRequests(M, FAM);
  for (CallBase *Call : findRequestCalls(M)) {
    auto *Callee = cast<Function>(Call->getCalledOperand()->stripPointerCasts());
    if (isBatchName(Callee->getName())) {
      if (std::optional<BatchRequest> R = parseBatch(*Call, D); R && Stage == PrintedStage::Requests)
        R->print(OS);
      continue;
    }
    unsigned Named = 0;
    Units U(M, MAM, D, Named);
    std::optional<CallRequest> R = parseCall(*Call, *requestedMode(Callee->getName()), D);
    if (!R)
      continue;
    if (Stage == PrintedStage::Requests) {
      R->Req.print(OS);
      continue;
    }
    callThroughRule(R->Req);
    U.plan(R->Req, [&](const Facts &F, const Plan &P, const Promise *) {
      if (Stage == PrintedStage::Prepared)
        F.P.F->print(OS);
      else if (Stage == PrintedStage::Activity)
        F.Act.print(OS);
      else
        P.print(OS, F);
    });
  }
  return PreservedAnalyses::none();
}

} // namespace tapefree
