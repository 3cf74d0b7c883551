//===- make_plan_test.cpp - plans from placements ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what a plan says of objects, moves and reasons, and data that no plan
// moves.
//===----------------------------------------------------------------------===//
#include "Placing.h"
#include "Schema.h"
#include "TempDir.h"
#include "format/Replan.h"
#include "models/shares/FirstTouch.h"
#include "models/shares/Fixed.h"
#include "planner/Outlook.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;

namespace {

/// What no site made is nothing that a plan could name. It falls into fast
/// memory where a plan leaves room: a plan that places nothing there makes all
/// of it fast where it is used most.
TEST(Fixed, ObjectsOfNoSite) {
  for (const char *Fast : {"50%", "100%"}) {
    Scenario S(2, 5000);
    const uint32_t A = S.addObject(1, 4 * MiB);
    S.addAccess(1, "stream", Scenario::n());
    const uint32_t Unnamed = uint32_t(S.B.Instances.size());
    S.B.Instances.push_back({0, 0, 0, 0, 4 * MiB, 0, EK_NO_TASK, 0, 0});
    for (uint32_t T : {0u, 1u}) {
      S.addMisses(T, A, 2560, 1);
      S.addMisses(T, Unnamed, 25600, 1);
    }
    S.R.Fast = Fast;
    Problem P;
    Expected<Plan> Made = makePlan(S.R, &P);
    ASSERT_TRUE(bool(Made)) << Made.message();
    ASSERT_EQ(Made->Objects.size(), 1u);
    EXPECT_EQ(Made->Objects[0].Site, 1u);
    const bool All = std::string(Fast) == "100%";
    EXPECT_EQ(Made->KeepsFirstTouch, All);
    EXPECT_EQ(Made->Objects[0].Share, All ? 1 : 0);
    // Each of two tasks: 5 us of core, 25,600 lines of it and 2,560 of A.
    EXPECT_NEAR(Made->PredictedMakespan,
                5e-6 + 25600 * 100e-9 + 2560 * (All ? 100e-9 : 300e-9), 1e-5);
    EXPECT_EQ(P.Methods["not placed: no site in the sources"], 1u);
    TempDir D;
    EXPECT_TRUE(bool(readPlan(D.write("plan.json", planToJson(*Made)))));
  }
}

TEST(Planner, UnknownName) { EXPECT_ERROR(makePlanner("best"), "balanced"); }

TEST(MakePlan, SaysWhyAndRoundTrips) {
  TwoTasks S;
  S.M.Assumed = {"ghz: made up"};
  S.M.RobInstructions = S.M.L1Ways = S.M.L2Ways = S.M.LlcWays = 8;
  S.M.L1Bytes = S.M.L2Bytes = 1 << 15;
  S.M.MigrationBandwidthGBps = 1;
  Problem P;
  Expected<Plan> Made = makePlan(S.R, &P);
  ASSERT_TRUE(static_cast<bool>(Made)) << Made.message();
  EXPECT_FALSE(Made->KeepsFirstTouch);
  EXPECT_EQ(Made->Program, programHash(S.F));
  EXPECT_EQ(Made->FastBytes, MiB);
  EXPECT_EQ(Made->BaseInput, S.B.Input);
  EXPECT_EQ(Made->Assumed, S.M.Assumed);
  ASSERT_EQ(Made->Phases.size(), 1u);
  EXPECT_EQ(Made->Phases[0].At, "a.c:20:1");
  ASSERT_EQ(Made->Phases[0].Tasks.size(), 2u);
  EXPECT_NEAR(Made->Phases[0].Tasks[0].SlowOnlySeconds, 8.98e-3, 1e-6);
  EXPECT_NEAR(Made->Phases[0].Tasks[0].FastOnlySeconds, 3.66e-3, 1e-6);
  EXPECT_NEAR(Made->PredictedMakespan, 4.7133e-3, 1e-5);

  const PlanObject *O = Made->find({1, 0, 0, 0, 0});
  ASSERT_TRUE(O);
  EXPECT_NEAR(O->Share, 5 / 6., 0.01);
  EXPECT_FALSE(O->Creator) << "the only instance of its site: any creator";
  EXPECT_NEAR(O->GainSeconds, 8.98e-3 - 4.7133e-3, 2e-5);
  EXPECT_NE(O->Reason.find("task 0 would be the slowest"), std::string::npos)
      << O->Reason;
  EXPECT_NE(O->Reason.find("fast memory is full"), std::string::npos);
  double Sum = 0;
  for (const PlanRange &G : O->Ranges)
    Sum += G.Share * (G.To - G.From) / EK_CHUNKS;
  EXPECT_NEAR(Sum, O->Share, 1e-12);
  EXPECT_LE(O->Ranges.size(), 17u);
  O = Made->find({3, 0, 0, 0, 0});
  ASSERT_TRUE(O);
  EXPECT_LT(O->Share, 0.01);

  // With all that a run needs to plan again, when lines were fetched as well.
  S.B.Misses[0].course = ~uint64_t(0);
  S.B.Misses[1].course = 0xf0;
  S.R.Seen = {S.B.Input, {{0x20, 0x40, false, 1, 0, 1e-3, 2000, 4e-3, 3e-3}}};
  Made->ReplanJson = replanOf(S.R, *Made);
  TempDir D;
  std::string Text = planToJson(*Made);
  Expected<Plan> Again = readPlan(D.write("plan.json", Text));
  ASSERT_TRUE(static_cast<bool>(Again)) << Again.message();
  EXPECT_EQ(planToJson(*Again), Text);
  nlohmann::json Schema = nlohmann::json::parse(TempDir::read(
      std::string(EK_SOURCE_DIR) + "/profiles/schemas/plan.schema.json"));
  nlohmann::json J = nlohmann::json::parse(Text);
  EXPECT_EQ(SchemaChecker(Schema).check(J), "");
  EXPECT_TRUE(J["replan"]["methods"].is_object());
  EXPECT_EQ(J["predicted"]["phases"][0]["sync"], "0000000000000040");
  Expected<ReplanData> Data = readReplan(Again->ReplanJson, "plan.json");
  ASSERT_TRUE(static_cast<bool>(Data)) << Data.message();
  EXPECT_EQ(replanToJson(*Data, Again->ReplanJson), Again->ReplanJson);
  EXPECT_EQ(Data->Base.Misses[0].course, ~uint64_t(0));
  EXPECT_EQ(Data->Base.Misses[1].course, 0xf0u);
  EXPECT_EQ(Data->Base.Misses[2].course, 0u);
  EXPECT_EQ(Data->Seen.Base, S.B.Input);
  EXPECT_EQ(Data->Seen.Rows, S.R.Seen.Rows);
  PlanRequest Q;
  Q.F = &Data->F;
  Q.Base = &Data->Base;
  Q.M = &Data->M;
  Q.Fast = Data->Fast;
  Expected<Plan> Replanned = makePlan(Q);
  ASSERT_TRUE(static_cast<bool>(Replanned)) << Replanned.message();
  Replanned->ReplanJson = Again->ReplanJson;
  Replanned->Assumed = Made->Assumed; // people's; no re-plan asks
  EXPECT_EQ(planToJson(*Replanned), Text);
}

/// What the program put somewhere stays there and takes its room; an array on
/// the stack is nobody's to move.
TEST(MakePlan, LeavesWhatIsFixed) {
  TwoTasks S;
  S.F.Sites.clear();
  for (uint64_t Site : {1, 2, 3}) {
    S.F.Sites.emplace_back();
    S.F.Sites.back().Id = Site;
    S.F.Sites.back().Kind = "malloc";
  }
  S.F.Sites[0].Kind = "hbw_malloc";
  S.R.Fast = "1.5MiB";
  for (const std::string &Name : plannerNames()) {
    S.R.Planner = Name;
    Problem P;
    Expected<Plan> Made = makePlan(S.R, &P);
    ASSERT_TRUE(static_cast<bool>(Made)) << Made.message();
    EXPECT_EQ(P.FastBytes, MiB / 2) << Name;
    const PlanObject *Chosen = Made->find({1, 0, 0, 0, 0});
    EXPECT_TRUE(!Chosen || (Chosen->Share == 0 && Chosen->Ranges.empty()))
        << Name;
    double Used = 0;
    for (uint64_t Site : {2, 3})
      if (const PlanObject *O = Made->find({Site, 0, 0, 0, 0}))
        Used += O->Share * MiB;
    EXPECT_LE(Used, MiB / 2 + 1) << Name;
    if (Chosen)
      EXPECT_NE(Chosen->Reason.find("the program chose its tier"),
                std::string::npos)
          << Chosen->Reason;
  }
  S.R.Planner = "balanced";
  S.F.Sites[0].Kind = "stack";
  Problem P;
  Expected<Plan> Made = makePlan(S.R, &P);
  ASSERT_TRUE(static_cast<bool>(Made)) << Made.message();
  EXPECT_EQ(P.FastBytes, 1.5 * MiB);
  EXPECT_EQ(P.Methods.count("not placed: on the stack"), 1u);
  const PlanObject *O = Made->find({1, 0, 0, 0, 0});
  EXPECT_TRUE(!O || O->Share == 0);
  // What task 0 uses is the one on the stack: the plan leaves room for it.
  EXPECT_FALSE(Made->KeepsFirstTouch);
  EXPECT_LE(Made->ReservedBytes, MiB / 2);
  ASSERT_TRUE(O);
  EXPECT_TRUE(O->LeftAlone);
  EXPECT_NEAR(Made->PredictedMakespan, 1e-3 + 25600 * 100e-9 + 1000 * 300e-9,
              1e-5);
}

/// What the C library mixes on its pages is nobody's to place: not in plans,
/// nor where a plan for the whole site is replayed.
TEST(MakePlan, SmallBlocksStay) {
  Scenario S(1, 5000);
  uint32_t A = S.addObject(1, MiB, nullptr), B = S.addObject(1, MiB, nullptr);
  S.B.Instances[B].ordinal = EK_RAW_SMALL;
  S.addAccess(1, "random", nullptr);
  S.addMisses(0, A, 10000, 1);
  S.addMisses(0, B, 20000, 1);
  S.R.Fast = "100%";
  Problem P;
  Expected<Plan> Made = makePlan(S.R, &P);
  ASSERT_TRUE(static_cast<bool>(Made)) << Made.message();
  EXPECT_EQ(P.Methods["not placed: small blocks"], 1u);
  ASSERT_EQ(Made->Objects.size(), 1u);
  EXPECT_EQ(Made->Objects[0].PredictedBytes, uint64_t(MiB));
  EXPECT_EQ(Made->Objects[0].Share, 1);
  EXPECT_TRUE(Made->find({1, 0, 0, 0, 0}));
  EXPECT_FALSE(Made->find({1, 0, 0, EK_RAW_SMALL, 0}));
  S.B.Instances[A].site = 2; // now all of the site are small
  Made = makePlan(S.R, &P);
  ASSERT_TRUE(static_cast<bool>(Made)) << Made.message();
  for (const PlanObject &O : Made->Objects)
    if (O.Site == 1)
      EXPECT_EQ(O.Reason, "small blocks, which the C library mixes on its "
                          "pages");
}

/// With arenas, the small blocks of a site have an entry like any object: for
/// each creator one share, whatever parts of them are hot, or one for all if
/// they are alike. Sites with few bytes have none, and a plan that gains
/// nothing by arenas has none.
TEST(MakePlan, SmallBlocksGetAnArena) {
  Scenario S(1, 5000);
  const uint32_t A = S.addObject(1, 2 * MiB, nullptr),
                 Hot = S.addObject(2, 2 * MiB, nullptr),
                 Few = S.addObject(3, MiB / 2, nullptr);
  for (uint32_t I : {A, Hot, Few})
    S.B.Instances[I].ordinal = EK_RAW_SMALL;
  for (uint64_t Site : {1, 2, 3})
    S.addAccess(Site, "random", nullptr);
  S.addMisses(0, A, 10000, 1);
  S.addMisses(0, Hot, 60000, 1);
  S.addMisses(0, Few, 100, 1);
  S.R.Fast = "2MiB";
  Expected<Plan> Without = makePlan(S.R);
  ASSERT_TRUE(static_cast<bool>(Without)) << Without.message();
  ASSERT_FALSE(Without->Notes.empty());
  EXPECT_EQ(Without->Notes.back(),
            "100 % of what tasks fetch from memory is in blocks below 64 KiB, "
            "which this plan does not place; --arenas does");
  S.R.Arenas = true;
  Problem P;
  Expected<Plan> Made = makePlan(S.R, &P);
  ASSERT_TRUE(static_cast<bool>(Made)) << Made.message();
  EXPECT_EQ(P.Methods["not placed: small blocks"], 1u); // the few
  for (const std::string &Note : Made->Notes)
    EXPECT_EQ(Note.find("--arenas"), std::string::npos) << Note;
  const PlanObject *Its = Made->find({2, 0, 0, EK_RAW_SMALL, 0});
  ASSERT_TRUE(Its);
  EXPECT_TRUE(Its->Arena);
  EXPECT_FALSE(Its->Ordinal);
  EXPECT_TRUE(Its->Ranges.empty());
  EXPECT_GT(Its->Share, 0.7); // the few lie beside it
  EXPECT_EQ(Its->Reason.find("small blocks, with an arena: "), 0u);
  EXPECT_EQ(Made->find({2, 0, 0, EK_RAW_ONE_SMALL | 5, 0}), Its);
  EXPECT_FALSE(Made->find({2, 0, 0, 0, 0}));
  const PlanObject *Cold = Made->find({1, 0, 0, EK_RAW_SMALL, 0});
  ASSERT_TRUE(Cold);
  EXPECT_TRUE(Cold->Arena);
  EXPECT_LT(Cold->Share, 0.3);
  EXPECT_FALSE(Made->find({3, 0, 0, EK_RAW_SMALL, 0}) &&
               Made->find({3, 0, 0, EK_RAW_SMALL, 0})->Arena);
  EXPECT_LT(Made->PredictedMakespan, 0.99 * Without->PredictedMakespan);
  EXPECT_EQ(replanOf(S.R, *Made).find("\"base\""), std::string::npos);
  TempDir D;
  Expected<Plan> Again =
      readPlan(D.write("plan.json", planToJson(*Made)), PlanUse::Run);
  ASSERT_TRUE(static_cast<bool>(Again)) << Again.message();
  EXPECT_TRUE(Again->find({2, 0, 0, EK_RAW_SMALL, 0})->Arena);
  S.R.Fast = "100%"; // all fits: nothing to gain
  Made = makePlan(S.R);
  ASSERT_TRUE(static_cast<bool>(Made)) << Made.message();
  for (const PlanObject &O : Made->Objects)
    EXPECT_FALSE(O.Arena);
  EXPECT_TRUE(std::any_of(Made->Notes.begin(), Made->Notes.end(),
                          [](const std::string &N) {
                            return N.find("no arenas for small blocks") == 0;
                          }));
}

/// Ranges are those of chunks, units are runs of chunks: a unit gets the part
/// of each range that falls into it. Exact entries come before wildcards.
TEST(SharesOf, RangesOverUnits) {
  Problem P;
  for (uint64_t Site : {1, 2, 2, 3}) {
    PredictedInstance I;
    I.Site = Site;
    I.Ordinal = P.Instances.size() == 2;
    P.Instances.push_back(I);
  }
  P.Units = {{0, 0, 128, 1}, {0, 128, 256, 1}, {1, 0, 256, 1},
             {2, 0, 256, 1}, {3, 0, 256, 1},   {0, 64, 64, 0}};
  Plan X;
  PlanObject O;
  O.Site = 1;
  O.Ranges = {{0, 64, 1}, {64, 192, 0.5}};
  O.Share = 0.5;
  X.Objects.push_back(O);
  O.Site = 2;
  O.Ranges.clear();
  O.Share = 0.25; // no ranges: evenly
  X.Objects.push_back(O);
  O.Creator = 0;
  O.Ordinal = 1;
  O.Share = 0.75;
  X.Objects.push_back(O);
  // 64 of 128 chunks fully and 64 half; then 64 half and 64 not at all.
  EXPECT_EQ(sharesOf(P, X),
            (std::vector<double>{0.75, 0.25, 0.25, 0.75, 0, 0}));
}

/// What a plan says is what was placed, in thousandths.
TEST(SharesOf, OfAMadePlan) {
  TwoTasks S;
  Problem P;
  Expected<Plan> Made = makePlan(S.R, &P);
  ASSERT_TRUE(static_cast<bool>(Made));
  Placement X = place("balanced", P, S.M);
  std::vector<double> Shares = sharesOf(P, *Made);
  ASSERT_EQ(Shares.size(), X.FastShare.size());
  for (size_t U = 0; U < Shares.size(); ++U)
    EXPECT_NEAR(Shares[U], X.FastShare[U], 1.001e-3) << U;
  EXPECT_NEAR(value(P, Shares, S.M), Made->PredictedMakespan, 1e-12);
}

/// A placement of one's own becomes a plan that says the same.
TEST(PlanOf, CarriesAGivenPlacement) {
  TwoTasks S;
  Problem P = S.predict();
  Placement Place;
  for (const Unit &U : P.Units) // sites 1 and 2: 3/4 and 1/8
    Place.FastShare.push_back(U.Instance == 0   ? 0.75
                              : U.Instance == 1 ? 0.125
                                                : 0);
  Plan X = planOf(S.R, P, *overlap(), Place);
  EXPECT_EQ(sharesOf(P, X), Place.FastShare);
  EXPECT_FALSE(X.KeepsFirstTouch);
  EXPECT_EQ(X.FastBytes, MiB);
  ASSERT_TRUE(X.find({1, 0, 0, 0, 0}));
  EXPECT_EQ(X.find({1, 0, 0, 0, 0})->Share, 0.75);
  // 8.98 ms - 0.75 * 5.12; 6.42 ms - 2.56 / 8.
  ASSERT_EQ(X.Phases.size(), 1u);
  EXPECT_NEAR(X.Phases[0].Tasks[0].Seconds, 5.14e-3, 1e-6);
  EXPECT_NEAR(X.Phases[0].Tasks[1].Seconds, 4.82e-3, 1e-6);
  EXPECT_NEAR(X.PredictedMakespan, 5.14e-3, 1e-6);
}

/// Threads and explicit tasks are numbered apart; a plan says which is which.
TEST(PlanOf, ExplicitTasks) {
  Scenario S(1);
  S.B.Tasks.push_back({Scenario::Region, 0, 0, 0, 1, 2000, 2000, 0});
  Expected<Plan> P = makePlan(S.R);
  ASSERT_TRUE(static_cast<bool>(P)) << P.message();
  ASSERT_EQ(P->Phases.size(), 1u);
  ASSERT_EQ(P->Phases[0].Tasks.size(), 2u);
  EXPECT_FALSE(P->Phases[0].Tasks[0].Explicit);
  EXPECT_TRUE(P->Phases[0].Tasks[1].Explicit);
  EXPECT_EQ(P->Phases[0].Tasks[1].Index, 0u);
}

/// Two instances of one site that lie differently are told apart.
TEST(MakePlan, InstancesOfOneSite) {
  Scenario S(2, 1000);
  S.addObject(1, MiB);
  S.addObject(1, MiB);
  S.addMisses(0, 0, 25600, 1);
  S.addMisses(1, 1, 256, 1);
  S.R.Fast = "50%";
  Expected<Plan> P = makePlan(S.R);
  ASSERT_TRUE(static_cast<bool>(P)) << P.message();
  ASSERT_EQ(P->Objects.size(), 2u);
  EXPECT_EQ(P->find({1, 0, 0, 0, 0})->Share, 1);
  EXPECT_EQ(P->find({1, 0, 0, 1, 0})->Share, 0);
  EXPECT_EQ(P->find({1, 0, 0, 2, 0}), nullptr);
}

/// What different calls of a wrapper make is told apart by the calls, and a
/// block that comes first on the target takes nobody's place.
TEST(MakePlan, ContextsOfOneSite) {
  Scenario S(2, 1000);
  for (uint64_t Context : {70, 71}) {
    uint32_t I = S.addObject(1, MiB);
    S.B.Instances[I].context = Context;
  }
  S.F.Sites[0].Contexts = {{70, {"a.c:7:1"}, nullptr},
                           {71, {"a.c:8:1"}, nullptr}};
  S.addMisses(0, 0, 256, 1);
  S.addMisses(1, 1, 25600, 1);
  S.R.Fast = "50%";
  Expected<Plan> P = makePlan(S.R);
  ASSERT_TRUE(static_cast<bool>(P)) << P.message();
  ASSERT_EQ(P->Objects.size(), 2u);
  EXPECT_EQ(P->Objects[1].Calls, std::vector<std::string>{"a.c:8:1"});
  EXPECT_EQ(P->find({1, 69, 0, 0, 0}), nullptr);
  EXPECT_EQ(P->find({1, 70, 0, 1, 0})->Share, 0);
  EXPECT_EQ(P->find({1, 71, 0, 2, 0})->Share, 1);
  // Of a program that does not tell contexts, the order has to do.
  EXPECT_EQ(P->find({1, 0, 0, 0, 0})->Share, 0);
  EXPECT_EQ(P->find({1, 0, 0, 1, 1})->Share, 1);
  EXPECT_EQ(P->find({1, 0, 0, 2, 2}), nullptr);
}

/// Blocks too small to be placed on the base input are in the plan where they
/// are large on the target, and are not where they stay small.
TEST(MakePlan, SmallBlocksThatGrow) {
  Scenario S(1, 5000);
  S.addSymbol(Scenario::SymN, "main:n", "given", 5000);
  uint32_t A = S.addObject(1, 40000, Scenario::times(8, Scenario::n()));
  uint32_t B = S.addObject(1, 40000);
  uint32_t C = S.addObject(2, 40000, makeConst(40000));
  for (uint32_t I : {A, B, C}) {
    ek_raw_inst &X = S.B.Instances[I];
    X.number = X.ordinal;
    X.ordinal = X.in_context = EK_RAW_ONE_SMALL | X.number;
  }
  S.addMisses(0, A, 10, 1);
  S.addMisses(0, B, 10, 1);
  S.addMisses(0, C, 10, 1);
  S.R.Fast = "100%";
  S.R.For = {{"n", std::nullopt, 500000}};
  Problem P;
  Expected<Plan> Made = makePlan(S.R, &P);
  ASSERT_TRUE(static_cast<bool>(Made)) << Made.message();
  EXPECT_EQ(P.Instances[A].Bytes, 4e6);
  EXPECT_EQ(P.Instances[B].Ordinal, 1u);
  EXPECT_TRUE(EK_RAW_IS_SMALL(P.Instances[C].Ordinal));
  EXPECT_TRUE(Made->find({1, 0, 0, 1, 0}));
  EXPECT_EQ(Made->find({2, 0, 0, P.Instances[C].Ordinal, 0}), nullptr);
}

/// All fits, or nothing does.
TEST(MakePlan, KeptFirstTouchSaysSo) {
  for (bool Fits : {true, false}) {
    TwoTasks S;
    S.R.Fast = Fits ? "100%" : "0%";
    Expected<Plan> P = makePlan(S.R);
    ASSERT_TRUE(static_cast<bool>(P));
    EXPECT_TRUE(P->KeepsFirstTouch);
    EXPECT_EQ(P->AllFits, Fits);
    EXPECT_NE(P->Objects[0].Reason.find("first touch"), std::string::npos);
    ASSERT_EQ(P->Notes.size(), 1u) << "all sync points were looked at";
    EXPECT_NE(P->Notes[0].find("first touch"), std::string::npos);
    EXPECT_EQ(P->Notes[0].find("to fit") != std::string::npos, Fits);
  }
}

TEST(MakePlan, UnknownNames) {
  TwoTasks S;
  S.R.Planner = "x";
  EXPECT_ERROR(makePlan(S.R), "no planner 'x'");
  S.R.Planner = "density";
  S.R.Model = "y";
  EXPECT_ERROR(makePlan(S.R), "no model 'y'");
}

/// 64 tasks, 100 objects of 256 chunks; half shared, half private. Bounded
/// work, so a generous limit only catches an explosion.
TEST(MakePlan, SizeOfTheBudget) {
  Scenario S(64, 1000000);
  for (uint32_t I = 0; I < 100; ++I)
    S.addObject(I + 1, 64 * MiB);
  for (uint32_t T = 0; T < 64; ++T)
    for (uint32_t I = 0; I < 100; ++I)
      if (I < 36 || I - 36 == T)
        S.addMisses(T, I, 25600 * (1 + (T * 7 + I * 3) % 11), 1. / (1 + I % 8),
                    0, I < 36 ? 4 * T : 0, I < 36 ? 4 * T + 4 : 256);
  S.R.Fast = "12.5%";
  auto From = std::chrono::steady_clock::now();
  Expected<Plan> P = makePlan(S.R);
  double Seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - From)
          .count();
  ASSERT_TRUE(static_cast<bool>(P)) << P.message();
  RecordProperty("milliseconds", static_cast<int>(Seconds * 1e3));
  std::printf("planned in %.2f s\n", Seconds);
  EXPECT_LT(Seconds, 30);
}

/// Three explicit tasks of a microsecond on two workers: the bounds say one and
/// a half, the order says two.
TEST(MakePlan, ExplicitTasksTakeTheirTurns) {
  Scenario S(2, 1000);
  S.B.Tasks.clear();
  for (uint32_t T = 0; T < 3; ++T)
    S.B.Tasks.push_back({Scenario::Region, 0, T, 0, 1, 1000, 1000, 0});
  Problem P;
  const Expected<Plan> X = makePlan(S.R, &P);
  ASSERT_TRUE(bool(X)) << X.message();
  EXPECT_NEAR(X->PredictedMakespan, 2e-6, 1e-12);
  EXPECT_NEAR(X->Phases[0].Seconds, 2e-6, 1e-12);
  EXPECT_NEAR(outlookOf(P, S.M, **makeModel("overlap")).FirstTouch, 2e-6,
              1e-12);
}

/// Fixed units under a placement of the others: what first touch makes of the
/// room that these leave at their most.
TEST(Fixed, LiesBesideWhatIsPlaced) {
  Problem P;
  using Kind = PredictedInstance::FixedType;
  auto Add = [&](Kind Fixed, uint32_t Alloc, uint32_t Free) {
    P.Units.push_back({uint32_t(P.Instances.size()), 0, 256, 100});
    P.Instances.emplace_back();
    P.Instances.back().Bytes = 100;
    P.Instances.back().AllocPhase = Alloc;
    P.Instances.back().FreePhase = Free;
    P.Instances.back().Fixed = Fixed;
  };
  Add(PredictedInstance::Free, 0, 0);
  Add(PredictedInstance::Free, 1, EK_NO_TASK);
  Add(PredictedInstance::Small, 0, EK_NO_TASK);
  Add(PredictedInstance::Unnamed, 1, EK_NO_TASK);
  Add(PredictedInstance::TierChosen, 0, EK_NO_TASK);
  P.Phases.resize(2);
  P.Phases[1].Phase = 1;
  P.FastBytes = 200;
  auto Complete = [&](double A, double B) {
    std::vector<double> X = {A, B, 0, 0, 0};
    completeShares(P, X);
    EXPECT_EQ(X[0], A);
    EXPECT_EQ(X[1], B);
    return std::vector<double>(X.begin() + 2, X.end());
  };
  EXPECT_EQ(Complete(0, 0), std::vector<double>({1, 1, 1}));
  // 150 bytes are left: in the first phase for the small blocks.
  EXPECT_EQ(Complete(0.5, 0), std::vector<double>({1, 0.5, 1}));
  EXPECT_EQ(Complete(0.5, 0.5), std::vector<double>({1, 0.5, 1}));
  EXPECT_EQ(Complete(1, 0.25), std::vector<double>({1, 0, 1}));
  P.FastBytes = 100;
  EXPECT_EQ(Complete(1, 1), std::vector<double>({0, 0, 1}));
  EXPECT_EQ(mostPlaced(P, {1, 0.5, 1, 1, 1}), 100);
  EXPECT_EQ(mostPlaced(P, {1, 0.5, 1, 1, 1}, 1), 50);
}

/// Small blocks wait for bandwidth as all else does, and take it from others.
TEST(Fixed, SmallBlocksTakeBandwidth) {
  Scenario S(2, 1000);
  const uint32_t Rows = S.addObject(1, 64 * MiB), A = S.addObject(2, 64 * MiB);
  S.B.Instances[Rows].ordinal = EK_RAW_SMALL;
  S.M.Tiers[1].ReadBandwidthGBps = 1;
  for (uint32_t T : {0u, 1u}) {
    S.addMisses(T, Rows, 25600, 1. / 256);
    S.addMisses(T, A, 12800, 1. / 256);
  }
  S.R.Fast = "0%";
  const Expected<Plan> P = makePlan(S.R);
  ASSERT_TRUE(bool(P)) << P.message();
  // 76,800 lines of 64 bytes at 1 GB/s, against 100 fetches of 300 ns a task.
  EXPECT_NEAR(P->PredictedMakespan, 76800 * 64e-9, 1e-6);
}

/// 5,120 misses one by one at 100 or 300 ns; there is room for
/// half of the data, which both objects share where they are touched together.
TEST(Outlook, HoldsThePlanAgainstWhatNeedsNone) {
  Scenario S(1, 1000);
  S.addObject(1, 1 << 20);
  S.addObject(2, 1 << 20);
  S.addMisses(0, 0, 2560, 1);
  S.addMisses(0, 1, 2560, 1);
  S.R.Fast = "50%";
  Problem P;
  const Plan X = *makePlan(S.R, &P);
  const Outlook O = outlookOf(P, S.M, **makeModel(S.R.Model));
  EXPECT_NEAR(O.AllSlow, 1e-6 + 5120 * 300e-9, 1e-6);
  EXPECT_NEAR(O.AllFast, 1e-6 + 5120 * 100e-9, 1e-6);
  EXPECT_NEAR(O.FirstTouch, 1e-6 + 5120 * 200e-9, 1e-6);
  EXPECT_LE(X.PredictedMakespan, O.FirstTouch * (1 + 1e-9));
}

/// Two chains of two and one task beside them, for two workers: whoever is
/// ready and comes first is taken first.
TEST(TaskGraph, SchedulesInOrder) {
  PredictedPhase H;
  H.Tasks.edit().resize(5);
  H.Tasks.edit()[2].Preds = {0};
  H.Tasks.edit()[3].Preds = {1};
  const TaskGraph G(H);
  // 0 1 | 2 behind 0 at 1, 3 behind 1 at 2, 4 at 3.
  EXPECT_DOUBLE_EQ(G.schedule({1, 2, 2, 4, 2}, 2), 6);
  EXPECT_DOUBLE_EQ(G.schedule({1, 2, 2, 4, 2}, 1), 11);
  EXPECT_DOUBLE_EQ(G.schedule({1, 2, 2, 4, 2}, 8), 6);
}

} // namespace
