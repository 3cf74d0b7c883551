//===- plan_entries_test.cpp - entries of plans, read quickly -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: plans as they are written take the quick way, others the general one;
// what is read, and what is wrong, is the same by both.
//===----------------------------------------------------------------------===//
#include "TempDir.h"
#include "format/PlanEntries.h"
#include "format/Replan.h"
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
    O.Share = double(Random() % 1001) / 1000;
    for (unsigned From = 0; From < 200; From += 100)
      if (Random() % 2)
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
    // The same text on one line takes the general way.
    Expected<Plan> Quick = readPlan(F.write("plan.json", Text));
    ASSERT_TRUE(static_cast<bool>(Quick)) << Quick.message();
    EXPECT_EQ(planToJson(*Quick), Text);
    Expected<Plan> General =
        readPlan(F.write("plan.json", json::parse(Text).dump()));
    ASSERT_TRUE(static_cast<bool>(General)) << General.message();
    EXPECT_EQ(planToJson(*General), Text);
  }
}

// A process that starts takes what only planning again reads as it is.
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
    Expected<Plan> Read = readPlan(F.write("plan.json", Form), false);
    ASSERT_TRUE(static_cast<bool>(Read)) << Read.message();
    EXPECT_EQ(json::parse(Read->ReplanJson), json::parse(P.ReplanJson));
  }
  // Broken in there: the plan goes, planning again does not.
  std::string Broken = Text;
  Broken.replace(Broken.find("[3]"), 3, "[3,");
  Expected<Plan> Read = readPlan(F.write("plan.json", Broken), false);
  ASSERT_TRUE(static_cast<bool>(Read)) << Read.message();
  EXPECT_FALSE(static_cast<bool>(readReplan(Read->ReplanJson, "plan.json")));
  EXPECT_FALSE(static_cast<bool>(readPlan(F.write("plan.json", Broken))));
}

TEST(PlanEntries, ReasonsMayBeLeftOut) {
  TempDir F;
  Expected<Plan> P =
      readPlan(F.write("plan.json", planToJson(somePlan(7))), false);
  ASSERT_TRUE(static_cast<bool>(P));
  ASSERT_FALSE(P->Objects.empty());
  EXPECT_EQ(P->Objects[0].Reason, "");
}

/// An entry of which each member is changed to what it may not or need not be:
/// the errors, or what is read, are those of the general way.
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
    // Without the line ends nothing is quick.
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

} // namespace
