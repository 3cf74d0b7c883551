//===- fits_test.cpp - fits over several base inputs ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which fit is chosen, when it is used, and what it changes in a
// prediction.
//===----------------------------------------------------------------------===//
#include "Scenario.h"
#include "format/plan/FittedValues.h"
#include "predict/fits/SeveralBases.h"
#include <cmath>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using namespace evenkeel::fits;

namespace {

TEST(Terms, ValuesAndTexts) {
  EXPECT_EQ((Term{2, 0}.at(3)), 9);
  EXPECT_EQ((Term{1, 1}.at(8)), 24);
  EXPECT_FALSE((Term{1, 1}.at(1))); // its logarithm is 0
  EXPECT_TRUE((Term{1, 0}.at(1)));
  EXPECT_EQ((Term{1.5, 1}.text("n")), "n^1.5 log(n)");
  EXPECT_EQ((Term{1, 0}.text("n")), "n");
  EXPECT_EQ((Term{0, 0}.text("n")), "constant");
}

TEST(Terms, LineThroughPoints) {
  const auto C = lineThrough({{1, 5}, {2, 7}, {4, 11}}); // 3 + 2 t
  ASSERT_TRUE(C);
  EXPECT_NEAR(C->first, 3, 1e-9);
  EXPECT_NEAR(C->second, 2, 1e-9);
  EXPECT_FALSE(lineThrough({{1, 5}, {1, 7}}));         // one place
  EXPECT_FALSE(lineThrough({{1, 5}, {2, 0}}));         // no value
  EXPECT_FALSE(lineThrough({{1, 1}, {2, 4}, {3, 9}})); // would start below 0
}

Inputs inputs(std::vector<double> N, double Target) {
  return {{{"n", std::move(N), Target}}, 0};
}

/// A quantity of one task; \p OneBase: what one base predicts for the others.
Series series(const std::vector<double> &Recorded,
              const std::vector<double> &OneBase) {
  Series S;
  Member &M = S.Members.emplace_back();
  for (size_t I = 0; I < Recorded.size(); ++I) {
    M.Recorded.push_back(Recorded[I]);
    M.Predicted.push_back(I ? OneBase[I - 1] : Recorded[0]);
  }
  return S;
}

TEST(ChooseFit, TwoInputsTellOneCoefficient) {
  const auto C = chooseFit(series({1e6, 4e6}, {2e6}), inputs({10, 20}, 40));
  ASSERT_TRUE(C);
  EXPECT_EQ(C->Best.Of.Power, 2);
  EXPECT_EQ(C->Best.Of.Logs, 0u);
  EXPECT_EQ(C->Best.Constant, 0);
  EXPECT_NEAR(C->Times, 16, 1e-9);
  EXPECT_NEAR(C->Judged, 0, 1e-9);
  EXPECT_NEAR(C->OneBase, std::log(2), 1e-4);
  // The target is twice as far as the other input.
  EXPECT_NEAR(C->OneOff, 2 * C->OneBase, 1e-9);
  EXPECT_TRUE(C->IsBetter);
}

TEST(ChooseFit, OneBaseStandsIfItIsRight) {
  const auto C = chooseFit(series({1e6, 4e6}, {4e6}), inputs({10, 20}, 40));
  ASSERT_TRUE(C);
  EXPECT_FALSE(C->IsBetter);
}

TEST(ChooseFit, SimpleIfAsGood) {
  // x^1.02: two inputs do not tell it from x.
  const auto C = chooseFit(series({1e6, 2.03e6}, {1e6}), inputs({10, 20}, 40));
  ASSERT_TRUE(C);
  EXPECT_EQ(C->Best.Of.Power, 1);
  EXPECT_EQ(C->Best.Of.Logs, 0u);
}

/// A value that jumps grows with no power.
TEST(ChooseFit, BadFitsExplainNothing) {
  const auto C = chooseFit(series({1e4, 1e9}, {1e4}), inputs({10, 20}, 40));
  ASSERT_TRUE(C);
  EXPECT_GT(C->Judged, 1);
  EXPECT_FALSE(C->IsBetter);
}

/// No simple term explains both inputs.
TEST(ChooseFit, ErrorsGrowWithTheDistance) {
  const Series S = series({1e6, 3.7e6}, {1e6});
  const auto Near = chooseFit(S, inputs({10, 20}, 20)),
             Far = chooseFit(S, inputs({10, 20}, 80));
  ASSERT_TRUE(Near && Far);
  EXPECT_GT(Near->Judged, 0.01);
  EXPECT_GE(Far->Off, 2.9 * Near->Judged);
  EXPECT_TRUE(Near->IsBetter);
}

/// Both variables explain the base inputs, and disagree on the target.
TEST(ChooseFit, DisagreementCountsAsError) {
  Inputs In = inputs({10, 20}, 40);
  const Series S = series({1e6, 2e6}, {1e6});
  const auto Alone = chooseFit(S, In);
  In.Variables.push_back({"steps", {10, 20}, 10});
  const auto Both = chooseFit(S, In);
  ASSERT_TRUE(Alone && Both);
  EXPECT_NEAR(Alone->Off, 0, 1e-9);
  EXPECT_NEAR(Both->Off, std::log(4) / 2, 1e-9);
  EXPECT_EQ(Both->Best.Variable, 0u); // the first
}

TEST(ChooseFit, ThreeInputsTellAConstant) {
  auto Y = [](double N) { return 1e6 + 1e5 * N; };
  const auto C = chooseFit(series({Y(10), Y(20), Y(100)}, {Y(10), Y(10)}),
                           inputs({10, 20, 100}, 400));
  ASSERT_TRUE(C);
  EXPECT_GT(C->Best.Constant, 0);
  EXPECT_NEAR(C->Times, Y(400) / Y(10), 1e-6);
  EXPECT_TRUE(C->IsBetter);
}

TEST(ChooseFit, NothingToCompare) {
  Series S = series({1e6, 4e6}, {2e6});
  S.Members[0].Recorded[1].reset();
  S.Members[0].Predicted[1].reset();
  EXPECT_FALSE(chooseFit(S, inputs({10, 20}, 40)));
  EXPECT_FALSE(chooseFit(series({0, 4e6}, {0}), inputs({10, 20}, 40)));
}

/// Two inputs of a program with an object whose size and accesses grow with
/// n * n, which no formula says.
struct Quadratic {
  Scenario Small, Large;
  Quadratic() {
    fill(Small, 1000);
    fill(Large, 2000);
    Large.B.Input = "00000000000000bb";
    Small.forSymbol("n=4000");
  }
  static void fill(Scenario &S, double N) {
    S.B.Symbols.clear();
    S.addSymbol(Scenario::SymN, "main:n", "given", N);
    const uint64_t Lines = uint64_t(N * N / 50);
    S.B.Tasks[0].core_cycles = uint64_t(N * N);
    S.addObject(1, 64 * Lines);
    S.addMisses(0, 0, Lines / EK_CHUNKS * EK_CHUNKS, 1);
  }
  std::vector<const Profile *> bases() const { return {&Small.B, &Large.B}; }
  SeveralBases fit(const Profile &From, const CommandLine &Target = {}) {
    Small.R.Base = &From;
    auto Made = fitBases(Small.R, bases(), Target);
    EXPECT_TRUE(bool(Made)) << (Made ? "" : Made.message());
    return Made ? *Made : SeveralBases();
  }
};

TEST(SeveralBases, GrowthWithoutFormula) {
  Quadratic Q;
  const auto Nearest = nearestBase(Q.Small.R, Q.bases(), {});
  ASSERT_TRUE(bool(Nearest));
  ASSERT_EQ(*Nearest, 1u);
  Q.Small.R.Base = &Q.Large.B;
  const Problem One = Q.Small.predict();
  EXPECT_EQ(One.Instances[0].Bytes, double(Q.Large.B.Instances[0].bytes));
  const SeveralBases S = Q.fit(Q.Large.B);
  Q.Small.R.Fitted = S.Values;
  const Problem P = Q.Small.predict();
  EXPECT_NEAR(P.Instances[0].Bytes, 4.0 * Q.Large.B.Instances[0].bytes, 1e-3);
  const PredictedTask &T = P.Phases[0].Tasks[0], &Old = One.Phases[0].Tasks[0];
  EXPECT_NEAR(T.Accesses, 4 * Old.Accesses, 0.01 * T.Accesses);
  EXPECT_NEAR(total(T.Demand).ReadLines, 4 * total(Old.Demand).ReadLines,
              0.01 * total(T.Demand).ReadLines);
  EXPECT_NEAR(T.Demand.CoreSeconds, 16e-3, 16e-5);
  EXPECT_FALSE(T.Determined);
}

/// Tasks that compute more per access on larger inputs.
TEST(SeveralBases, CoreTimeWithoutAccesses) {
  Quadratic Q;
  Q.Small.B.Tasks[0].core_cycles = 1000000000;
  Q.Large.B.Tasks[0].core_cycles = 8000000000;
  Q.Small.R.Fitted = Q.fit(Q.Small.B).Values;
  const PredictedTask T = Q.Small.predict().Phases[0].Tasks[0];
  EXPECT_EQ(T.Core, CoreWay::Bases);
  EXPECT_NEAR(T.Demand.CoreSeconds, 64, 0.64);
  EXPECT_LT(coreBoundOf(T.Core, T.Estimates, T.CoreOff), 0.1);
}

/// A size that a hook sees takes precedence over one of a fit.
TEST(SeveralBases, HooksKnowBetter) {
  Quadratic Q;
  Q.Small.R.Fitted = Q.fit(Q.Small.B).Values;
  PredictedInstance K;
  K.Site = 1;
  K.Bytes = 3e6;
  Q.Small.R.KnownSizes = {K};
  EXPECT_EQ(Q.Small.predict().Instances[0].Bytes, 3e6);
}

/// The command line may tell inputs apart where no symbol does.
TEST(SeveralBases, ArgumentsAreVariables) {
  Quadratic Q;
  Q.Small.R.For.clear();
  Q.Small.B.Ran.Arguments = {"program", "grid:1000", "7"};
  Q.Large.B.Ran.Arguments = {"program", "grid:2000", "7"};
  const SeveralBases S =
      Q.fit(Q.Small.B, {{"program", "grid:4000", "7"}, {}, {}});
  ASSERT_EQ(S.In.Variables.size(), 1u);
  EXPECT_EQ(S.In.Variables[0].Name, "argument 1");
  Q.Small.R.Fitted = S.Values;
  EXPECT_NEAR(Q.Small.predict().Instances[0].Bytes,
              16.0 * Q.Small.B.Instances[0].bytes, 1e-3);
  // Another kind of input is not compared.
  EXPECT_TRUE(
      Q.fit(Q.Small.B, {{"program", "file", "7"}, {}, {}}).Rows.empty());
}

/// With a right formula, there is nothing to fit.
TEST(SeveralBases, FormulasStand) {
  Quadratic Q;
  for (Scenario *S : {&Q.Small, &Q.Large}) {
    S->B.Instances[0].bytes = 8 * uint64_t(S->B.Symbols[0].first);
    S->B.Misses.clear();
    S->B.Accesses.clear();
    S->F.Sites[0].Size = Scenario::times(8, Scenario::n());
    S->B.Tasks[0].core_cycles = 5000;
  }
  const SeveralBases S = Q.fit(Q.Large.B);
  ASSERT_FALSE(S.Rows.empty());
  EXPECT_TRUE(S.Values.empty());
}

TEST(FittedValues, RoundTrip) {
  FittedValues V;
  V.Sizes.push_back({{1, 2, 3, 4, 5}, {2.5, 0.25}});
  V.Tasks.push_back({6, 7, true, FittedGrowth{3, 0.5}, true, {}});
  V.Tasks[0].Objects.push_back({{1, 2, 3, 4, 5}, {}, FittedGrowth{4, 0}, 6});
  const nlohmann::json J = fittedToJson(V);
  const auto Again = fittedFromJson(J, "fitted", "x");
  ASSERT_TRUE(bool(Again)) << Again.message();
  EXPECT_EQ(fittedToJson(*Again), J);
  EXPECT_EQ(Again->Tasks[0].Objects[0].Lines->Times, 4);
  EXPECT_FALSE(Again->Tasks[0].Objects[0].Accesses);
}

TEST(FittedValues, Refusals) {
  using nlohmann::json;
  auto Refused = [](const char *Text) {
    return !fittedFromJson(json::parse(Text), "fitted", "x");
  };
  const std::string Name = R"("0000000000000001","0000000000000000",0,0,0)";
  auto Sizes = [&](const std::string &Growth) {
    return R"({"sizes":[[)" + Name + "," + Growth + R"(]],"tasks":[]})";
  };
  EXPECT_FALSE(Refused(Sizes("2,0.1").c_str()));
  for (const char *Bad : {"0,0.1", "2,-1", "\"2\",0", "2", "2,0.1,3"})
    EXPECT_TRUE(Refused(Sizes(Bad).c_str())) << Bad;
  EXPECT_TRUE(Refused("[]"));
  EXPECT_TRUE(Refused(R"({"sizes":[],"tasks":[[1]]})"));
  EXPECT_TRUE(Refused(
      R"({"sizes":[],"tasks":[["0000000000000001","0000000000000002",false,)"
      R"([1],false,[]]]})"));
}

} // namespace
