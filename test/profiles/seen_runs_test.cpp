//===- seen_runs_test.cpp - what runs leave, and what it says -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the file of a run, whole and damaged; values and sizes from runs of
// the target's input, and of others.
//===----------------------------------------------------------------------===//
#include "TempDir.h"
#include "format/File.h"
#include "format/Identity.h"
#include "predict/symbols/SeenRuns.h"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using nlohmann::json;

namespace {

constexpr uint64_t Region = 0x100, Site = 0x200, Rows = 1, Width = 2;

SeenRun runOf(std::vector<std::string> Arguments, int64_t N,
              uint64_t Bytes = 4096) {
  SeenRun R;
  R.Build = "b";
  R.Program = {10, "1.2"};
  R.Command = {"app"};
  R.Command.insert(R.Command.end(), Arguments.begin(), Arguments.end());
  R.Folder = "/home";
  R.Threads = "4";
  R.Seconds = 1.5;
  R.Values = {{Region, 0x11, N, N, N}};
  R.Objects = {{Site, 0, 0, 0, 0, Bytes}};
  return R;
}

/// A region that reads main:rows times main:width elements.
struct Program {
  Facts F;
  Profile Base;

  Program() {
    F.Regions.push_back({Region, "parallel", "a.c:5:1", "main"});
    for (const auto &[Id, Name, Handed] :
         {std::tuple(Rows, "main:rows", 0x11), {Width, "main:width", 0x12}}) {
      SymbolFact S;
      S.Id = Id;
      S.Name = Name;
      S.HandedAs = uint64_t(Handed);
      S.Scope = SymbolFact::Program;
      F.Symbols.push_back(S);
      ek_raw_symbol Old{};
      Old.symbol = Id;
      Old.task = EK_NO_TASK;
      Old.times = 1;
      Old.first = Old.last = Old.min = Old.max = 100;
      Base.Symbols.push_back(Old);
    }
    AccessFact A;
    A.Region = Region;
    A.Reads = makeOp("*", {makeSymbol(Rows), makeSymbol(Width)});
    A.Writes = makeConst(0);
    F.Accesses.push_back(A);
    Base.Ran.Arguments = {"app", "100"};
  }
};

class File : public testing::Test {
protected:
  TempDir Dir;
  std::string Path = Dir.path("run.json");

  std::string errorOf(const std::string &Text) {
    EXPECT_FALSE(writeWholeFile(Path, Text));
    Expected<SeenRun> R = readSeenRun(Path);
    return R ? "" : R.message();
  }
  /// The error for a good file in which member \p Name is \p Value.
  std::string errorWith(const char *Name, const json &Value) {
    json J = json::parse(seenRunToJson(runOf({"7"}, 7)));
    J[Name] = Value;
    return errorOf(J.dump());
  }
};

TEST_F(File, ComesBackAsItWas) {
  SeenRun R = runOf({"a file", "-3"}, INT64_MIN);
  R.Files[1] = {77, "12.000000034"};
  R.Rank = 1;
  R.Ranks = 4;
  R.Planned = true;
  R.Phases = {{5, 0, 3, 0.25}};
  R.Totals = {{Region, 0x13, 3, 40, INT64_MIN, 41}};
  R.Tasks = {{Region, 2, 3, 0.125}};
  R.Teams = {{0, 1, 9, 2}};
  R.LeftOut["objects"] = 12;
  R.Types = {"aa", {{Region, 9, true, 3, 4, 1e-3, 10, 2e-3, 1e-3}}};
  const std::string Text = seenRunToJson(R);
  ASSERT_EQ(errorOf(Text), "");
  const Expected<SeenRun> Again = readSeenRun(Path);
  EXPECT_EQ(seenRunToJson(*Again), Text);
  EXPECT_EQ(Again->Files, R.Files);
  EXPECT_EQ(Again->Values[0].Least, INT64_MIN);
  EXPECT_EQ(Again->Types.Rows, R.Types.Rows);
  ASSERT_EQ(Again->Totals.size(), 1u);
  EXPECT_EQ(Again->Totals[0].Thread, 3u);
  EXPECT_EQ(Again->Totals[0].First, 40);
}

TEST_F(File, RefusesWhatIsDamaged) {
  const std::string Good = seenRunToJson(runOf({"7"}, 7));
  EXPECT_EQ(errorOf(Good), "");
  EXPECT_NE(errorOf(""), "");
  EXPECT_NE(errorOf("[]"), "");
  for (size_t Cut = 1; Cut < Good.size(); Cut += 7)
    EXPECT_NE(errorOf(Good.substr(0, Cut)), "") << Cut;
  const json Whole = json::parse(Good);
  for (const auto &Member : Whole.items()) {
    json J = Whole;
    J.erase(Member.key());
    EXPECT_NE(errorOf(J.dump()), "") << Member.key();
    if (Member.key() != "planned") {
      EXPECT_NE(errorWith(Member.key().c_str(), true), "") << Member.key();
    }
  }
  EXPECT_NE(errorWith("schema", "evenkeel.seen/2").find("seen/2"),
            std::string::npos);
  EXPECT_NE(errorWith("command", json::array()), "");
  EXPECT_NE(errorWith("command", {1}), "");
  EXPECT_NE(errorWith("seconds", -1), "");
  EXPECT_NE(errorWith("files", {{2, 1, "1.0"}}), "") << "no such word";
  const std::string Id = idToString(3);
  EXPECT_EQ(errorWith("values", {{Id, Id, 1, 1, 1}}), "");
  EXPECT_NE(errorWith("values", {{Id, Id, 2, 1, 1}}), "");
  EXPECT_NE(errorWith("values", {{Id, Id, 1.5, 1, 2}}), "");
  EXPECT_NE(errorWith("values", {{"3", Id, 1, 1, 1}}), "");
  EXPECT_NE(errorWith("values", {{Id, Id, 1, 1}}), "");
  EXPECT_EQ(errorWith("totals", {{Id, Id, 0, 1, 1, 1}}), "");
  EXPECT_NE(errorWith("totals", {{Id, Id, 0, 2, 1, 1}}), "");
  EXPECT_NE(errorWith("totals", {{Id, Id, -1, 1, 1, 1}}), "");
  EXPECT_NE(errorWith("objects", {{Id, Id, 1u << 31, 0, 0, -8}}), "");
  EXPECT_NE(errorWith("tasks", {{Id, 0, 1, -1.0}}), "");
  EXPECT_NE(errorWith("left_out", {{"values", "many"}}), "");
  EXPECT_NE(errorWith("types", {{"base", "x"}}), "");
}

TEST(Inputs, HaveNamesOfTheirOwn) {
  EXPECT_EQ(inputId("app", {"1", "2"}), inputId("app", {"1", "2"}));
  EXPECT_NE(inputId("app", {"1", "2"}), inputId("app", {"12"}));
  EXPECT_NE(inputId("app", {"1", "2"}), inputId("app", {"1 2"}));
  EXPECT_NE(inputId("app", {}), inputId("app", {""}));
  EXPECT_NE(inputId("app", {}), inputId("other", {}));
}

TEST(Own, ValuesAndSizesAreTaken) {
  Program P;
  const SeenTarget T = seenOfTarget(
      P.F, P.Base, {runOf({"400"}, 399, 65536), runOf({"400"}, 399, 65536)});
  ASSERT_EQ(T.Symbols.size(), 1u);
  EXPECT_EQ(T.Symbols[0].Symbol->Name, "main:rows");
  EXPECT_EQ(T.Symbols[0].Value, 399);
  EXPECT_EQ(T.Symbols[0].Base, 100);
  EXPECT_EQ(T.Symbols[0].From, "seen in 2 runs of this input");
  ASSERT_EQ(T.Sizes.size(), 1u);
  EXPECT_EQ(T.Sizes[0].Site, Site);
  EXPECT_EQ(T.Sizes[0].Bytes, 65536);
  EXPECT_TRUE(T.Notes.empty());
}

TEST(Own, WhatChangesIsNoEvidence) {
  Program P;
  SeenRun Changes = runOf({"400"}, 399);
  Changes.Values[0].Most = 400;
  EXPECT_TRUE(seenOfTarget(P.F, P.Base, {Changes}).Symbols.empty());
  // Between two runs of one input, that is a contradiction, and named.
  const SeenTarget T = seenOfTarget(
      P.F, P.Base, {runOf({"400"}, 399, 8192), runOf({"400"}, 398, 4096)});
  EXPECT_TRUE(T.Symbols.empty());
  EXPECT_TRUE(T.Sizes.empty());
  ASSERT_EQ(T.Notes.size(), 2u);
  EXPECT_NE(T.Notes[0].find("main:rows (398 and 399)"), std::string::npos);
  EXPECT_NE(T.Notes[1].find("1 object"), std::string::npos);
}

/// The same, with a loop whose iterations two threads count.
struct Counting : Program {
  static constexpr uint64_t Trips = 3, Loop = 0x13;

  Counting() {
    SymbolFact S;
    S.Id = Trips;
    S.Name = "main:trip.7";
    S.Kind = SymbolFact::Measured;
    S.HandedAs = Loop;
    F.Symbols.push_back(S);
    F.Accesses[0].Writes = makeSymbol(Trips);
    Base.Phases.push_back({0x40, 1, 2});
    for (uint32_t T = 0; T < 2; ++T) {
      Base.Tasks.push_back({Region, 0, T, T, 0, 1000, 1000, 0});
      Base.Symbols.push_back({Trips, T, 0, 1, 10, 10, 10, 10, 10.0 + T});
    }
  }
  static SeenRun run(std::vector<int64_t> OfThread) {
    SeenRun R = runOf({"400"}, 399);
    for (uint32_t T = 0; T < OfThread.size(); ++T)
      R.Totals.push_back(
          {Region, Loop, T, OfThread[T], OfThread[T], OfThread[T]});
    return R;
  }
};

TEST(Own, TotalsOfLoopsAreThoseOfThreads) {
  Counting P;
  const SeenTarget T = seenOfTarget(
      P.F, P.Base, {Counting::run({700, 900}), Counting::run({700, 900})});
  ASSERT_EQ(T.Symbols.size(), 3u); // with main:rows
  EXPECT_EQ(T.Symbols[1].Symbol->Id, Counting::Trips);
  EXPECT_EQ(T.Symbols[1].Task, 0u);
  EXPECT_EQ(T.Symbols[1].Value, 700);
  EXPECT_EQ(T.Symbols[1].Base, 10);
  EXPECT_EQ(T.Symbols[2].Task, 1u);
  EXPECT_EQ(T.Symbols[2].Value, 900);
  EXPECT_EQ(T.Symbols[2].Base, 11);
  EXPECT_EQ(T.Symbols[2].From, "of thread 1, seen in 2 runs of this input");
  EXPECT_TRUE(T.Notes.empty());
  // They are given to the threads.
  std::vector<Given> For;
  std::vector<KnownSymbol> Exact;
  giveSeen(P.F, T.Symbols, For, Exact);
  ASSERT_EQ(For.size(), 3u);
  EXPECT_EQ(For[2].Name, "main:trip.7");
  EXPECT_EQ(For[2].Task, 1u);
  EXPECT_EQ(For[2].Value, 900);
}

TEST(Own, TotalsThatChangeOrOfOtherThreadsAreNotUsed) {
  Counting P;
  SeenRun Changes = Counting::run({700, 900});
  Changes.Totals[1].Most = 901;
  EXPECT_EQ(seenOfTarget(P.F, P.Base, {Changes}).Symbols.size(), 1u);
  EXPECT_EQ(seenOfTarget(P.F, P.Base,
                         {Counting::run({700, 900}), Counting::run({700, 901})})
                .Symbols.size(),
            1u); // a dynamic schedule
  const SeenTarget Other =
      seenOfTarget(P.F, P.Base, {Counting::run({500, 500, 600})});
  EXPECT_EQ(Other.Symbols.size(), 1u);
  ASSERT_EQ(Other.Notes.size(), 1u);
  EXPECT_NE(Other.Notes[0].find("1 loop"), std::string::npos);
}

TEST(Own, RanksKeepTheirValuesApart) {
  Program P;
  P.Base.Ranks = {0, 2};
  P.Base.Tasks.resize(1);
  P.Base.Tasks[0].index = 3;
  std::vector<SeenRun> Runs = {runOf({}, 10, 4096), runOf({}, 20, 8192)};
  Runs[0].Ranks = Runs[1].Ranks = 2;
  Runs[1].Rank = 1;
  const SeenTarget T = seenOfTarget(P.F, P.Base, Runs);
  ASSERT_EQ(T.Symbols.size(), 4u); // one for each task
  EXPECT_EQ(T.Symbols[1].Task, 1u);
  EXPECT_EQ(T.Symbols[1].Value, 10);
  EXPECT_EQ(T.Symbols[2].Task, 2u);
  EXPECT_EQ(T.Symbols[2].Value, 20);
  ASSERT_EQ(T.Sizes.size(), 2u);
  EXPECT_EQ(T.Sizes[0].Creator, 0u);
  EXPECT_EQ(T.Sizes[1].Creator, 2u);
  // With another number of ranks in the base run, only what all share counts.
  P.Base.Ranks = {0, 2, 4};
  const SeenTarget Other = seenOfTarget(P.F, P.Base, Runs);
  EXPECT_TRUE(Other.Symbols.empty());
  EXPECT_TRUE(Other.Sizes.empty());
  EXPECT_EQ(Other.Notes.size(), 2u);
}

/// What runs with these arguments and values say for the argument \p Target.
std::vector<SeenSymbol>
others(const std::vector<std::pair<std::string, int64_t>> &Runs,
       const std::vector<std::string> &Target, int64_t OfBase = 100) {
  Program P;
  P.Base.Symbols[0].first = P.Base.Symbols[0].min = P.Base.Symbols[0].max =
      OfBase;
  std::vector<SeenInput> In;
  for (const auto &[Word, Value] : Runs)
    In.push_back({{"app", Word}, true, {runOf({Word}, Value)}});
  std::vector<SeenSymbol> Out =
      seenOfOthers(P.F, P.Base, Target, In, {}).Symbols;
  for (SeenSymbol &S : Out)
    S.Symbol = nullptr; // of P
  return Out;
}

TEST(Others, WhatDoesNotDependOnTheArgumentIsTheSame) {
  const auto Same = others({{"200", 100}, {"300", 100}}, {"app", "400"});
  ASSERT_EQ(Same.size(), 1u);
  EXPECT_EQ(Same[0].Value, 100);
  EXPECT_EQ(Same[0].From, "the same in 3 other inputs");
}

TEST(Others, WhatFollowsFromTheArgumentIsEvaluated) {
  // The base run has 100 for the argument 100: a proportion.
  const auto One = others({{"200", 200}}, {"app", "400"});
  ASSERT_EQ(One.size(), 1u);
  EXPECT_EQ(One[0].Value, 400);
  EXPECT_NE(One[0].From.find("argument 1, as in 2 other inputs (argument 1: "
                             "100 to 200)"),
            std::string::npos);
  // Two coefficients need three inputs.
  EXPECT_TRUE(others({{"200", 199}}, {"app", "400"}, 99).empty());
  const auto Line = others({{"200", 199}, {"300", 299}}, {"app", "400"}, 99);
  ASSERT_EQ(Line.size(), 1u);
  EXPECT_EQ(Line[0].Value, 399);
  const auto Square =
      others({{"200", 40000}, {"300", 90000}}, {"app", "400"}, 10000);
  ASSERT_EQ(Square.size(), 1u);
  EXPECT_EQ(Square[0].Value, 160000);
}

TEST(Others, NothingIsGuessed) {
  // Not exact.
  EXPECT_TRUE(
      others({{"200", 40001}, {"300", 90000}}, {"app", "400"}, 10000).empty());
  // Another word that is no number, or another number of words.
  EXPECT_TRUE(others({{"200", 200}}, {"app", "big.dat"}).empty());
  EXPECT_TRUE(others({{"200", 200}}, {"app", "400", "1"}).empty());
  // Runs of other files.
  Program P;
  std::vector<SeenInput> In = {{{"app", "200"}, false, {runOf({"200"}, 200)}}};
  EXPECT_TRUE(
      seenOfOthers(P.F, P.Base, {"app", "400"}, In, {}).Symbols.empty());
  In[0].NamesSameFiles = true;
  EXPECT_EQ(seenOfOthers(P.F, P.Base, {"app", "400"}, In, {}).Symbols.size(),
            1u);
  // What is known already.
  EXPECT_TRUE(
      seenOfOthers(P.F, P.Base, {"app", "400"}, In, {Rows}).Symbols.empty());
}

TEST(Others, AnArgumentThatNeverVariedTellsNothing) {
  Program P;
  P.Base.Ran.Arguments = {"app", "100", "5"};
  std::vector<SeenInput> In = {
      {{"app", "200", "5"}, true, {runOf({"200", "5"}, 100)}}};
  EXPECT_TRUE(
      seenOfOthers(P.F, P.Base, {"app", "300", "6"}, In, {}).Symbols.empty());
  EXPECT_EQ(
      seenOfOthers(P.F, P.Base, {"app", "300", "5"}, In, {}).Symbols.size(),
      1u);
}

TEST(Give, PeopleWin) {
  Program P;
  const std::vector<SeenSymbol> Seen = {
      {&P.F.Symbols[0], std::nullopt, 100, 400, "seen"},
      {&P.F.Symbols[1], std::nullopt, 100, 50, "seen"}};
  std::vector<Given> For = {{"rows", std::nullopt, 7}};
  std::vector<KnownSymbol> Exact;
  const std::vector<SeenSymbol> Added = giveSeen(P.F, Seen, For, Exact);
  ASSERT_EQ(Added.size(), 1u);
  EXPECT_EQ(Added[0].Symbol->Id, Width);
  ASSERT_EQ(For.size(), 2u);
  EXPECT_EQ(For[1].Name, "main:width");
  EXPECT_EQ(For[1].Value, 50);
  EXPECT_TRUE(Exact.empty());
}

TEST(Give, ANameThatMeansSeveralIsNotUsed) {
  Program P;
  P.F.Symbols[1].Name = "main:rows";
  const std::vector<SeenSymbol> Seen = {
      {&P.F.Symbols[0], std::nullopt, 100, 400, "seen"}};
  std::vector<Given> For;
  std::vector<KnownSymbol> Exact;
  EXPECT_EQ(giveSeen(P.F, Seen, For, Exact).size(), 1u);
  EXPECT_TRUE(For.empty());
  ASSERT_EQ(Exact.size(), 1u);
  EXPECT_EQ(Exact[0].Symbol, Rows);
}

} // namespace
