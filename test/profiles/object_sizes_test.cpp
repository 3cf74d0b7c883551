//===- object_sizes_test.cpp - sizes of objects on the target -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how objects get their sizes on the target, for each rule alone.
//===----------------------------------------------------------------------===//
#include "StageScenario.h"

using namespace evenkeel;
using namespace evenkeel::prediction;

namespace {

constexpr uint64_t MiB = 1 << 20;

/// Sizes that do not depend on given values do not change, however much more
/// often their arrays are accessed, and whether or not they had another
/// symbol's value on the base input.
TEST(ObjectSizes, IndependentSizesStay) {
  for (const double Cells : {490000.0, 1001001.0}) {
    Scenario S(1, 5000);
    constexpr uint64_t Atol = 0x51, Other = 0x52;
    S.B.Symbols.clear();
    S.addSymbol(Scenario::SymN, "main:particles", "given", 1001001);
    S.F.Symbols[0].Name = "main:particles";
    S.addSymbol(Atol, "atol:value.369.10", "derived", 1001001);
    S.addSymbol(Other, "atol:value.369.10#1", "derived", Cells);
    for (SymbolFact &X : S.F.Symbols)
      if (X.Id != Scenario::SymN)
        X.At = "<system>/stdlib.h:369:10";
    S.F.Symbols[0].Value = makeSymbol(Atol);
    S.addObject(1, 8008008, Scenario::times(8, makeSymbol(Atol)));
    S.addObject(2, uint64_t(8 * Cells), Scenario::times(8, makeSymbol(Other)));
    S.addAccess(1, "stream", Scenario::n(), makeConst(0));
    S.addAccess(2, "random", Scenario::n(), makeConst(0)); // a gather
    S.addMisses(0, 0, 2560, 1);
    S.addMisses(0, 1, 2560, 1);
    S.forSymbol("particles=4004004");
    const Problem P = S.predict();
    EXPECT_NEAR(P.Instances[0].Bytes, 4 * 8008008, 64);
    EXPECT_NEAR(P.Instances[1].Bytes, 8 * Cells, 64) << Cells;
  }
}

/// Without a size formula, the program's work by formulas decides; without that
/// the base size is kept, and both are counted. Static arrays keep their size.
TEST(ObjectSizes, NoFormulaNoSize) {
  Scenario S;
  uint32_t A = S.addObject(1, 8 * MiB), C = S.addObject(2, 8 * MiB);
  S.F.Sites[C].Kind = "static";
  S.addAccess(1, "stream", Scenario::n());
  S.addMisses(0, A, 2560, 1);
  S.addMisses(0, C, 2560, 1);
  S.forSymbol("n=3000");
  Problem P = S.predict();
  EXPECT_EQ(P.Methods["count: ratio of the program's work"], 1u);
  EXPECT_NEAR(total(P.Phases[0].Tasks[0].Demand).ReadLines, 6 * 2560, 1e-6);
  // Object 1 has no size formula; it grows with its accesses.
  EXPECT_EQ(P.Instances[0].Bytes, 24. * MiB);
  EXPECT_EQ(P.Instances[0].Method, "scaled like its accesses");
  EXPECT_EQ(P.Instances[1].Method, "base size kept");
  S.F.Accesses.clear();
  P = S.predict();
  EXPECT_EQ(P.Methods["count: base count kept"], 2u);
  EXPECT_NEAR(total(P.Phases[0].Tasks[0].Demand).ReadLines, 2 * 2560, 1e-6);
}

/// A block that is small on the base input, in a pool larger than it, and large
/// on the target is the same block; with two large ones the match is not known.
TEST(ObjectSizes, SmallBlocksBecomeLarge) {
  for (unsigned Large : {1u, 2u}) {
    Scenario S;
    const uint32_t A =
        S.addObject(1, 65536, Scenario::times(50, Scenario::n()));
    S.B.Instances[A].ordinal = EK_RAW_SMALL;
    S.B.Accesses.push_back({0, A, 1000, 0});
    for (unsigned K = 0; K < Large; ++K) {
      PredictedInstance I;
      I.Site = 1;
      I.Ordinal = K;
      I.AllocPhase = 0;
      I.Bytes = 200000;
      S.R.KnownSizes.push_back(I);
    }
    Problem P = S.predict();
    const PredictedInstance &Is = P.Instances[A];
    EXPECT_EQ(Is.Ordinal, Large == 1 ? 0 : EK_RAW_SMALL);
    EXPECT_EQ(Is.Bytes, Large == 1 ? 200000 : 65536);
    // 50 n are 50,000 bytes on the base input.
    EXPECT_NEAR(P.Phases[0].Tasks[0].Accesses, Large == 1 ? 4000 : 1000, 1e-6);
  }
}

/// The same before a hook sees it: the formula gives its size.
TEST(ObjectSizes, SmallBlocksWillBeLarge) {
  for (bool Large : {false, true}) {
    Scenario S;
    const uint32_t A =
        S.addObject(1, 65536, Scenario::times(50, Scenario::n()));
    S.B.Instances[A].ordinal = EK_RAW_SMALL;
    S.addAccess(1, "random", Scenario::n());
    S.B.Accesses.push_back({0, A, 1000, 0});
    S.forSymbol(Large ? "n=4000" : "n=1200"); // 1000 on the base input
    Problem P = S.predict();
    EXPECT_EQ(P.Instances[A].Ordinal, Large ? 0 : EK_RAW_SMALL);
    if (Large) {
      EXPECT_EQ(P.Instances[A].Bytes, 200000);
    }
    EXPECT_NEAR(P.Phases[0].Tasks[0].Accesses, Large ? 4000 : 1200, 1e-6);
  }
}

/// If blocks are small on both inputs, both sizes are those of the pool, even
/// if a formula gives the size of one block.
TEST(ObjectSizes, SmallBlocksStaySmall) {
  Scenario S;
  const uint32_t A = S.addObject(1, 65536, Scenario::times(1, Scenario::n()));
  S.B.Instances[A].ordinal = EK_RAW_SMALL;
  S.B.Accesses.push_back({0, A, 1000, 0});
  PredictedInstance I;
  I.Site = 1;
  I.Ordinal = EK_RAW_SMALL;
  I.AllocPhase = 0;
  I.Bytes = 65536;
  S.R.KnownSizes = {I};
  Problem P = S.predict();
  EXPECT_EQ(P.Instances[A].Ordinal, EK_RAW_SMALL);
  EXPECT_NEAR(P.Phases[0].Tasks[0].Accesses, 1000, 1e-6);
}

/// A size formula that does not give the base size is not trusted.
TEST(ObjectSizes, WrongSizeFormula) {
  Scenario S;
  S.addObject(1, 8 * MiB, Scenario::n());
  S.forSymbol("n=3000");
  Problem P = S.predict();
  EXPECT_EQ(P.Instances[0].Bytes, 8. * MiB);
  EXPECT_EQ(P.Instances[0].Method, "base size kept");
}

/// Callers of a wrapper request different sizes: an instance has the formula
/// that gives its base size, if all such formulas agree on the target.
TEST(ObjectSizes, SizesOfAWrappersCallers) {
  auto Predict = [](std::vector<ExprRef> Sizes) {
    Scenario S;
    S.addObject(1, 4000000, nullptr);
    S.F.Sites[0].Sizes = std::move(Sizes);
    S.forSymbol("n=2000"); // 1000 on the base input
    return S.predict();
  };
  ExprRef Linear = Scenario::times(4000, Scenario::n());
  ExprRef Square =
      Scenario::times(4, makeOp("*", {Scenario::n(), Scenario::n()}));
  ExprRef Other = Scenario::times(8, Scenario::n());
  Problem P = Predict({Other, Square});
  EXPECT_EQ(P.Instances[0].Bytes, 16000000);
  EXPECT_EQ(P.Instances[0].Method, "size formula");
  P = Predict({Linear, Square});
  EXPECT_EQ(P.Instances[0].Bytes, 4000000);
  EXPECT_EQ(P.Instances[0].Method, "base size kept");
  EXPECT_EQ(P.Methods["size: formulas of several callers fit and differ"], 1u);
}

/// Two calls of a wrapper requested the same size on a square base input: the
/// profile records which call made which block, in any order.
TEST(ObjectSizes, SizesOfContexts) {
  auto Predict = [](uint64_t First, uint64_t Second) {
    Scenario S;
    enum : uint64_t { Columns = 0x33 };
    S.addSymbol(Columns, "main:columns", "given", 1000);
    for (uint64_t Context : {First, Second})
      S.B.Instances[S.addObject(1, 8000000, nullptr)].context = Context;
    ExprRef Wide = Scenario::times(
        8, makeOp("*", {makeSymbol(Columns), makeSymbol(Columns)}));
    ExprRef High =
        Scenario::times(8, makeOp("*", {Scenario::n(), makeSymbol(Columns)}));
    SiteFact &Site = S.F.Sites[0];
    Site.Sizes = {High, Wide};
    Site.Contexts = {{0xa, {"m.c:10:3"}, Wide},
                     {0xb, {"m.c:9:30"}, High},
                     {0xc, {"m.c:1:1"}, nullptr}};
    S.forSymbol("n=3000");
    S.forSymbol("main:columns=2000");
    std::vector<double> Sizes;
    for (const PredictedInstance &I : S.predict().Instances)
      Sizes.push_back(I.Bytes / 8e6);
    return Sizes;
  };
  using Sizes = std::vector<double>;
  EXPECT_EQ(Predict(0xa, 0xb), (Sizes{4, 6}));
  EXPECT_EQ(Predict(0xb, 0xa), (Sizes{6, 4}));
  // For an older profile, or a call of unknown size, it is not known.
  EXPECT_EQ(Predict(0, 0), (Sizes{1, 1}));
  EXPECT_EQ(Predict(0xc, 0xd), (Sizes{1, 1}));
}

TEST(ObjectSizes, SizesKnownAtTheHook) {
  Scenario S;
  uint32_t A = S.addObject(1, 8 * MiB);
  S.addMisses(0, A, 2560, 1);
  PredictedInstance K;
  K.Site = 1;
  K.Bytes = 16. * MiB;
  S.R.KnownSizes = {K};
  Problem P = S.predict();
  EXPECT_EQ(P.Instances[0].Bytes, 16. * MiB);
  EXPECT_EQ(P.Instances[0].Method, "known at the hook");
  EXPECT_NEAR(total(P.Phases[0].Tasks[0].Demand).ReadLines, 2 * 2560, 1e-6);
}

/// A size whose symbols do not depend on given values is kept, although its
/// accesses grow: "n" and "a.n" are namesakes.
TEST(ObjectSizes, SizesOfWhatIsNotGivenStay) {
  Scenario S;
  S.addSymbol(0x37, "f:entries", "given", 8388608);
  S.addSymbol(0x38, "f:a.n", "given", 1000);
  uint32_t A = S.addObject(1, 8 * MiB, makeSymbol(0x37));
  S.addAccess(1, "random", Scenario::times(7, makeSymbol(0x38)));
  S.addMisses(0, A, 2560, 1);
  S.forSymbol("main:n=3000");
  Problem P = S.predict();
  EXPECT_EQ(P.Instances[0].Bytes, 8. * MiB);
  EXPECT_EQ(P.Instances[0].Method,
            "base size: its formula names nothing given");
}

/// Blocks of 8 MiB: with a formula, with accesses only, with neither.
TEST(ObjectSizes, StageByWays) {
  Scenario S;
  S.addObject(1, 8 * MiB, Scenario::times(8 * MiB / 1000., Scenario::n()));
  S.addObject(2, 8 * MiB);
  S.addAccess(2, "random", Scenario::times(5, Scenario::n()));
  S.addObject(3, 8 * MiB);
  using Ways = std::vector<SizeWay>;
  S.forSymbol("n=3000");
  const ObjectSizes On = Stages(S).Sizes;
  EXPECT_EQ(On.Way, Ways({SizeWay::Formula, SizeWay::Accesses, SizeWay::Base}));
  EXPECT_EQ(On.Ratio, std::vector<double>({3, 3, 1}));
  EXPECT_EQ(On.Methods.at("size: scaled like its accesses"), 1u);
  S.R.Use.SizeByAccesses = false;
  const ObjectSizes Off = Stages(S).Sizes;
  EXPECT_EQ(Off.Way, Ways({SizeWay::Formula, SizeWay::Base, SizeWay::Base}));
  EXPECT_EQ(Off.Ratio, std::vector<double>({3, 1, 1}));
}

/// Units are powers of two of an instance, of 64 KiB or more.
TEST(ObjectSizes, UnitsOfInstances) {
  std::vector<PredictedInstance> All(3);
  All[0].Bytes = 100000;
  All[1].Bytes = 4 * 65536;
  All[2].Bytes = 1e12;
  const std::vector<Unit> Units = unitsOf(All);
  ASSERT_EQ(Units.size(), 1u + 4 + EK_CHUNKS);
  EXPECT_EQ(Units[1].Instance, 1u);
  EXPECT_EQ(Units[4].From, 3 * EK_CHUNKS / 4);
  EXPECT_EQ(Units[4].To, unsigned(EK_CHUNKS));
  EXPECT_EQ(Units[4].Bytes, 65536);
}

} // namespace
