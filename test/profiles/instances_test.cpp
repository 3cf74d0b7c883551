//===- instances_test.cpp - match the objects of two inputs ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which instance of the target matches which of the base, if more or
// fewer blocks of a site are large.
//===----------------------------------------------------------------------===//
#include "predict/sizes/Instances.h"
#include "gtest/gtest.h"

using namespace evenkeel;
using namespace evenkeel::prediction;

namespace {

constexpr double Large = 65536;

struct Block {
  uint32_t Ordinal, Phase;
  double Bytes;
};

std::vector<ek_raw_inst> base(const std::vector<Block> &Blocks) {
  std::vector<ek_raw_inst> Out;
  for (const Block &B : Blocks)
    Out.push_back(
        {7, 0, B.Ordinal, 0, uint64_t(B.Bytes), B.Phase, EK_NO_TASK, 0, 0});
  return Out;
}

std::vector<PredictedInstance> known(const std::vector<Block> &Blocks) {
  std::vector<PredictedInstance> Out;
  for (const Block &B : Blocks) {
    PredictedInstance I;
    I.Site = 7;
    I.Ordinal = B.Ordinal;
    I.Bytes = B.Bytes;
    I.AllocPhase = B.Phase;
    Out.push_back(I);
  }
  return Out;
}

/// Sizes of the partners; 0: none.
std::vector<double> partners(const std::vector<InstanceMatch> &M) {
  std::vector<double> Out;
  for (const InstanceMatch &X : M)
    Out.push_back(X.Known ? X.Known->Bytes : 0);
  return Out;
}

TEST(Instances, AsManyOnBoth) {
  auto K = known({{1, 0, 3e5}, {0, 0, 1e5}, {2, 1, 2e5}});
  auto M = matchInstances(
      base({{0, 0, 2e5}, {1, 0, 1e5}, {2, 1, 1e5}, {3, 2, 1e5}}), K, Large);
  EXPECT_EQ(partners(M), (std::vector<double>{1e5, 3e5, 2e5, 0}));
  EXPECT_EQ(M[3].Ordinal, 3u);
  EXPECT_FALSE(M[3].BelowLarge); // its phase is still to come
}

/// Two tables at the ends were small on the base input: all later ones have
/// other ordinals, and tables not yet allocated will have, too.
TEST(Instances, MoreAreLarge) {
  auto K = known({{0, 0, 86e3},
                  {1, 0, 151e3},
                  {2, 0, 152e3},
                  {3, 0, 151e3},
                  {4, 0, 86e3},
                  {5, 0, 820e3}});
  auto M = matchInstances(base({{0, 0, 81e3},
                                {1, 0, 82e3},
                                {2, 0, 81e3},
                                {3, 0, 414e3},
                                {4, 3, 264e3}}),
                          K, Large);
  EXPECT_EQ(partners(M), (std::vector<double>{151e3, 152e3, 151e3, 820e3, 0}));
  EXPECT_EQ(M[0].Ordinal, 1u);
  EXPECT_EQ(M[3].Ordinal, 5u);
  EXPECT_EQ(M[4].Ordinal, 6u);
}

TEST(Instances, FewerAreLarge) {
  auto K = known({{0, 0, 100e3}, {1, 1, 90e3}});
  auto M = matchInstances(base({{0, 0, 70e3}, {1, 0, 210e3}, {2, 1, 180e3}}), K,
                          Large);
  EXPECT_EQ(partners(M), (std::vector<double>{0, 100e3, 90e3}));
  EXPECT_TRUE(M[0].BelowLarge);
}

/// Small blocks are one instance, however many they are; other creators and
/// sites have separate ordinals.
TEST(Instances, SmallBlocks) {
  auto B = base({{0, 0, 1e5}, {EK_RAW_SMALL, 0, 5e3}});
  auto K = known({{EK_RAW_SMALL, 0, 9e3}, {0, 0, 2e5}, {1, 0, 7e4}});
  K.back().Creator = 1;
  EXPECT_EQ(partners(matchInstances(B, K, Large)),
            (std::vector<double>{2e5, 9e3}));
}

/// Blocks from other wrapper calls do not matter, however many precede.
TEST(Instances, Contexts) {
  auto B = base({{0, 0, 1e5}, {1, 0, 1e5}});
  B[0].context = 70;
  B[1].context = 71;
  for (uint32_t Phase : {0u, EK_NO_TASK}) {
    auto K = known({{0, Phase, 9e5}, {1, Phase, 2e5}, {2, Phase, 3e5}});
    K[0].Context = 69;
    K[1].Context = 70;
    K[2].Context = 71;
    auto M = matchInstances(B, K, Large);
    EXPECT_EQ(partners(M), (std::vector<double>{2e5, 3e5}));
    EXPECT_EQ(M[1].Ordinal, 2u);
    EXPECT_EQ(M[1].InContext, 0u);
  }
}

/// Small blocks that are large on the target are counted there, and shift all
/// later ordinals.
TEST(Instances, GrownOnesAreNumbered) {
  auto B = base({{EK_RAW_ONE_SMALL | 0, 0, 3e4},
                 {EK_RAW_ONE_SMALL | 1, 0, 5e3},
                 {0, 0, 1e5},
                 {EK_RAW_ONE_SMALL | 3, 0, 3e4},
                 {EK_RAW_SMALL, 0, 9e4}});
  for (uint32_t I = 0; I < 4; ++I)
    B[I].number = I;
  std::vector<PredictedInstance> T;
  for (const ek_raw_inst &X : B) {
    PredictedInstance I;
    I.Site = X.site;
    I.Ordinal = X.ordinal;
    I.Bytes = double(X.bytes) * (X.bytes == 5000 ? 1 : 4);
    T.push_back(I);
  }
  numberGrown(B, Large, T);
  EXPECT_EQ(T[0].Ordinal, 0u);
  EXPECT_TRUE(EK_RAW_IS_SMALL(T[1].Ordinal));
  EXPECT_EQ(T[2].Ordinal, 1u);
  EXPECT_EQ(T[3].Ordinal, 2u);
  EXPECT_EQ(T[4].Ordinal, EK_RAW_SMALL);
}

TEST(Instances, WithoutPhases) {
  auto K = known({{1, EK_NO_TASK, 4e5}});
  auto M = matchInstances(base({{0, 0, 1e5}, {1, 0, 2e5}}), K, Large);
  EXPECT_EQ(partners(M), (std::vector<double>{0, 4e5}));
  EXPECT_FALSE(M[0].BelowLarge); // freed, as far as known
}

} // namespace
