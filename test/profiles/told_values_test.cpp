//===- told_values_test.cpp - values that programs hand over --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which symbols of the facts are handed over, what is known of them at
// hooks, and that plans name them.
//===----------------------------------------------------------------------===//
#include "Scenario.h"
#include "TempDir.h"
#include "format/Facts.h"
#include "format/File.h"
#include "planner/Planner.h"
#include "problem/ToldValues.h"
#include <nlohmann/json.hpp>

using namespace evenkeel;

namespace {

constexpr uint64_t Team = 0x70, Serial = 0x71, Task = 0x72, N = 0x50, M = 0x51,
                   AsN = 0x60;

Facts facts() {
  Facts F;
  F.Regions = {{Team, "parallel", "a.c:9:1", "main"},
               {Serial, "serial", "a.c:1:1", "main"},
               {Task, "task", "a.c:20:1", "main"}};
  return F;
}

void symbol(Facts &F, uint64_t Id, const char *Name, SymbolFact::KindType Kind,
            uint64_t As) {
  SymbolFact S;
  S.Id = Id;
  S.Name = Name;
  S.Kind = Kind;
  S.HandedAs = As;
  F.Symbols.push_back(S);
}

void reads(Facts &F, uint64_t Region, ExprRef Count) {
  AccessFact A;
  A.Region = Region;
  A.Class = AccessFact::Stream;
  A.Reads = std::move(Count);
  A.Writes = makeConst(0);
  F.Accesses.push_back(A);
}

TEST(HandedValues, OfParallelRegions) {
  Facts F = facts();
  symbol(F, N, "main:n", SymbolFact::Given, AsN);
  symbol(F, M, "main:m", SymbolFact::Derived, M);
  symbol(F, 0x52, "main:trip.9", SymbolFact::Measured, 0);
  symbol(F, 0x53, "helper:n", SymbolFact::Derived,
         0x53); // of a function it calls
  reads(F, Team,
        makeOp("+", {makeSymbol(N), makeSymbol(0x52), makeSymbol(0x53)}));
  reads(F, Serial, makeSymbol(M));
  reads(F, Task, makeSymbol(M));
  std::vector<PlanValue> V = handedValues(F);
  ASSERT_EQ(V.size(), 1u);
  EXPECT_EQ(V[0].Region, Team);
  EXPECT_EQ(V[0].HandedAs, AsN);
  EXPECT_EQ(V[0].Symbol, N);
  // A variable that has another value further on in the region.
  symbol(F, 0x54, "main:n#1", SymbolFact::Given, AsN);
  reads(F, Team, makeSymbol(0x54));
  EXPECT_TRUE(handedValues(F).empty());
}

/// What explicit tasks find is handed over before the region that makes them,
/// if their function has only one.
TEST(HandedValues, OfExplicitTasks) {
  Facts F = facts();
  symbol(F, N, "main:n", SymbolFact::Given, AsN);
  reads(F, Task, makeSymbol(N));
  const std::vector<PlanValue> V = handedValues(F);
  ASSERT_EQ(V.size(), 1u);
  EXPECT_EQ(V[0].Region, Team);
  EXPECT_EQ(V[0].Symbol, N);
  F.Regions.push_back({0x73, "parallel", "a.c:30:1", "main"});
  EXPECT_TRUE(handedValues(F).empty());
}

TEST(HandedValues, TotalsOfLoopsAreMarked) {
  Facts F = facts();
  symbol(F, N, "main:n", SymbolFact::Given, AsN);
  symbol(F, M, "main:trip.9", SymbolFact::Measured, 0x61);
  reads(F, Team, makeOp("+", {makeSymbol(N), makeSymbol(M)}));
  const std::vector<PlanValue> V = handedValues(F);
  ASSERT_EQ(V.size(), 2u);
  EXPECT_FALSE(V[0].IsTotal);
  EXPECT_EQ(V[1].HandedAs, 0x61u);
  EXPECT_EQ(V[1].Symbol, M);
  EXPECT_TRUE(V[1].IsTotal);
}

using Known = std::vector<std::tuple<uint32_t, uint64_t, double>>;

Known known(const Facts &F, const std::vector<ToldValue> &Told) {
  Known Out;
  for (const KnownSymbol &K : knownSymbols(F, Told))
    Out.emplace_back(K.Phase, K.Symbol, K.Value);
  return Out;
}

TEST(ToldValues, GivenOnesHoldForTheProgram) {
  Facts F = facts();
  symbol(F, N, "main:n", SymbolFact::Given, AsN);
  EXPECT_EQ(known(F, {{N, 5, 1}, {N, 5, 3}}), (Known{{EK_NO_TASK, N, 5}}));
  EXPECT_EQ(known(F, {{N, 5, 1}, {N, 6, 3}}), Known()); // until they change
  EXPECT_EQ(known(F, {{0x99, 5, 1}}), Known());
  std::vector<ToldValue> Told;
  for (uint32_t Phase = 0; Phase < 9; ++Phase)
    addTold(Told, F, {N, Phase < 7 ? 5.0 : 6.0, Phase});
  EXPECT_EQ(Told.size(), 2u);
  EXPECT_EQ(known(F, Told), Known());
}

TEST(ToldValues, OthersHoldForTheirPhase) {
  Facts F = facts();
  symbol(F, M, "main:m", SymbolFact::Derived, M);
  EXPECT_EQ(known(F, {{M, 5, 3}, {M, 6, 1}}), (Known{{1, M, 6}, {3, M, 5}}));
  // The region ran twice in phase 1, with two values.
  EXPECT_EQ(known(F, {{M, 5, 1}, {M, 6, 1}, {M, 5, 1}, {M, 7, 2}}),
            (Known{{2, M, 7}}));
}

TEST(HandedValues, ArePartOfFactsAndPlans) {
  Scenario S;
  S.addObject(1, 1 << 20);
  S.addAccess(1, "stream", Scenario::n());
  auto F = factsFromJson(nlohmann::json::parse(factsToJson(S.F)), "facts");
  ASSERT_TRUE(static_cast<bool>(F)) << F.message();
  EXPECT_EQ(F->symbol(Scenario::SymN)->HandedAs, Scenario::SymN);

  S.R.For = {{"main:n", std::nullopt, 2000}};
  auto P = makePlan(S.R);
  ASSERT_TRUE(static_cast<bool>(P)) << P.message();
  TempDir Dir;
  const std::string Path = Dir.path("plan.json");
  ASSERT_FALSE(writeWholeFile(Path, planToJson(*P)));
  auto Again = readPlan(Path);
  ASSERT_TRUE(static_cast<bool>(Again)) << Again.message();
  ASSERT_EQ(Again->Values.size(), 1u);
  EXPECT_EQ(Again->Values[0].Region, Scenario::Region);
  EXPECT_EQ(Again->Values[0].HandedAs, Scenario::SymN);
  EXPECT_EQ(Again->Values[0].Symbol, Scenario::SymN);
  EXPECT_EQ(Again->Values[0].Expected, 2000);
  EXPECT_FALSE(Again->Values[0].IsTotal);
  P->Values[0].IsTotal = true;
  ASSERT_FALSE(writeWholeFile(Path, planToJson(*P)));
  Again = readPlan(Path);
  ASSERT_TRUE(static_cast<bool>(Again)) << Again.message();
  EXPECT_TRUE(Again->Values[0].IsTotal);
}

} // namespace
