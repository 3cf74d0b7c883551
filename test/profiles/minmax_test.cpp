//===- minmax_test.cpp - the planner's LP against an exact solver ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: hand-computed optima, properties, and 1,000 random
// instances (EVENKEEL_MINMAX_INSTANCES for more) compared with GLPK's simplex
// method (skipped, with the reason, where GLPK is absent).
//===----------------------------------------------------------------------===//
#include "planner/MinMax.h"
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#ifdef EK_HAVE_GLPK
#include <glpk.h>
#endif

using namespace evenkeel;

namespace {

/// Two tasks, two private objects of half a capacity each. Task 0 takes 10 and
/// can save 6, task 1 takes 8 and can save 4: with x0 + x1 = 1 (in object
/// shares, room for one object) the times meet at 10 - 6 x0 = 8 - 4 (1 - x0),
/// x0 = 0.6, both 6.4.
TEST(MinMax, BalancesTwoTasks) {
  MinMaxProblem P;
  P.Variables = 2;
  P.Groups = {{{10, {{0, 6}}}, {8, {{1, 4}}}}};
  P.Capacities = {{{0, 1}, {1, 1}}};
  MinMaxSolution S = solveMinMax(P, 1e-6);
  EXPECT_NEAR(S.Value, 6.4, 1e-4);
  EXPECT_NEAR(S.X[0], 0.6, 1e-3);
  EXPECT_LE(S.LowerBound, S.Value + 1e-12);
}

TEST(MinMax, EverythingFits) {
  MinMaxProblem P;
  P.Variables = 2;
  P.Groups = {{{10, {{0, 6}}}, {8, {{1, 4}}}}};
  P.Capacities = {{{0, 0.4}, {1, 0.4}}};
  EXPECT_NEAR(solveMinMax(P).Value, 4, 1e-9);
}

TEST(MinMax, NoCapacityRowsAndNoVariables) {
  MinMaxProblem P;
  P.Groups = {{{3, {}}, {5, {}}}, {{1, {}}}};
  EXPECT_DOUBLE_EQ(solveMinMax(P).Value, 6);
}

/// Objects that never live together share the room one after the other.
TEST(MinMax, CapacityPerMoment) {
  MinMaxProblem P;
  P.Variables = 2;
  P.Groups = {{{10, {{0, 6}}}}, {{8, {{1, 4}}}}};
  P.Capacities = {{{0, 1}}, {{1, 1}}};
  EXPECT_NEAR(solveMinMax(P).Value, 8, 1e-3);
}

/// A unit that loses (bandwidth of the fast tier) stays out.
TEST(MinMax, NegativeGain) {
  MinMaxProblem P;
  P.Variables = 1;
  P.Groups = {{{2, {{0, -3}}}, {1, {{0, 1}}}}};
  P.Capacities = {{{0, 0.1}}};
  EXPECT_NEAR(solveMinMax(P).Value, 2, 1e-6);
}

MinMaxProblem randomProblem(unsigned Seed) {
  std::mt19937 R(Seed);
  auto Uniform = [&](double A, double B) {
    return A + (B - A) * (R() / 4294967296.0);
  };
  auto Pick = [&](unsigned A, unsigned B) { return A + R() % (B - A + 1); };
  MinMaxProblem P;
  P.Variables = Pick(1, 120);
  unsigned Groups = Pick(1, 6);
  std::vector<double> Bytes;
  double Sum = 0;
  for (size_t U = 0; U < P.Variables; ++U) {
    Bytes.push_back(std::exp(Uniform(0, 8)));
    Sum += Bytes.back();
  }
  double Share = std::exp(Uniform(std::log(0.02), std::log(1.1)));
  std::vector<unsigned> From(P.Variables, 0), To(P.Variables, Groups - 1);
  if (Seed % 3 == 0)
    for (size_t U = 0; U < P.Variables; ++U) {
      From[U] = Pick(0, Groups - 1);
      To[U] = Pick(From[U], Groups - 1);
    }
  for (unsigned G = 0; G < Groups; ++G) {
    P.Groups.emplace_back();
    P.Capacities.emplace_back();
    double Core = Uniform(0, 2);
    for (unsigned T = Pick(1, 12); T--;) {
      MinMaxRow Row;
      double Saved = 0;
      for (uint32_t U = 0; U < P.Variables; ++U) {
        if (From[U] > G || To[U] < G || R() % 4)
          continue;
        double B = Bytes[U] / Sum * std::exp(Uniform(-3, 3));
        if (R() % 40 == 0)
          B = -B;
        Row.B.emplace_back(U, B);
        Saved += std::max(0.0, B);
      }
      Row.A = Core * Uniform(0.5, 1) + Saved * Uniform(1.1, 2);
      P.Groups.back().push_back(std::move(Row));
    }
    for (uint32_t U = 0; U < P.Variables; ++U)
      if (From[U] <= G && G <= To[U])
        P.Capacities.back().emplace_back(U, Bytes[U] / (Sum * Share));
  }
  if (Seed % 3)
    P.Capacities.resize(1); // all objects live all the time
  return P;
}

#ifdef EK_HAVE_GLPK
double exact(const MinMaxProblem &P) {
  glp_prob *L = glp_create_prob();
  glp_set_obj_dir(L, GLP_MIN);
  int N = static_cast<int>(P.Variables), G = static_cast<int>(P.Groups.size());
  glp_add_cols(L, N + G);
  for (int U = 1; U <= N; ++U)
    glp_set_col_bnds(L, U, GLP_DB, 0, 1);
  for (int I = 1; I <= G; ++I) {
    glp_set_col_bnds(L, N + I, GLP_FR, 0, 0);
    glp_set_obj_coef(L, N + I, 1);
  }
  auto Add = [&](int Kind, double Bound,
                 const std::vector<std::pair<uint32_t, double>> &Entries,
                 int Extra) {
    int R = glp_add_rows(L, 1);
    glp_set_row_bnds(L, R, Kind, Bound, Bound);
    std::vector<int> Index{0};
    std::vector<double> Value{0};
    for (auto [U, V] : Entries) {
      Index.push_back(static_cast<int>(U) + 1);
      Value.push_back(V);
    }
    if (Extra) {
      Index.push_back(Extra);
      Value.push_back(1);
    }
    glp_set_mat_row(L, R, static_cast<int>(Index.size()) - 1, Index.data(),
                    Value.data());
  };
  for (int I = 0; I < G; ++I)
    for (const MinMaxRow &R : P.Groups[static_cast<size_t>(I)])
      Add(GLP_LO, R.A, R.B, N + I + 1);
  for (const auto &C : P.Capacities)
    Add(GLP_UP, 1, C, 0);
  glp_smcp Param;
  glp_init_smcp(&Param);
  Param.msg_lev = GLP_MSG_OFF;
  EXPECT_EQ(glp_simplex(L, &Param), 0);
  EXPECT_EQ(glp_get_status(L), GLP_OPT);
  double V = glp_get_obj_val(L);
  glp_delete_prob(L);
  return V;
}
#endif

TEST(MinMax, AgreesWithExactSolver) {
#ifndef EK_HAVE_GLPK
  GTEST_SKIP() << "GLPK (libglpk-dev) was not found at configure time";
#else
  double Worst = 0, Sum = 0;
  unsigned Iterations = 0;
  const char *More = std::getenv("EVENKEEL_MINMAX_INSTANCES");
  const unsigned Instances =
      More ? unsigned(std::strtoul(More, nullptr, 10)) : 1000;
  ASSERT_GT(Instances, 0u);
  for (unsigned Seed = 0; Seed < Instances; ++Seed) {
    MinMaxProblem P = randomProblem(Seed);
    MinMaxSolution S = solveMinMax(P);
    double Optimum = exact(P);
    double Error = (S.Value - Optimum) / std::fabs(Optimum);
    EXPECT_GE(Error, -1e-7) << "seed " << Seed;
    EXPECT_LE(Error, 1e-3) << "seed " << Seed << " n " << P.Variables;
    EXPECT_LE(S.LowerBound, Optimum * (1 + 1e-7)) << "seed " << Seed;
    Worst = std::max(Worst, Error);
    Sum += Error;
    Iterations += S.Iterations;
    for (double X : S.X)
      EXPECT_TRUE(X >= 0 && X <= 1);
    for (const auto &C : P.Capacities) {
      double Used = 0;
      for (auto [U, W] : C)
        Used += W * S.X[U];
      EXPECT_LE(Used, 1 + 1e-9);
    }
  }
  RecordProperty("worst_ppm", static_cast<int>(Worst * 1e6));
  if (More)
    std::printf("soaked: minmax: %u instances\n", Instances);
  std::printf("worst error %.6f, mean %.6f, iterations %u\n", Worst,
              Sum / Instances, Iterations / Instances);
  EXPECT_LE(Worst, 0.001);
#endif
}

} // namespace
