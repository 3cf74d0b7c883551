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
  EXPECT_FALSE(Values[N].Agreed) << "the code says so";
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

/// 7434 vertices in 24 layers: each of eight ranks had 22302 rows. It loaded
/// the number from memory, so no code shows the relation.
struct Agreeing : Scenario {
  enum : uint64_t { Vertices = 0x61, Layers, Each, Read };
  Agreeing() : Scenario(8) {
    addSymbol(Vertices, "main:value.1.2", "derived", 7434);
    addSymbol(Layers, "main:layers", "given", 24);
    addSymbol(Each, "main:value.3.4", "derived", 22302);
    addSymbol(Read, "read:n", "given", 7434);
  }
  double followed(const std::map<uint64_t, double> &Given, uint64_t Id) {
    auto Values = Definitions(F, B).follow(Given);
    auto It = Values.find(Id);
    return It == Values.end() ? 0 : It->second.V;
  }
};

TEST(Definitions, NumbersThatAgreedOnTheBaseFollow) {
  Agreeing S;
  EXPECT_EQ(S.followed({{S.Layers, 6}, {S.Each, 41607}}, S.Vertices), 55476);
  EXPECT_EQ(S.followed({{S.Layers, 6}, {S.Each, 41607}}, S.Read), 55476);
  EXPECT_EQ(S.followed({{S.Layers, 6}, {S.Read, 55476}}, S.Each), 41607);
  EXPECT_EQ(S.followed({{S.Read, 55476}}, S.Vertices), 55476);
  EXPECT_EQ(S.followed({{S.Layers, 0}, {S.Each, 41607}}, S.Vertices), 0);
  EXPECT_EQ(S.followed({{S.Layers, 6}, {S.Each, -8}}, S.Vertices), 0);
  // The estimates name the method.
  Definitions D(S.F, S.B);
  EXPECT_TRUE(D.follow({{S.Read, 55476}})[S.Vertices].Agreed);
  const uint32_t X =
      S.addObject(1, 8 * 7434, Scenario::times(8, makeSymbol(S.Vertices)));
  S.addMisses(0, X, 930, 1);
  S.addAccess(1, "stream", makeSymbol(S.Vertices));
  S.forSymbol("read:n=55476");
  const Problem P = S.predict();
  EXPECT_EQ(P.Instances.at(0).Bytes, 8 * 55476);
  EXPECT_EQ(
      P.Methods.count("count: closed form, symbol as one that it agreed with"),
      1u);
  // Layers have no given value, and their base value is too small to compare.
  EXPECT_EQ(S.followed({{S.Read, 55476}}, S.Each), 0);
  EXPECT_EQ(S.followed({{S.Each, 41607}, {S.Read, 55476}}, S.Layers), 0);
}

TEST(Definitions, NumbersThatAgreeByChanceDoNotFollow) {
  Agreeing S;
  // Equal to the scenario's main:n, 1000; a power of two; small.
  S.addSymbol(0x71, "f:buffer", "given", 1000);
  S.addSymbol(0x72, "f:size", "given", 4096);
  S.addSymbol(0x73, "f:block", "given", 4096);
  S.addSymbol(0x74, "f:steps", "given", 24);
  EXPECT_EQ(S.followed({{Scenario::SymN, 2500}}, 0x71), 0);
  EXPECT_EQ(S.followed({{0x72, 8192}}, 0x73), 0);
  EXPECT_EQ(S.followed({{S.Layers, 6}}, 0x74), 0);
  // A loop's total; a symbol with a definition in the code.
  S.addSymbol(0x76, "f:trip", "measured", 7434);
  S.addSymbol(0x77, "f:rows", "given", 178416);
  for (SymbolFact &X : S.F.Symbols)
    if (X.Id == 0x77)
      X.Value = makeOp("*", {makeSymbol(S.Vertices), makeSymbol(S.Layers)});
  EXPECT_EQ(S.followed({{S.Read, 55476}}, 0x76), 0);
  EXPECT_EQ(S.followed({{S.Each, 41607}}, 0x77), 0);
  // Nearly a quotient: 8 * 22302 / 23 is 7757.2.
  S.addSymbol(0x79, "f:parts", "given", 23);
  S.addSymbol(0x7a, "f:near", "derived", 7757);
  EXPECT_EQ(S.followed({{S.Each, 41607}, {0x79, 10}}, 0x7a), 0);
  // A value that was only kept has no consequences.
  S.addSymbol(0x78, "f:copied", "derived", 178416);
  EXPECT_EQ(S.followed({{S.Layers, 6}}, 0x78), 0);
  // Two that were equal and no longer are.
  S.addSymbol(0x75, "f:other", "given", 7434);
  EXPECT_EQ(S.followed({{S.Read, 55476}, {0x75, 9000}}, S.Vertices), 0);
  EXPECT_EQ(S.followed({{S.Read, 55476}, {0x75, 55476}}, S.Vertices), 55476);
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
