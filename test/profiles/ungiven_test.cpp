//===- ungiven_test.cpp - symbols without a value on the target -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: synthetic programs whose formulas need symbols that --for names, that
// share a quantity with others, or that it does not name.
//===----------------------------------------------------------------------===//
#include "Scenario.h"
#include "predict/symbols/Ungiven.h"

using namespace evenkeel;

namespace {

std::vector<std::string> names(const Scenario &S) {
  std::vector<std::string> Out;
  for (const UngivenSymbol &U : ungivenSymbols(S.F, *S.R.Base, S.R.For))
    Out.push_back(U.Name);
  return Out;
}
using Names = std::vector<std::string>;

TEST(Ungiven, WhatFormulasNeedAndNobodyGave) {
  Scenario S(2);
  S.addSymbol(0x31, "main:m", "given", 77);
  S.addSymbol(0x32, "main:unused", "given", 5);
  S.addSymbol(0x33, "main:omp_get_num_threads()", "given", 2);
  S.addSymbol(0x34, "work:trip#1", "measured", 40, 0);
  S.addSymbol(0x34, "work:trip#1", "measured", 60, 1);
  S.addObject(1, 8000, Scenario::times(8, Scenario::n()));
  S.addAccess(1, "random", Scenario::times(2, makeSymbol(0x34)),
              makeOp("*", {Scenario::n(), makeSymbol(0x33)}));
  S.addObject(2, 616, Scenario::times(8, makeSymbol(0x31)));
  S.addAccess(2, "random", makeOp("+", {makeSymbol(0x31), Scenario::n()}));

  // The target is the base: nothing is missing, everything has its base value.
  for (const UngivenSymbol &U : ungivenSymbols(S.F, S.B, {}))
    EXPECT_TRUE(U.Kept) << U.Name;
  EXPECT_EQ(names(S), (Names{"main:n", "main:m", "work:trip#1"}));

  S.forSymbol("n=2000");
  S.predict();
  std::vector<UngivenSymbol> U = ungivenSymbols(S.F, S.B, S.R.For);
  ASSERT_EQ(U.size(), 2u);
  EXPECT_EQ(U[0].Name, "main:m");
  EXPECT_EQ(U[0].Kind, SymbolFact::Given);
  EXPECT_TRUE(U[0].Kept);
  EXPECT_FALSE(U[0].PerTask);
  EXPECT_EQ(U[0].Low, 77);
  EXPECT_EQ(U[0].High, 77);
  EXPECT_EQ(U[0].Formulas, 2u);
  EXPECT_EQ(U[1].Name, "work:trip#1");
  EXPECT_FALSE(U[1].Kept);
  EXPECT_TRUE(U[1].PerTask);
  EXPECT_EQ(U[1].Low, 40);
  EXPECT_EQ(U[1].High, 60);

  // Each listed name is accepted by --for.
  S.forSymbol(U[0].Name + "=100");
  S.forSymbol(U[1].Name + "@0=100");
  S.predict();
  EXPECT_EQ(names(S), Names{});
}

TEST(Ungiven, SharedQuantitiesAreGiven) {
  Scenario S(2);
  S.addSymbol(0x31, "work:a.n", "given", 1000); // main:n, handed on
  S.addSymbol(0x32, "other:n", "given", 999);   // another n
  S.addSymbol(0x33, "work:first", "measured", 40, 0);
  S.addSymbol(0x33, "work:first", "measured", 60, 1);
  S.addSymbol(0x34, "work:again", "measured", 40, 0);
  S.addSymbol(0x34, "work:again", "measured", 60, 1);
  S.addObject(1, 8000);
  S.addAccess(1, "random", makeSymbol(0x31), makeSymbol(0x32));
  S.addAccess(1, "random", makeSymbol(0x33), makeSymbol(0x34));
  S.forSymbol("main:n=2000");
  EXPECT_EQ(names(S), (Names{"other:n", "work:again", "work:first"}));
  S.forSymbol("first=100");
  EXPECT_EQ(names(S), Names{"other:n"});
}

TEST(Ungiven, WhatAnUnknownSymbolScalesWithIsNeeded) {
  Scenario S;
  S.addSymbol(0x31, "work:trip", "measured", 500);
  S.addSymbol(0x32, "main:steps", "given", 4);
  S.F.Symbols[1].ScalesWith = makeSymbol(0x32);
  S.addObject(1, 8000);
  S.addAccess(1, "random", makeSymbol(0x31));
  S.addSymbol(0x33, "main:idle", "given", 7); // its object is never made
  SiteFact Unmade;
  Unmade.Id = 9;
  Unmade.Size = makeSymbol(0x33);
  S.F.Sites.push_back(Unmade);
  S.forSymbol("n=2000");
  EXPECT_EQ(names(S), (Names{"main:steps", "work:trip"}));
  S.forSymbol("trip=900");
  EXPECT_EQ(names(S), Names{});
}

TEST(Ungiven, WhatTheBaseRunHasNotTold) {
  Scenario S(2);
  S.addSymbol(0x31, "main:never", "measured", 0);
  for (auto [Id, Name] :
       {std::pair(0x32, "other:trip.7"), {0x33, "main:elsewhere"}}) {
    S.addSymbol(Id, Name, "measured", 5);
    S.B.Symbols.pop_back();
  }
  S.addObject(1, 8000, Scenario::times(8, Scenario::n()));
  S.addAccess(1, "random", makeOp("+", {makeSymbol(0x31), Scenario::n()}));
  EXPECT_EQ(unmeasuredSymbols(S.F, S.B), Names());
  S.addAccess(1, "stream", Scenario::times(2, makeSymbol(0x32)));
  EXPECT_EQ(unmeasuredSymbols(S.F, S.B), Names{"other:trip.7"});
  // Formulas of objects that the run did not make are not needed.
  S.addAccess(7, "stream", makeSymbol(0x33));
  EXPECT_EQ(unmeasuredSymbols(S.F, S.B), Names{"other:trip.7"});
}

} // namespace
