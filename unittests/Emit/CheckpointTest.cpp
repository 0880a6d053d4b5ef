// The schedule of snapshots: as few steps are run again as by any other.
#include "Emit/Checkpoint.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include <functional>
#include <gtest/gtest.h>
#include <map>

using namespace llvm;

namespace {

using Split = uint64_t (*)(uint64_t, uint64_t);

/// Steps that are run before the last one of L is reached, and again: with S snapshots, the first one at
/// their beginning.
uint64_t bySplit(Split F, uint64_t L, uint64_t S) {
  if (L == 1)
    return 0;
  if (S == 1)
    return L * (L - 1) / 2;
  uint64_t M = F(L, S);
  EXPECT_TRUE(M >= 1 && M < L) << L << " steps, " << S << " snapshots: " << M;
  return M + bySplit(F, L - M, S - 1) + bySplit(F, M, S);
}

std::map<std::pair<uint64_t, uint64_t>, uint64_t> Known;
uint64_t fewest(uint64_t L, uint64_t S) {
  if (L == 1)
    return 0;
  if (S == 1)
    return L * (L - 1) / 2;
  auto [It, New] = Known.try_emplace({L, S}, UINT64_MAX);
  if (!New)
    return It->second;
  uint64_t Best = UINT64_MAX;
  for (uint64_t M = 1; M < L; ++M)
    Best = std::min(Best, M + fewest(L - M, S - 1) + fewest(M, S));
  return Known[{L, S}] = Best;
}

TEST(Checkpoint, RunsAsFewStepsAsPossible) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  auto Context = std::make_unique<LLVMContext>();
  auto M = std::make_unique<Module>("schedule", *Context);
  Function *F = tapefree::binomialSplit(*M);
  F->setLinkage(GlobalValue::ExternalLinkage);
  F->setName("split");
  auto Jit = cantFail(orc::LLJITBuilder().create());
  cantFail(Jit->addIRModule(orc::ThreadSafeModule(std::move(M), std::move(Context))));
  auto Compiled = cantFail(Jit->lookup("split")).toPtr<Split>();
  for (uint64_t L = 1; L <= 90; ++L)
    for (uint64_t S = 1; S <= 12; ++S)
      EXPECT_EQ(bySplit(Compiled, L, S), fewest(L, S)) << L << " steps, " << S << " snapshots";
  // Large numbers stay within bounds.
  for (uint64_t L : {uint64_t(2), uint64_t(1) << 20, uint64_t(1) << 31, uint64_t(1) << 40, ~uint64_t(0)})
    for (uint64_t S : {uint64_t(2), uint64_t(1000), uint64_t(1) << 31, ~uint64_t(0)}) {
      uint64_t Way = Compiled(L, S);
      EXPECT_TRUE(Way >= 1 && Way < L) << L << " steps, " << S << " snapshots: " << Way;
    }
}

} // namespace
