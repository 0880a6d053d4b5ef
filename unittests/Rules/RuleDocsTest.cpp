//===- RuleDocsTest.cpp - docs/rules.md is generated from the tables ------===//
#include "RuleSamples.h"
#include "Rules/FormulaText.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace tapefree::rules;

static std::string needsText(const ScalarRule &Rule) {
  Needs Read;
  for (unsigned I = 0; I < Rule.Arity; ++I)
    Read |= needs(Rule.Partial[I]);
  std::string Text;
  auto append = [&](bool If, char Name) {
    if (If)
      Text += Text.empty() ? std::string(1, Name) : std::string(", ") + Name;
  };
  for (unsigned I = 0; I < 3; ++I)
    append(Read.Arg[I], "xyz"[I]);
  append(Read.IntArg, 'n');
  append(Read.Result, 'r');
  return Text.empty() ? "nothing" : Text;
}

static std::string rulesPage() {
  std::ostringstream Page;
  Page << "# Derivative rules of scalar functions\n\n"
          "Generated from `lib/Rules/Tables/` by the unit test `RuleDocs`; how to add a rule stands in "
          "`Tables.h`.\n\n"
          "`x`, `y`, `z` are the floating arguments in order, `n` an integer argument, `r` the value of the "
          "function. A\n"
          "partial `0` means that nothing flows through that argument. *Reads* is what the reverse sweep "
          "needs of the\n"
          "primal when every argument is active. A partial marked † can be infinite or NaN at finite "
          "arguments: its\n"
          "product with a zero adjoint or tangent is zero.\n\n"
          "Every entry also serves the `float` and `long double` spellings, its LLVM intrinsics, and vectors "
          "of any\n"
          "floating type. A library function that is missing here, or that the program defines itself, has "
          "no rule.\n";
  const char *Titles[] = {"Arithmetic", "Exponential, circular and hyperbolic functions",
                          "Powers, roots, error and gamma functions", "Choices",
                          "Rounding, remainders, scaling"};
  const char **Title = Titles;
  for (std::span<const ScalarRule> Table : scalarRuleTables()) {
    Page << "\n## " << *Title++ << "\n\n| function | value | d/dx | d/dy | d/dz | reads | edges |\n"
         << "| --- | --- | --- | --- | --- | --- | --- |\n";
    for (const ScalarRule &Rule : Table) {
      Page << "| " << Rule.Name << " | `" << toText(Rule.Value) << "` |";
      for (unsigned I = 0; I < 3; ++I)
        if (I < Rule.Arity)
          Page << " `" << toText(Rule.Partial[I]) << "`" << (Rule.strongZero(I) ? " † |" : " |");
        else
          Page << " |";
      Page << " " << needsText(Rule) << " | " << Rule.Edges << (Rule.Edges.empty() ? "|\n" : " |\n");
    }
  }
  return Page.str();
}

TEST(RuleDocs, PageIsUpToDate) {
  const std::string Path = TAPEFREE_SOURCE_DIR "/docs/rules.md";
  std::string Page = rulesPage();
  if (std::getenv("TAPEFREE_UPDATE_DOCS"))
    std::ofstream(Path) << Page;
  std::ostringstream Written;
  Written << std::ifstream(Path).rdbuf();
  EXPECT_TRUE(Written.str() == Page)
      << Path << " is out of date: TAPEFREE_UPDATE_DOCS=1 tapefree_unittests --gtest_filter='RuleDocs*'";
}
