//===- facts_check_test.cpp - facts that contradict themselves ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "format/FactsCheck.h"
#include <gtest/gtest.h>

using namespace evenkeel;

/// Valid facts with one row of each kind.
static Facts sound() {
  Facts F;
  F.Units = {"a.c"};
  F.Regions.push_back({1, "parallel", "a.c:3:1", "f"});
  SiteFact S;
  S.Id = 2;
  S.Kind = "malloc";
  S.At = "a.c:2:9";
  S.Size = makeOp("*", {makeConst(8), makeSymbol(3)});
  F.Sites.push_back(S);
  SymbolFact N;
  N.Id = 3;
  N.Name = "f:n";
  N.Kind = SymbolFact::Given;
  N.At = "a.c:1:0";
  F.Symbols.push_back(N);
  AccessFact A;
  A.Region = 1;
  A.Sites = {2};
  A.Class = AccessFact::Stream;
  A.Reads = makeOp("share", {makeSymbol(3)});
  A.Writes = makeConst(0);
  A.At = "a.c:4:5";
  F.Accesses.push_back(A);
  return F;
}

static std::string only(const Facts &F) {
  size_t Checks = 0;
  std::vector<std::string> Lines = checkFacts(F, Checks);
  EXPECT_GT(Checks, 10u);
  return Lines.size() == 1 ? Lines[0] : std::to_string(Lines.size()) + " lines";
}

TEST(FactsCheck, SoundFactsHold) { EXPECT_EQ(only(sound()), "0 lines"); }

TEST(FactsCheck, IdsResolve) {
  Facts F = sound();
  F.Accesses[0].Region = 7;
  EXPECT_EQ(only(F), "access at a.c:4:5: no region 0000000000000007");
  F = sound();
  F.Accesses[0].Sites = {2, 9};
  EXPECT_EQ(only(F), "access at a.c:4:5: no site 0000000000000009");
  F = sound();
  F.Accesses[0].Writes = makeSymbol(5);
  EXPECT_EQ(only(F), "access at a.c:4:5: no symbol 0000000000000005");
  F = sound();
  F.Sites.push_back(F.Sites[0]);
  EXPECT_EQ(only(F), "site 0000000000000002 is listed twice");
}

TEST(FactsCheck, WhatIsUncertainSaysWhyAndIsCounted) {
  Facts F = sound();
  F.Accesses[0].Exact = false;
  EXPECT_EQ(only(F), "access at a.c:4:5: not exact, and no reason");
  F.Accesses[0].Why = "conditional";
  EXPECT_EQ(only(F), "give-ups count 'conditional' 0 times, rows name it "
                     "1 times");
  F.GiveUps["conditional"] = 1;
  EXPECT_EQ(only(F), "0 lines");
  F.Accesses[0].Class = AccessFact::Stencil;
  EXPECT_EQ(only(F), "access at a.c:4:5: a stencil needs points");
}

TEST(FactsCheck, TablesHaveRowSizesOrReasons) {
  Facts F = sound();
  F.Sites[0].Rows = SiteFact::Table();
  SiteFact::Table &T = *F.Sites[0].Rows;
  EXPECT_EQ(only(F),
            "table 0000000000000002: needs either a row size or a reason");
  T.Why = "row-length-varies";
  EXPECT_EQ(only(F), "give-ups count 'row-length-varies' 0 times, rows name it "
                     "1 times");
  T.Why.clear();
  T.RowBytes = makeSymbol(5);
  EXPECT_EQ(only(F), "table 0000000000000002: no symbol 0000000000000005");
  T.RowBytes = makeConst(64);
  T.IndexSites = {9};
  EXPECT_EQ(only(F), "table 0000000000000002: no site 0000000000000009");
  T.IndexSites = {2};
  EXPECT_EQ(only(F), "0 lines");
}

TEST(FactsCheck, SymbolsAreNotDefinedByThemselves) {
  Facts F = sound();
  F.Symbols[0].Value = makeOp("+", {makeSymbol(3), makeConst(1)});
  EXPECT_EQ(only(F), "symbol f:n is defined by itself");
}

TEST(FactsCheck, PlacesAreRelative) {
  Facts F = sound();
  F.Units = {"/home/me/a.c"};
  EXPECT_EQ(only(F), "unit '/home/me/a.c' is not a relative path");
  F = sound();
  F.Sites[0].At = "/home/me/a.c:2:9";
  EXPECT_EQ(only(F), "site 0000000000000002: not a place below the root: "
                     "'/home/me/a.c:2:9'");
  F.Sites[0].At = "a.c";
  EXPECT_EQ(only(F),
            "site 0000000000000002: not a place below the root: 'a.c'");
}

TEST(FactsCheck, LoadsAndStoresAddUp) {
  Facts F = sound();
  F.Regions[0].Places = {{"all", 3}, {"stack", 1}};
  F.Accesses[0].Places = 2;
  EXPECT_EQ(only(F), "0 lines");
  F.Accesses[0].Places = 1;
  EXPECT_EQ(only(F), "region 0000000000000001: 3 loads and stores, of which "
                     "rows and private memory have 2");
}
