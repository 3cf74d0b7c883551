//===- sim_planned_test.cpp - carrying out a plan -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Spy.h"

using namespace evenkeel;

TEST(Planned, ChunksStretchToTheRealSize) {
  // 512 pages: a chunk is two pages; chunks 1 and 2 whole, 3 half.
  std::vector<uint32_t> Some{0, 2, 3, 4, 5, 6, 7, 8};
  MissRecord R = sweep(Some, 512 * EK_PAGE);
  Plan P = planOf({object(1, {{1, 3, 1}, {3, 4, 0.5}})});
  EXPECT_EQ(placed(R, 100 * EK_PAGE, "balanced", &P)[0].substr(0, 10),
            "SSFFFFFSSS");
  // 2560 pages: ten pages a chunk.
  R = sweep(Some, 2560 * EK_PAGE);
  std::string Fast = placed(R, 100 * EK_PAGE, "balanced", &P)[0];
  EXPECT_EQ(Fast.find('F'), 10u);
  EXPECT_EQ(Fast.rfind('F'), 34u);
  EXPECT_EQ(std::count(Fast.begin(), Fast.end(), 'F'), 25);
}

TEST(Planned, ChunksSmallerThanAPageKeepTheirShare) {
  MissRecord R = sweep({0, 1, 2, 3}, 64 * EK_PAGE); // four chunks a page
  Plan Half = planOf({object(1, {{0, 256, 0.5}})});
  std::string Fast = placed(R, 64 * EK_PAGE, "balanced", &Half)[0];
  EXPECT_EQ(std::count(Fast.begin(), Fast.end(), 'F'), 32);
  Plan First = planOf({object(1, {{0, 64, 1}})});
  Fast = placed(R, 64 * EK_PAGE, "balanced", &First)[0];
  EXPECT_EQ(Fast, std::string(16, 'F') + std::string(48, 'S'));
  // A share without ranges is a share of every chunk.
  Plan Share = planOf({object(1, {})});
  Share.Objects[0].Share = 0.25;
  Fast = placed(R, 64 * EK_PAGE, "balanced", &Share)[0];
  EXPECT_EQ(std::count(Fast.begin(), Fast.end(), 'F'), 16);
}

TEST(Planned, OddSizesGetWhatThePlanSays) {
  for (uint64_t Bytes : {1000ul, 5000ul, 100001ul, 3000017ul, 1048576ul + 1}) {
    MissRecord R = sweep({0}, Bytes);
    for (double Share : {0.1, 0.37, 0.5, 0.99, 1.0}) {
      Plan P = planOf({object(1, {{0, 256, Share}})});
      PolicyResult Result;
      placed(R, Bytes, "balanced", &P, &Result);
      EXPECT_NEAR(double(Result.PeakFastBytes), Share * double(Bytes), EK_PAGE)
          << Bytes << " " << Share;
      EXPECT_EQ(Result.RefusedBytes, 0u);
    }
    Plan All = planOf({object(1, {{0, 256, 1}})});
    PolicyResult Result;
    placed(R, Bytes, "balanced", &All, &Result);
    EXPECT_EQ(Result.PeakFastBytes, Bytes);
  }
}

TEST(Planned, InstancesAreToldApartAndServedInPlanOrder) {
  RecordBuilder B;
  B.phase();
  uint32_t A = B.instance(2 * EK_PAGE, 0, EK_NO_TASK, 1, 0, 0);
  uint32_t C = B.instance(2 * EK_PAGE, 0, EK_NO_TASK, 1, 1, 0);
  uint32_t D = B.instance(2 * EK_PAGE, 0, EK_NO_TASK, 2, 0, 0);
  uint32_t T = B.thread(0, 1000);
  for (uint32_t I : {A, C, D})
    B.row(T, 0, I, 0, 1, 0, 1);
  B.row(T, 1, C, 1, 1, 0, 1);
  MissRecord R = B.record();
  Plan P = planOf({object(2, {{0, 256, 1}}), object(1, {{0, 256, 1}})});
  P.Objects[1].Creator = 1;
  PolicyResult Result;
  auto Fast = placed(R, 3 * EK_PAGE, "balanced", &P, &Result);
  EXPECT_EQ(Fast[D], "FF"); // first in the plan, last in the record
  EXPECT_EQ(Fast[C], "FS"); // what is left; the rest is refused and counted
  EXPECT_EQ(Fast[A], "S-"); // not named
  EXPECT_EQ(Result.RefusedBytes, uint64_t(EK_PAGE));
}

TEST(Planned, MovesBetweenPhases) {
  RecordBuilder B;
  B.phase();
  uint32_t X = B.instance(2 * EK_PAGE, 0, EK_NO_TASK, 1),
           Y = B.instance(2 * EK_PAGE, 0, EK_NO_TASK, 2);
  for (uint32_t N = 0; N < 2; ++N) {
    if (N)
      B.phase();
    uint32_t T = B.thread(0, 20000);
    for (uint32_t I : {X, Y})
      for (uint32_t Page : {0u, 1u})
        for (uint32_t Q : {0u, 15u})
          B.row(T, Q, I, Page, 1, 0, 1);
  }
  MissRecord R = B.record();
  Plan P = planOf({object(1, {{0, 256, 1}})});
  PlanChange C;
  C.Phase = 1;
  C.Objects = {object(1, {}), object(2, {{0, 256, 1}})};
  P.Changes = {C};
  PolicyResult Result;
  auto Fast = placed(R, 2 * EK_PAGE, "balanced", &P, &Result);
  EXPECT_EQ(Fast[X], "SS");
  EXPECT_EQ(Fast[Y], "FF");
  EXPECT_EQ(Result.PromotedBytes, 2u * EK_PAGE);
  EXPECT_EQ(Result.DemotedBytes, 2u * EK_PAGE);
}

TEST(Planned, KeepsFirstTouch) {
  MissRecord R = sweep({3, 1, 0, 2}, 4 * EK_PAGE);
  Plan P = planOf({});
  P.KeepsFirstTouch = true;
  EXPECT_EQ(placed(R, 2 * EK_PAGE, "balanced", &P)[0], "SFSF");
}

/// When a phase frees an object is not recorded, so memory that it allocates
/// may be its successor's: that shows when it is first touched.
TEST(Planned, ReusesWhatThePhaseFrees) {
  for (const uint32_t Touched : {1u, 2u}) {
    RecordBuilder B;
    const uint32_t Old = B.instance(2 * EK_PAGE, 0, 1, 1),
                   New = B.instance(2 * EK_PAGE, 1, EK_NO_TASK, 2);
    for (uint32_t Phase = 0; Phase < 3; ++Phase) {
      B.phase();
      const uint32_t T = B.thread(Phase, 10000);
      for (uint32_t Page : {0u, 1u}) {
        if (Phase == 0)
          B.row(T, Page, Old, Page, 1, 0, 1);
        if (Phase == Touched)
          B.row(T, 2 + Page, New, Page, 1, 0, 1);
      }
    }
    const MissRecord R = B.record();
    const Plan P = planOf({object(1, {{0, 256, 1}}), object(2, {{0, 256, 1}})});
    PolicyResult Result;
    const auto Fast = placed(R, 2 * EK_PAGE, "balanced", &P, &Result);
    EXPECT_EQ(Fast[Old], "FF");
    EXPECT_EQ(Fast[New], Touched == 1 ? "SS" : "FF");
    EXPECT_EQ(Result.RefusedBytes, Touched == 1 ? 2u * EK_PAGE : 0u);
  }
}

/// Small blocks, objects without a site, and objects that a plan does not name
/// are placed by the system: into fast memory, besides the peak of the plan's
/// objects. Objects of a site that the plan does not know are slow.
TEST(Planned, TheSystemPlacesWhatNobodyDoes) {
  for (uint64_t Reserved : {0, 2, 4}) {
    RecordBuilder B;
    B.phase();
    const uint32_t Planned = B.instance(2 * EK_PAGE, 0, EK_NO_TASK, 1),
                   Small = B.instance(2 * EK_PAGE, 0, EK_NO_TASK, 1, 0,
                                      EK_RAW_SMALL),
                   Unnamed = B.instance(EK_PAGE, 0, EK_NO_TASK, 0),
                   Stack = B.instance(EK_PAGE, 0, EK_NO_TASK, 2),
                   Other = B.instance(EK_PAGE, 0, EK_NO_TASK, 3);
    const uint32_t T = B.thread(0, 10000);
    for (uint32_t I : {Small, Unnamed, Stack, Other, Planned})
      for (uint32_t Page = 0; Page < (I < Unnamed ? 2 : 1); ++Page)
        B.row(T, 2 * I + Page, I, Page, 1, 0, 1);
    const MissRecord R = B.record();
    Plan P = planOf({object(1, {{0, 256, 1}}), object(2, {})});
    P.Objects[1].LeftAlone = true;
    P.ReservedBytes = Reserved * EK_PAGE;
    PolicyResult Result;
    // The plan's two pages, and three or one for the others' four.
    const auto Fast = placed(R, 5 * EK_PAGE, "balanced", &P, &Result);
    EXPECT_EQ(Fast[Planned], "FF");
    EXPECT_EQ(Fast[Small], Reserved < 4 ? "FF" : "FS");
    EXPECT_EQ(Fast[Unnamed], Reserved < 4 ? "F" : "S");
    EXPECT_EQ(Fast[Stack], "S");
    EXPECT_EQ(Fast[Other], "S");
    EXPECT_EQ(Result.RefusedBytes, 0u);
  }
}

/// Small blocks of a site with an arena lie as its entry says, with that share
/// of every part.
TEST(Planned, ArenasLieAsPlanned) {
  RecordBuilder B;
  B.phase();
  const uint32_t Large = B.instance(4 * EK_PAGE, 0, EK_NO_TASK, 1),
                 Small =
                     B.instance(4 * EK_PAGE, 0, EK_NO_TASK, 1, 0, EK_RAW_SMALL),
                 Half =
                     B.instance(4 * EK_PAGE, 0, EK_NO_TASK, 2, 0, EK_RAW_SMALL);
  const uint32_t T = B.thread(0, 20000);
  for (uint32_t I : {Large, Small, Half})
    for (uint32_t Page = 0; Page < 4; ++Page)
      B.row(T, 4 * I + Page, I, Page, 1, 0, 1);
  const MissRecord R = B.record();
  Plan P = planOf({object(1, {{0, 256, 1}}), object(1, {}), object(2, {})});
  P.Objects[1].Arena = P.Objects[2].Arena = true;
  P.Objects[2].Share = 0.5;
  PolicyResult Result;
  const auto Fast = placed(R, 16 * EK_PAGE, "balanced-static", &P, &Result);
  EXPECT_EQ(Fast[Large], "FFFF");
  EXPECT_EQ(Fast[Small], "SSSS");
  EXPECT_EQ(std::count(Fast[Half].begin(), Fast[Half].end(), 'F'), 2);
}

/// Freed memory makes room for the next object, and room that the plan's
/// objects will take later is not given away.
TEST(Planned, SmallBlocksUseRoomAgain) {
  RecordBuilder B;
  B.phase();
  const uint32_t First = B.instance(2 * EK_PAGE, 0, 0, 1, 0, EK_RAW_SMALL),
                 Next =
                     B.instance(2 * EK_PAGE, 1, EK_NO_TASK, 2, 0, EK_RAW_SMALL),
                 Planned = B.instance(2 * EK_PAGE, 1, EK_NO_TASK, 3);
  for (uint32_t Phase : {0u, 1u}) {
    if (Phase)
      B.phase();
    const uint32_t T = B.thread(0, 10000);
    for (uint32_t I : {First, Next, Planned})
      for (uint32_t Page : {0u, 1u})
        if ((I == First) == (Phase == 0))
          B.row(T, 2 * I + Page, I, Page, 1, 0, 1);
  }
  const MissRecord R = B.record();
  Plan P = planOf({object(3, {{0, 256, 1}})});
  P.ReservedBytes = 2 * EK_PAGE;
  const auto Fast = placed(R, 3 * EK_PAGE, "balanced", &P);
  EXPECT_EQ(Fast[First], "FS");
  EXPECT_EQ(Fast[Next], "FS");
  EXPECT_EQ(Fast[Planned], "FF");
}
