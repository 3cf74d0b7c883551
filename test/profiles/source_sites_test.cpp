//===- source_sites_test.cpp - sites at the ends of call stacks -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: several sites on one line, and several calls of a wrapper on one: with
// columns they are told apart, without them a location means all.
//===----------------------------------------------------------------------===//
#include "format/ecohmem/Locations.h"
#include "format/ecohmem/SourceSites.h"
#include <gtest/gtest.h>

using namespace evenkeel;
using namespace evenkeel::ecohmem;

namespace {

/// Two sites on line 6, one on line 9, and a wrapper that main.c calls twice on
/// line 3.
Facts someFacts() {
  Facts F;
  const char *At[] = {"src/a.c:6:15", "src/a.c:6:43", "src/a.c:9:4",
                      "src/need.c:2:10"};
  for (uint64_t I = 0; I < 4; ++I) {
    SiteFact S;
    S.Id = I + 1;
    S.Kind = "malloc";
    S.Function = "f";
    S.At = At[I];
    F.Sites.push_back(std::move(S));
  }
  F.Sites[3].Contexts.resize(2);
  F.Sites[3].Contexts[0].Id = 10;
  F.Sites[3].Contexts[0].Calls = {"src/main.c:3:7"};
  F.Sites[3].Contexts[1].Id = 11;
  F.Sites[3].Contexts[1].Calls = {"src/main.c:3:25"};
  return F;
}

std::vector<uint64_t> idsOf(const SourceSites &Sites, const char *Stack) {
  const char *Why = "";
  std::vector<uint64_t> Out;
  for (const SiteFact *S : Sites.findAll(Stack, Why))
    Out.push_back(S->Id);
  return Out;
}

using Ids = std::vector<uint64_t>;

TEST(SourceSites, ColumnsTellSitesOfOneLineApart) {
  const Facts F = someFacts();
  const SourceSites Sites(F);
  EXPECT_EQ(idsOf(Sites, "libc.c:1:1 > a.c:6:43 > main.c:3:7"), Ids({2}));
  EXPECT_EQ(idsOf(Sites, "a.c:6"), Ids({1, 2}));
  // Another compiler's column: it tells nothing.
  EXPECT_EQ(idsOf(Sites, "a.c:6:40"), Ids({1, 2}));
  EXPECT_EQ(idsOf(Sites, "a.c:9:17"), Ids({3}));
  EXPECT_EQ(idsOf(Sites, "a.c:15"), Ids());
  const char *Why = "";
  EXPECT_EQ(Sites.find("a.c:6:15", Why), &F.Sites[0]);
  EXPECT_FALSE(Sites.find("a.c:6", Why));
  EXPECT_STREQ(Why, "several-on-a-line");
}

TEST(SourceSites, ColumnsTellCallsOfOneLineApart) {
  const Facts F = someFacts();
  const auto Callers = [&](const char *Stack) {
    Ids Out;
    for (const SiteFact::Caller *C : SourceSites::callersOf(F.Sites[3], Stack))
      Out.push_back(C->Id);
    return Out;
  };
  EXPECT_EQ(Callers("need.c:2:10 > main.c:3:25"), Ids({11}));
  EXPECT_EQ(Callers("need.c:2 > main.c:3"), Ids({10, 11}));
  EXPECT_EQ(Callers("need.c:2 > main.c:4"), Ids());
}

TEST(SourceSites, ALocationWithoutColumnsMeansAllOfItsLine) {
  const Facts F = someFacts();
  Locations L;
  L.Tiers = {"DRAM", "PMEM"};
  L.List = {{"a.c:6", "posix", 0},
            {"a.c:9", "posix", 1},
            {"need.c:2 > main.c:3", "posix", 0}};
  Expected<LocatedPlan> P = planOfLocations(L, F);
  ASSERT_TRUE(static_cast<bool>(P)) << P.message();
  EXPECT_TRUE(P->Left.empty());
  Ids Fast;
  for (const PlanObject &O : P->Made.Objects)
    if (O.Share > 0)
      Fast.push_back(O.Context.value_or(O.Site));
  EXPECT_EQ(Fast, Ids({1, 2, 10, 11}));
  EXPECT_EQ(P->Fast, 4u);
}

} // namespace
