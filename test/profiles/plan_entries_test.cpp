//===- plan_entries_test.cpp - entries of plans, read quickly -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: plans in the form in which they are written are read by the fast
// parser, all others by the general one; both give the same results and errors.
//===----------------------------------------------------------------------===//
#include "TempDir.h"
#include "format/Replan.h"
#include "format/plan/PlanEntries.h"
#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>

using namespace evenkeel;
using nlohmann::json;

namespace {

Plan somePlan(unsigned Seed) {
  std::mt19937 Random(Seed);
  auto Maybe = [&]() -> std::optional<uint32_t> {
    return Random() % 2 ? std::optional<uint32_t>(Random()) : std::nullopt;
  };
  Plan P;
  P.Program = "0123456789abcdef";
  for (unsigned I = 0; I < Random() % 30; ++I) {
    PlanObject O;
    O.Site = 1 + Random();
    O.At = "a.c:" + std::to_string(I) + ":1";
    O.Creator = Maybe();
    O.Ordinal = Maybe();
    if (Random() % 3 == 0) {
      O.Context = 1 + Random();
      O.Calls = {"b.c:1:1", "c.c:2:2"};
      O.OfSite = Maybe();
    }
    O.Arena = !O.Ordinal && !O.OfSite && Random() % 2;
    O.Share = double(Random() % 1001) / 1000;
    for (unsigned From = 0; From < 200; From += 100)
      if (!O.Arena && Random() % 2)
        O.Ranges.push_back({From, From + 1 + unsigned(Random() % 90), O.Share});
    O.PredictedBytes = uint64_t(Random()) << (Random() % 20);
    O.LeastBytes = Random() % 100;
    O.MostBytes = O.LeastBytes + Random() % 100;
    O.GainSeconds = (double(Random()) - 2e9) * 1e-15;
    O.Reason = "saves 1 ms; fast memory is full";
    P.Objects.push_back(O);
  }
  PlanChange C;
  C.Phase = 3;
  C.Objects = P.Objects;
  if (Seed % 2)
    P.Changes.push_back(C);
  P.ReplanJson = "{}";
  return P;
}

TEST(PlanEntries, WrittenPlansAreReadQuickly) {
  TempDir F;
  for (unsigned Seed = 0; Seed < 60; ++Seed) {
    const std::string Text = planToJson(somePlan(Seed));
    std::string Rest = Text;
    std::vector<PlanObject> Taken;
    EXPECT_TRUE(takePlanEntries(Rest, Taken, true));
    EXPECT_EQ(Taken.size(), json::parse(Text)["objects"].size());
    EXPECT_TRUE(json::parse(Rest)["objects"].empty());
    // The same text on one line is read by the general parser.
    Expected<Plan> Quick = readPlan(F.write("plan.json", Text));
    ASSERT_TRUE(static_cast<bool>(Quick)) << Quick.message();
    EXPECT_EQ(planToJson(*Quick), Text);
    Expected<Plan> General =
        readPlan(F.write("plan.json", json::parse(Text).dump()));
    ASSERT_TRUE(static_cast<bool>(General)) << General.message();
    EXPECT_EQ(planToJson(*General), Text);
  }
}

// A starting process leaves the part that only planning again reads as text.
TEST(PlanEntries, ReplanIsTakenAsItStands) {
  TempDir F;
  Plan P = somePlan(3);
  P.ReplanJson = R"({"base":{"text":"\"},\n {"},"rows":[[1,2],[3]]})";
  const std::string Text = planToJson(P);
  std::string Rest = Text, Value;
  EXPECT_TRUE(takePlanReplan(Rest, Value));
  EXPECT_EQ(Value, P.ReplanJson);
  EXPECT_TRUE(json::parse(Rest)["replan"].is_null());
  for (const std::string &Form : {Text, json::parse(Text).dump()}) {
    Expected<Plan> Read = readPlan(F.write("plan.json", Form), PlanUse::Run);
    ASSERT_TRUE(static_cast<bool>(Read)) << Read.message();
    EXPECT_EQ(json::parse(Read->ReplanJson), json::parse(P.ReplanJson));
  }
  // With errors in that part, the plan is usable, but not for planning again.
  std::string Broken = Text;
  Broken.replace(Broken.find("[3]"), 3, "[3,");
  Expected<Plan> Read = readPlan(F.write("plan.json", Broken), PlanUse::Run);
  ASSERT_TRUE(static_cast<bool>(Read)) << Read.message();
  EXPECT_FALSE(static_cast<bool>(readReplan(Read->ReplanJson, "plan.json")));
  EXPECT_FALSE(static_cast<bool>(readPlan(F.write("plan.json", Broken))));
}

/// Objects of one site, most of them alike.
Plan longPlan(unsigned Seed, bool Contexts) {
  std::mt19937 Random(Seed);
  Plan P;
  P.Program = "0123456789abcdef";
  P.ReplanJson = "{}";
  for (uint32_t I = 0, Kind = 0; I < 2000; ++I) {
    Kind = Random() % 50 ? Kind : uint32_t(Random() % 4);
    if (Random() % 200 == 0)
      continue; // an unnamed one
    PlanObject O;
    O.Site = 7;
    O.At = "a.c:3:4";
    O.Creator = Kind == 3 ? std::optional<uint32_t>() : 1;
    O.Ordinal = I;
    if (Contexts) {
      O.Context = 5 + I / 700;
      O.Calls = {"b.c:1:1"};
      O.Ordinal = I % 700;
      O.OfSite = I;
    }
    O.Share = 0.25 * Kind;
    O.PredictedBytes = 65536;
    if (O.Creator)
      O.LeastBytes = O.MostBytes = 65536;
    O.GainSeconds = 1e-3 * Kind;
    O.Ranges = {{0, 256, O.Share}};
    P.Objects.push_back(O);
  }
  return P;
}

TEST(PlanEntries, AlikeOnesAreOneInTheFile) {
  TempDir F;
  for (unsigned Seed = 0; Seed < 8; ++Seed) {
    const Plan P = longPlan(Seed, Seed % 2);
    const std::string Text = planToJson(P);
    const size_t Written = json::parse(Text)["objects"].size();
    EXPECT_LT(Written, P.Objects.size() / 10);
    for (const std::string &Form : {Text, json::parse(Text).dump()}) {
      Expected<Plan> Whole = readPlan(F.write("plan.json", Form));
      ASSERT_TRUE(static_cast<bool>(Whole)) << Whole.message();
      ASSERT_EQ(Whole->Objects.size(), P.Objects.size());
      for (const PlanObject &O : P.Objects) {
        const PlanObject *Its =
            Whole->find({O.Site, O.Context.value_or(0), O.Creator.value_or(9),
                         O.OfSite.value_or(*O.Ordinal), *O.Ordinal});
        ASSERT_TRUE(Its);
        EXPECT_EQ(Its->Share, O.Share);
        EXPECT_EQ(Its->MostBytes, O.MostBytes);
      }
      EXPECT_EQ(planToJson(*Whole), Text);
      Expected<Plan> Run = readPlan(F.write("plan.json", Form), PlanUse::Run);
      ASSERT_TRUE(static_cast<bool>(Run)) << Run.message();
      EXPECT_EQ(Run->Objects.size(), Written);
    }
  }
}

/// If several entries match the same objects, each object is examined
/// separately: the first entry in the file counts.
TEST(PlanEntries, AlikeOnesThatOverlapAreReadOneByOne) {
  TempDir F;
  Plan P = longPlan(1, false);
  json J = json::parse(planToJson(P));
  J["objects"] = {{{"site", "0000000000000007"},
                   {"ordinal", 0},
                   {"creator", 1},
                   {"alike", 10},
                   {"share", 1},
                   {"ranges", json::array()}},
                  {{"site", "0000000000000007"},
                   {"ordinal", 3},
                   {"creator", 1},
                   {"share", 0.5},
                   {"ranges", json::array()}}};
  Expected<Plan> Run = readPlan(F.write("plan.json", J.dump()), PlanUse::Run);
  ASSERT_TRUE(static_cast<bool>(Run)) << Run.message();
  EXPECT_EQ(Run->Objects.size(), 11u);
  EXPECT_EQ(Run->find({7, 0, 1, 3, 3})->Share, 1);
  EXPECT_EQ(Run->find({7, 0, 1, 10, 10}), nullptr);
}

TEST(PlanEntries, MoreThanAnyPlanSpeaksOfIsRefused) {
  TempDir F;
  json J = json::parse(planToJson(longPlan(1, false)));
  auto With = [&](json Alike, json Ordinal) {
    J["objects"] = {{{"site", "0000000000000007"},
                     {"ordinal", Ordinal},
                     {"alike", Alike},
                     {"share", 1},
                     {"ranges", json::array()}}};
    // By both parsers.
    const Expected<Plan> General = readPlan(F.write("plan.json", J.dump())),
                         Quick =
                             readPlan(F.write("plan.json", J.dump(1) + "\n"));
    EXPECT_EQ(static_cast<bool>(General), static_cast<bool>(Quick));
    EXPECT_EQ(General ? "" : General.message(), Quick ? "" : Quick.message());
    return General ? "" : General.message();
  };
  EXPECT_EQ(With(2, 0), "");
  EXPECT_NE(With(4000000000u, 0).find("lists more than"), std::string::npos);
  EXPECT_NE(With(2, 4294967295u).find("alike: must be"), std::string::npos);
  EXPECT_NE(With(0, 3).find("alike: must be"), std::string::npos);
  EXPECT_NE(With(2, nullptr).find("alike: must be"), std::string::npos);
}

TEST(PlanEntries, ReasonsMayBeLeftOut) {
  TempDir F;
  Expected<Plan> P =
      readPlan(F.write("plan.json", planToJson(somePlan(7))), PlanUse::Run);
  ASSERT_TRUE(static_cast<bool>(P));
  ASSERT_FALSE(P->Objects.empty());
  EXPECT_EQ(P->Objects[0].Reason, "");
}

/// Each member of an entry is replaced by invalid and by unusual values: errors
/// and results are those of the general parser.
TEST(PlanEntries, OddEntriesTakeTheGeneralWay) {
  TempDir F;
  Plan P;
  PlanObject O;
  O.Site = 0x123456789abcdef0;
  O.At = "a.c:1:1";
  O.Share = 0.5;
  O.Ranges = {{0, 256, 0.5}};
  O.PredictedBytes = 100;
  O.MostBytes = O.LeastBytes = 100;
  O.Reason = "none";
  P.Objects = {O};
  P.ReplanJson = "{}";
  const std::string Good = planToJson(P);
  for (auto [From, To] :
       std::initializer_list<std::pair<const char *, const char *>>{
           {"\"share\": 0.5", "\"share\": 1.5"},
           {"\"share\": 0.5", "\"share\": -0.5"},
           {"\"share\": 0.5", "\"share\": \"a\""},
           {"\"share\": 0.5", "\"share\": 00.5"},
           {"\"share\": 0.5", "\"share\": 0."},
           {"\"share\": 0.5", "\"share\": 0.e1"},
           {"\"share\": 0.5", "\"shape\": 0.5"},
           {"\"site\": \"123456789abcdef0\"", "\"site\": \"0000000000000000\""},
           {"\"site\": \"123456789abcdef0\"", "\"site\": \"xyz\""},
           {"\"site\": \"123456789abcdef0\"", "\"site\": \"123456789ABCDEF0\""},
           {"\"a.c:1:1\"", "\"a\\n:1:1\""},
           {"\"a.c:1:1\"", "\"\xc3\xa9.c\""},
           {"\"a.c:1:1\"", "\"\xff.c\""},
           {"\"a.c:1:1\"", "null"},
           {"\"none\"", "null"},
           {"\"predicted_bytes\": 100", "\"predicted_bytes\": 100.0"},
           {"\"predicted_bytes\": 100", "\"predicted_bytes\": -1"},
           {"\"predicted_bytes\": 100",
            "\"more\": [{}], \"predicted_bytes\": 7"},
           {"\"creator\": null", "\"creator\": 4294967296"},
           {"\"creator\": null", "\"creator\": 1, \"creator\": 2"},
           {"\"gain_s\": 0.0", "\"gain_s\": null"},
           {"\"gain_s\": 0.0", "\"gain_s\": 1e999"},
           {"     256,", "     257,"},
           {"     256,", "     0,"},
           {"    100,\n", "    101,\n"},
           {"\"objects\": [", "\"objects\": [,"},
       }) {
    std::string Text = Good;
    const size_t At = Text.find(From);
    ASSERT_NE(At, std::string::npos) << From;
    Text.replace(At, std::strlen(From), To);
    std::string Rest = Text;
    std::vector<PlanObject> Taken;
    EXPECT_FALSE(takePlanEntries(Rest, Taken, true)) << To;
    EXPECT_EQ(Rest, Text);
    // Without line ends the fast parser is not used.
    std::string Flat = Text;
    std::replace(Flat.begin(), Flat.end(), '\n', ' ');
    const Expected<Plan> Quick = readPlan(F.write("plan.json", Text)),
                         General = readPlan(F.write("plan.json", Flat));
    ASSERT_EQ(static_cast<bool>(Quick), static_cast<bool>(General)) << To;
    if (Quick)
      EXPECT_EQ(planToJson(*Quick), planToJson(*General));
    else
      EXPECT_EQ(Quick.message(), General.message());
  }
}

TEST(PlanEntries, ChangesReplaceEntriesOrAddSome) {
  PlanObject Wide, One;
  Wide.Site = One.Site = 7;
  One.Context = 0;
  One.Creator = 0;
  One.Ordinal = 2;
  One.Share = 0.25;
  One.Ranges = {{0, 64, 1}};
  PlanObject Later = One;
  Later.Share = 0;
  Later.Ranges.clear();
  PlanObject Other = One;
  Other.Ordinal = 3;
  std::vector<PlanObject> All{Wide, One};
  applyChange(All, {4, {Later, Other}});
  ASSERT_EQ(All.size(), 3u);
  EXPECT_EQ(All[1].Share, 0);
  EXPECT_TRUE(All[1].Ranges.empty());
  EXPECT_EQ(All[2].Ordinal, 3u);
  EXPECT_EQ(All[2].Share, 0.25);
}

} // namespace
