//===- imbalance_test.cpp - systematic and dynamic imbalance ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: made-up times of ranks whose shares are known by construction.
//===----------------------------------------------------------------------===//
#include "TempDir.h"
#include "collectives/Decompose.h"
#include "format/File.h"

#include <functional>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace evenkeel;

namespace {

constexpr uint64_t Sum = 0x51, Other = 0x52;

/// \p Count passages of \p Ranks ranks, which work \p Seconds(rank, passage).
std::vector<RankWork>
passages(uint32_t Ranks, uint32_t Count,
         const std::function<double(uint32_t, uint32_t)> &Seconds) {
  std::vector<RankWork> Out(Ranks);
  for (uint32_t R = 0; R < Ranks; ++R) {
    Out[R].Rank = R;
    Out[R].Collectives[Sum] = {Count, "MPI_Allreduce"};
    for (uint32_t K = 0; K < Count; ++K)
      Out[R].Samples.push_back({K, Sum, Seconds(R, K)});
  }
  return Out;
}

uint64_t hashed(uint64_t X) {
  X = (X ^ X >> 31) * 0x9e3779b97f4a7c15ULL;
  X = (X ^ X >> 29) * 0xbf58476d1ce4e5b9ULL;
  return X ^ X >> 32;
}

TEST(Imbalance, OneSlowRankIsSystematic) {
  const Imbalance I = decomposeImbalance(
      passages(4, 100, [](uint32_t R, uint32_t) { return R == 2 ? 5 : 1; }));
  ASSERT_EQ(I.Collectives.size(), 1u);
  const CollectiveImbalance &C = I.Collectives[0];
  EXPECT_DOUBLE_EQ(C.Mean, 2);
  EXPECT_DOUBLE_EQ(C.Systematic, 3); // 5 - 2
  EXPECT_DOUBLE_EQ(C.Dynamic, 0);
  EXPECT_DOUBLE_EQ(C.IntervalSpread, 2); // (5 - 1) / 2: two kinds of ranks
  EXPECT_DOUBLE_EQ(C.RankSpread, 2);
  EXPECT_EQ(C.Slowest, 2u);
  EXPECT_EQ(C.Call, "MPI_Allreduce");
  ASSERT_EQ(I.Work.size(), Imbalance::MostPassages);
  EXPECT_EQ(I.Work.back(), (std::vector<double>{1, 1, 5, 1}));
  EXPECT_DOUBLE_EQ(I.seconds(), 500);
  EXPECT_DOUBLE_EQ(I.systematicShare(), 0.6);
  EXPECT_DOUBLE_EQ(I.dynamicShare(), 0);
}

TEST(Imbalance, AnotherLateRankEachTimeIsDynamic) {
  const Imbalance I =
      decomposeImbalance(passages(4, 400, [](uint32_t R, uint32_t K) {
        return hashed(K) % 4 == R ? 5 : 1;
      }));
  const CollectiveImbalance &C = I.Collectives[0];
  EXPECT_DOUBLE_EQ(C.Systematic + C.Dynamic, 3);
  EXPECT_LT(C.Systematic, 0.3);
  EXPECT_DOUBLE_EQ(C.IntervalSpread, 2);
  EXPECT_LT(C.RankSpread, 0.3);
}

// Of ranks that are alike, one is the slowest by chance. That does not count.
TEST(Imbalance, ChanceIsNotSystematic) {
  double Systematic = 0, Spread = 0;
  for (uint64_t Run = 0; Run < 50; ++Run) {
    const auto Work = passages(16, 16, [&](uint32_t R, uint32_t K) {
      return 1 + double(hashed(Run << 20 | R << 10 | K) % 1000) / 1000;
    });
    const CollectiveImbalance C = decomposeImbalance(Work).Collectives[0];
    Systematic += C.Systematic / 50;
    Spread += C.RankSpread / 50;
  }
  EXPECT_LT(Systematic, 0.06); // of a wait of 0.44
  EXPECT_GT(Spread, 0.1);
}

TEST(Imbalance, BothTogether) {
  const Imbalance I =
      decomposeImbalance(passages(4, 1000, [](uint32_t R, uint32_t K) {
        return (R == 3 ? 2.0 : 1.0) + (hashed(K) % 4 == R ? 4 : 0);
      }));
  const CollectiveImbalance &C = I.Collectives[0];
  EXPECT_NEAR(C.Systematic, 0.75, 0.15); // 2 - 1.25
  EXPECT_NEAR(C.Systematic + C.Dynamic, 3 + 0.25 * 0.75 + 0.75 * -0.25, 0.15);
  EXPECT_EQ(C.Slowest, 3u);
}

TEST(Imbalance, OnlyPassagesThatAllRanksHave) {
  auto Work = passages(2, 20, [](uint32_t R, uint32_t) { return R + 1.0; });
  Work[1].Samples.erase(Work[1].Samples.begin() + 3);
  Work[0].Samples.pop_back();
  EXPECT_EQ(decomposeImbalance(Work).Collectives[0].Sampled, 18u);
  // Too few are not valued, but counted.
  Work[0].Collectives[Other] = {3, ""};
  const Imbalance I = decomposeImbalance(Work);
  EXPECT_EQ(I.Collectives.size(), 1u);
  EXPECT_EQ(I.LeftOut, 3u);
  EXPECT_TRUE(decomposeImbalance({Work[0]}).Collectives.empty());
  EXPECT_TRUE(decomposeImbalance({}).Collectives.empty());
}

TEST(Imbalance, FileComesBackAndBadOnesAreRefused) {
  TempDir Dir;
  Imbalance I = decomposeImbalance(
      passages(3, 10, [](uint32_t R, uint32_t K) { return 1.0 + R * K; }));
  I.Build = "b";
  nlohmann::json J = imbalanceToJson(I);
  const std::string Path = Dir.path("imbalance.json");
  ASSERT_FALSE(writeWholeFile(Path, J.dump()));
  const Expected<Imbalance> Back = readImbalance(Path);
  ASSERT_TRUE(bool(Back)) << Back.message();
  EXPECT_EQ(imbalanceToJson(*Back), J);
  J["collectives"][0]["dynamic_s"] = -1;
  ASSERT_FALSE(writeWholeFile(Path, J.dump()));
  EXPECT_NE(readImbalance(Path).message().find("collectives[0].dynamic_s"),
            std::string::npos);
  J["collectives"][0]["dynamic_s"] = 1;
  J["work_ns"][2] = {1, 2};
  ASSERT_FALSE(writeWholeFile(Path, J.dump()));
  EXPECT_NE(readImbalance(Path).message().find("work_ns[2]"),
            std::string::npos);
  J.erase("collectives");
  ASSERT_FALSE(writeWholeFile(Path, J.dump()));
  EXPECT_FALSE(readImbalance(Path));
  ASSERT_FALSE(writeWholeFile(Path, R"({"schema":"evenkeel.imbalance/2"})"));
  EXPECT_FALSE(readImbalance(Path));
}

} // namespace
