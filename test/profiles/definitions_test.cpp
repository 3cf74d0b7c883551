//===- definitions_test.cpp - symbols that follow from other symbols ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Scenario.h"
#include "predict/symbols/Definitions.h"
#include "predict/symbols/Ungiven.h"

using namespace evenkeel;

namespace {

enum : uint64_t { Layers = 0x51, Rows = 0x52, N = 0x53, Wrong = 0x54 };

/// main:n = 1000 (the scenario's); rows = n * layers; work:n = rows.
struct Defined : Scenario {
  Defined() : Scenario(1) {
    addSymbol(Layers, "main:layers", "given", 3);
    addSymbol(Rows, "make:rows", "given", 3000);
    addSymbol(N, "work:count", "given", 3000);
    define(Rows, makeOp("*", {Scenario::n(), makeSymbol(Layers)}));
    define(N, makeSymbol(Rows));
    addObject(1, 24000, times(8, makeSymbol(N)));
    addAccess(1, "stream", makeSymbol(N));
  }
  void define(uint64_t Id, ExprRef Value) {
    for (SymbolFact &S : F.Symbols)
      if (S.Id == Id)
        S.Value = Value;
  }
  double bytes() { return predict().Instances.at(0).Bytes; }
};

TEST(Definitions, FollowThroughOthers) {
  Defined S;
  Definitions D(S.F, S.B);
  auto Values = D.follow({{Layers, 6}});
  ASSERT_EQ(Values.size(), 2u);
  EXPECT_EQ(Values[Rows].V, 6000);
  EXPECT_TRUE(Values[Rows].Partly) << "main:n kept its base value";
  EXPECT_EQ(Values[N].V, 6000);
  Values = D.follow({{Layers, 6}, {Scenario::SymN, 10}});
  EXPECT_EQ(Values[N].V, 60);
  EXPECT_FALSE(Values[N].Partly);
  EXPECT_TRUE(D.follow({}).empty());
  // A given value is used, and other values follow from it.
  Values = D.follow({{Layers, 6}, {Rows, 7}});
  EXPECT_EQ(Values.count(Rows), 0u);
  EXPECT_EQ(Values[N].V, 7);
}

TEST(Definitions, TheOneThatIsLeftOpenFollows) {
  Defined S;
  Definitions D(S.F, S.B);
  // rows = n * layers, and count = rows.
  auto Values = D.follow({{Layers, 6}, {N, 7200}});
  EXPECT_EQ(Values[Rows].V, 7200);
  EXPECT_EQ(Values[Scenario::SymN].V, 1200);
  EXPECT_FALSE(Values[Scenario::SymN].Partly);
  Values = D.follow({{Rows, 7200}, {Scenario::SymN, 1200}});
  EXPECT_EQ(Values[Layers].V, 6);
  // If two symbols are open, or nothing fits, no value is guessed.
  EXPECT_EQ(D.follow({{Rows, 7200}}).count(Scenario::SymN), 0u);
  EXPECT_EQ(D.follow({{Layers, 6}, {Rows, 7}}).count(Scenario::SymN), 0u);
  EXPECT_EQ(D.follow({{Layers, 0}, {Rows, 0}}).count(Scenario::SymN), 0u);
}

TEST(Definitions, WhatSeveralValuesFitStaysOpen) {
  Defined S;
  S.addSymbol(Wrong, "f:blocks", "given", 250);
  S.define(Wrong, makeOp("floordiv", {Scenario::n(), makeConst(4)}));
  Definitions D(S.F, S.B);
  ASSERT_NE(D.of(Wrong), nullptr);
  EXPECT_EQ(D.follow({{Wrong, 500}}).count(Scenario::SymN), 0u);
}

TEST(Definitions, DefinitionsThatDisagreeSettleNothing) {
  Defined S;
  S.addSymbol(Wrong, "f:twice", "given", 2000);
  S.define(Wrong, Scenario::times(2, Scenario::n()));
  Definitions D(S.F, S.B);
  EXPECT_EQ(D.follow({{Wrong, 2400}})[Scenario::SymN].V, 1200);
  auto Values = D.follow({{Wrong, 2400}, {Layers, 6}, {Rows, 6600}});
  EXPECT_EQ(Values.count(Scenario::SymN), 0u);
}

TEST(Definitions, SizesKnowWhatIsLeftOpen) {
  Defined S;
  S.addObject(2, 8000, Scenario::times(8, Scenario::n()));
  S.forSymbol("main:layers=6");
  S.forSymbol("make:rows=7200");
  EXPECT_EQ(S.predict().Instances.at(1).Bytes, 9600);
  EXPECT_TRUE(ungivenSymbols(S.F, S.B, S.R.For).empty());
}

TEST(Definitions, WhatTheBaseContradictsIsNotBelieved) {
  Defined S;
  S.addSymbol(Wrong, "f:m", "given", 2999);
  S.define(Wrong, makeSymbol(Rows));
  Definitions D(S.F, S.B);
  EXPECT_EQ(D.of(Wrong), nullptr);
  EXPECT_NE(D.of(Rows), nullptr);
  EXPECT_EQ(D.contradicted(), 1u);
  EXPECT_EQ(D.follow({{Layers, 6}}).count(Wrong), 0u);
}

TEST(Definitions, SymbolsOfSeveralValuesDefineNothing) {
  Defined S;
  S.B.Symbols.push_back({Layers, EK_NO_TASK, 0, 2, 3, 4, 3, 4, 7});
  Definitions D(S.F, S.B);
  EXPECT_EQ(D.of(Rows), nullptr);
  EXPECT_EQ(D.contradicted(), 0u);
}

TEST(Definitions, CyclesEnd) {
  Defined S;
  S.define(Layers, makeOp("floordiv", {makeSymbol(Rows), Scenario::n()}));
  Definitions D(S.F, S.B);
  EXPECT_TRUE(D.follow({}).empty());
  EXPECT_EQ(D.follow({{Layers, 5}})[N].V, 5000);
  EXPECT_EQ(D.follow({{Rows, 5000}})[Layers].V, 5);
  EXPECT_EQ(D.rootsOf(N, {}), (std::set<uint64_t>{Scenario::SymN}));
}

TEST(Definitions, OneGivenValueSpeaksForSizesAndCounts) {
  Defined S;
  EXPECT_EQ(S.bytes(), 24000);
  S.forSymbol("main:layers=6");
  EXPECT_EQ(S.bytes(), 48000);
}

TEST(Definitions, RootsAreWhatIsLeftToGive) {
  Defined S;
  auto Names = [&] {
    std::vector<std::string> Out;
    for (const UngivenSymbol &U : ungivenSymbols(S.F, S.B, S.R.For))
      Out.push_back(U.Name);
    return Out;
  };
  EXPECT_EQ(Names(), (std::vector<std::string>{"main:layers", "main:n"}));
  S.forSymbol("main:layers=6");
  EXPECT_EQ(Names(), (std::vector<std::string>{"main:n"}));
  S.forSymbol("make:rows=6000");
  EXPECT_EQ(Names(), (std::vector<std::string>{}));
}

} // namespace
