//===- format_test.cpp - facts.json, plan.json ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: round trips, schemas, and one line for each kind of bad input.
//===----------------------------------------------------------------------===//
#include "Schema.h"
#include "TempDir.h"
#include "format/Facts.h"
#include "format/File.h"
#include "format/Identity.h"
#include "format/WaitCalls.h"
#include "format/plan/Plan.h"
#include <algorithm>
#include <cmath>
#include <fcntl.h>
#include <functional>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace evenkeel;
using nlohmann::json;

namespace {

ExprRef op(const char *Name, std::vector<ExprRef> Args) {
  return makeOp(Name, std::move(Args));
}

Facts sample() {
  Facts F;
  F.Units = {"src/b.c", "src/a.c"};
  SiteFact S;
  S.Id = 0x10;
  S.Kind = "malloc";
  S.At = "src/a.c:10:7";
  S.Function = "main";
  S.Size = op("*", {makeConst(8), makeSymbol(0x30)});
  S.Rows = SiteFact::Table{
      op("*", {makeConst(4), makeSymbol(0x30)}), true, {0x11, 0x10}, ""};
  F.Sites.push_back(S);
  S.Id = 0x11;
  S.At = "src/a.c:9:7";
  S.Size = nullptr;
  S.Rows = SiteFact::Table{nullptr, false, {}, "row-sizes-differ"};
  S.ElementBytes = 8;
  F.Sites.push_back(S);
  F.Regions.push_back({0x20, "parallel", "src/a.c:20:1", "main"});
  F.Syncs.push_back({0x25, "barrier", "src/a.c:22:1", "main", "team"});
  SymbolFact Y;
  Y.Id = 0x30;
  Y.Name = "main:n";
  Y.Kind = SymbolFact::Given;
  Y.Scope = SymbolFact::Program;
  Y.Least = 0;
  F.Symbols.push_back(Y);
  Y.Id = 0x31;
  Y.Name = "run:n";
  Y.Least.reset();
  F.Symbols.push_back(Y);
  Y.Id = 0x32;
  Y.Name = "run:m";
  Y.Kind = SymbolFact::Measured;
  Y.ScalesWith = makeSymbol(0x30);
  F.Symbols.push_back(Y);
  AccessFact A;
  A.Region = 0x20;
  A.Sites = {0x11, 0x10};
  A.Class = AccessFact::Strided;
  A.Stride = -16;
  A.ElementBytes = 8;
  A.Reads = op("share", {makeSymbol(0x30)});
  A.Writes = makeConst(0);
  A.At = "src/a.c:21:5";
  A.Why = "upper bound";
  A.Exact = false;
  F.Accesses.push_back(A);
  F.GiveUps["loop bound unknown"] = 2;
  return F;
}

json schema(const char *Name) {
  return json::parse(TempDir::read(std::string(EK_SOURCE_DIR) +
                                   "/profiles/schemas/" + Name +
                                   ".schema.json"));
}

TEST(Facts, RoundTripSortedAndValid) {
  TempDir D;
  std::string Text = factsToJson(sample());
  Expected<Facts> F = readFacts(D.write("facts.json", Text));
  ASSERT_TRUE(static_cast<bool>(F)) << F.message();
  EXPECT_EQ(factsToJson(*F), Text);
  EXPECT_EQ(F->Sites[0].Id, 0x11u) << "line 9 comes before line 10";
  EXPECT_EQ(F->Accesses[0].Sites, (std::vector<uint64_t>{0x10, 0x11}));
  EXPECT_EQ(*F->Accesses[0].Stride, -16);
  EXPECT_FALSE(F->Accesses[0].Exact);
  EXPECT_EQ(F->site(0x10)->Kind, "malloc");
  const SiteFact::Table &Rows = *F->site(0x10)->Rows;
  EXPECT_TRUE(Rows.Loaded);
  EXPECT_EQ(symbolsOf(*Rows.RowBytes), (std::vector<uint64_t>{0x30}));
  EXPECT_EQ(Rows.IndexSites, (std::vector<uint64_t>{0x10, 0x11}));
  EXPECT_EQ(F->site(0x11)->Rows->Why, "row-sizes-differ");
  EXPECT_FALSE(F->site(0x11)->Rows->RowBytes);
  EXPECT_EQ(F->region(0x99), nullptr);
  EXPECT_EQ(F->symbol(0x30)->Least, 0);
  EXPECT_FALSE(F->symbol(0x31)->Least);
  json S = schema("facts");
  EXPECT_EQ(SchemaChecker(S).check(json::parse(Text)), "");

  Facts Shuffled = sample();
  std::reverse(Shuffled.Sites.begin(), Shuffled.Sites.end());
  std::reverse(Shuffled.Symbols.begin(), Shuffled.Symbols.end());
  std::reverse(Shuffled.Units.begin(), Shuffled.Units.end());
  EXPECT_EQ(factsToJson(Shuffled), Text);
}

TEST(Facts, SymbolNames) {
  Facts F = sample();
  EXPECT_EQ((*F.symbolByName("main:n"))->Id, 0x30u);
  EXPECT_EQ((*F.symbolByName("m"))->Id, 0x32u);
  EXPECT_ERROR(F.symbolByName("n"), "main:n, run:n");
  EXPECT_ERROR(F.symbolByName("zz"), "no symbol 'zz'");
}

TEST(Facts, MistypedSymbolsAreToldTheNearest) {
  Facts F;
  EXPECT_ERROR(F.symbolByName("n"), "no symbol 'n'; the facts know none");
  for (const char *Name : {"main:rows", "main:columns", "solve:row", "f:a",
                           "f:b", "f:c", "f:dddddddddddd"}) {
    SymbolFact S;
    S.Id = F.Symbols.size() + 1;
    S.Name = Name;
    S.Kind = SymbolFact::Given;
    F.Symbols.push_back(S);
  }
  EXPECT_ERROR(F.symbolByName("rowz"),
               "no symbol 'rowz'; the nearest are: main:rows, solve:row, f:a, "
               "f:b, f:c (evenkeel plan -v and analyze --json show all 7)");
  EXPECT_ERROR(F.symbolByName("maim:columns"), "nearest are: main:columns");
}

TEST(Facts, ProgramHashIgnoresOrder) {
  Facts A = sample(), B = sample();
  std::reverse(B.Sites.begin(), B.Sites.end());
  EXPECT_EQ(programHash(A), programHash(B));
  B.Sites.pop_back();
  EXPECT_NE(programHash(A), programHash(B));
}

TEST(Facts, UnknownFieldsAreIgnored) {
  TempDir D;
  json J = json::parse(factsToJson(sample()));
  J["later"] = {{"x", 1}};
  J["sites"][0]["later"] = 7;
  EXPECT_TRUE(static_cast<bool>(readFacts(D.write("f.json", J.dump()))));
}

TEST(Facts, MalformedInput) {
  TempDir D;
  EXPECT_ERROR(readFacts(D.path("absent.json")), "cannot read");
  EXPECT_ERROR(readFacts(D.path(".")), "directory");
  EXPECT_ERROR(readFacts(D.write("a", "")), "not JSON");
  EXPECT_ERROR(readFacts(D.write("a", "{\"schema\":")), "not JSON");
  EXPECT_ERROR(readFacts(D.write("a", "[]")), "evenkeel.facts/1");
  EXPECT_ERROR(readFacts(D.write("a", "{}")), "evenkeel analyze");
  EXPECT_ERROR(readFacts(D.write("a", R"({"schema":"evenkeel.facts/2"})")),
               "unknown");
  EXPECT_ERROR(readFacts(D.write("a", R"({"schema":"evenkeel.plan/1"})")),
               "expected \"evenkeel.facts/1\"");
  EXPECT_ERROR(readFacts(D.write("a", R"({"schema":"evenkeel.facts/1"})")),
               "sites: missing");
  struct {
    const char *Pointer, *Value, *Says;
  } Cases[] = {
      {"/sites/0/id", "7", "sites[0].id"},
      {"/sites/0/id", "\"abc\"", "16 hex digits"},
      {"/sites/0/size", "{\"op\":\"?\"}", "sites[0].size"},
      {"/sites", "{}", "sites: must be an array"},
      {"/sites/1", "3", "sites[1]: must be an object"},
      {"/accesses/0/reads", "null", "accesses[0].reads"},
      {"/accesses/0/sites/0", "1", "accesses[0].sites[0]"},
      {"/accesses/0/exact", "1", "accesses[0].exact"},
      {"/accesses/0/class", "\"guess\"",
       "accesses[0].class: is 'guess', which is unknown"},
      {"/symbols/0/name", "null", "symbols[0].name"},
      {"/symbols/0/kind", "\"guess\"", "symbols[0].kind: is 'guess'"},
      {"/regions/0/kind", "[]", "regions[0].kind"},
      {"/giveups", "{\"x\":-1}", "giveups.x"},
      {"/units", "[1]", "units"},
  };
  json S = schema("facts");
  for (const auto &C : Cases) {
    json J = json::parse(factsToJson(sample()));
    J[json::json_pointer(C.Pointer)] = json::parse(C.Value);
    EXPECT_ERROR(readFacts(D.write("a", J.dump())), C.Says);
    EXPECT_NE(SchemaChecker(S).check(J), "") << C.Pointer;
  }
}

/// Every prefix of a good file is rejected without a crash. Integers stay
/// exact: none passes through a double.
TEST(Facts, TablesThatAreNone) {
  TempDir D;
  json J = json::parse(factsToJson(sample()));
  J["sites"][0]["table"] = 8;
  EXPECT_ERROR(readFacts(D.write("a", J.dump())),
               "sites[0].table: must be an object");
  J["sites"][0]["table"] = {{"row_bytes", nullptr}, {"index", "guessed"}};
  EXPECT_ERROR(readFacts(D.write("a", J.dump())),
               "sites[0].table.index: must be loaded or computed");
}

TEST(Facts, NumbersThatDoNotFit) {
  TempDir D;
  auto With = [&](const char *Pointer, const char *Value) {
    json J = json::parse(factsToJson(sample()));
    J[json::json_pointer(Pointer)] = json::parse(Value);
    return readFacts(D.write("a", J.dump()));
  };
  for (const char *Bad : {"1e300", "-1", "1.5", "18446744073709551616"}) {
    EXPECT_ERROR(With("/sites/0/element_bytes", Bad), "element_bytes");
    EXPECT_ERROR(With("/accesses/0/element_bytes", Bad), "element_bytes");
    EXPECT_ERROR(With("/accesses/0/points", Bad), "points");
  }
  EXPECT_ERROR(With("/accesses/0/points", "4294967296"), "too large");
  for (const char *Bad : {"1e300", "1.5", "9223372036854775808"})
    EXPECT_ERROR(With("/accesses/0/stride", Bad), "stride");
  Expected<Facts> F = With("/sites/0/element_bytes", "9007199254740993");
  ASSERT_TRUE(bool(F));
  EXPECT_EQ(F->Sites[0].ElementBytes, 9007199254740993u);
}

TEST(Facts, NamesWithControlCharacters) {
  TempDir D;
  json J = json::parse(factsToJson(sample()));
  J["giveups"][std::string("a\0b", 3)] = 5;
  Expected<Facts> F = readFacts(D.write("a", J.dump()));
  ASSERT_TRUE(bool(F)) << F.message();
  EXPECT_EQ(F->GiveUps[std::string("a\0b", 3)], 5u);
  J["giveups"]["a\nb"] = -1;
  EXPECT_ERROR(readFacts(D.write("a", J.dump())), "giveups.a b");
}

TEST(Facts, TruncatedAnywhere) {
  TempDir D;
  std::string Text = factsToJson(sample());
  for (size_t N = 0; N + 2 < Text.size(); N += 37)
    EXPECT_ERROR(readFacts(D.write("a", Text.substr(0, N))), "not JSON");
}

Plan samplePlan() {
  Plan P;
  P.Program = "0123456789abcdef";
  P.Planner = "balanced";
  P.Model = "overlap";
  P.Machine = "optane-6252n";
  P.FastBytes = 1 << 20;
  P.BaseInput = "fedcba9876543210";
  PlanObject O;
  O.Site = 0x10;
  O.At = "src/a.c:10:7";
  O.Share = 0.25;
  O.Ranges = {{0, 64, 1}};
  O.PredictedBytes = 4096;
  O.GainSeconds = 0.5;
  O.Reason = "saves";
  P.Objects.push_back(O);
  O.Creator = 3;
  O.Ordinal = 1;
  O.Ranges = {{0, 10, 0.5}, {20, 30, 1}};
  P.Objects.push_back(O);
  O.Ordinal.reset();
  P.Objects.push_back(O);
  P.PredictedMakespan = 1.5;
  P.Phases.push_back(
      {2, 0x20, "src/a.c:20:1", 1.5, {{0, 1.5, 2, 1}, {0, 1, 1, 1, true}}});
  P.ReplanJson = "{\"tiers\":[]}";
  P.Assumed = {"tiers[0].write_latency_ns: why"};
  return P;
}

TEST(Plan, RoundTripAndValid) {
  TempDir D;
  std::string Text = planToJson(samplePlan());
  Expected<Plan> P = readPlan(D.write("plan.json", Text));
  ASSERT_TRUE(static_cast<bool>(P)) << P.message();
  EXPECT_EQ(planToJson(*P), Text);
  EXPECT_EQ(P->Objects.size(), 3u);
  EXPECT_FALSE(P->Objects[0].Creator) << "wildcard first";
  EXPECT_EQ(P->Phases[0].Tasks[0].SlowOnlySeconds, 2);
  EXPECT_FALSE(P->Phases[0].Tasks[0].Explicit);
  EXPECT_TRUE(P->Phases[0].Tasks[1].Explicit);
  EXPECT_EQ(P->ReplanJson, "{\"tiers\":[]}");
  json S = schema("plan");
  EXPECT_EQ(SchemaChecker(S).check(json::parse(Text)), "");
}

TEST(Plan, AllFitsRoundTrip) {
  TempDir D;
  Plan Of = samplePlan();
  EXPECT_FALSE(readPlan(D.write("plan.json", planToJson(Of)))->AllFits);
  Of.KeepsFirstTouch = Of.AllFits = true;
  const std::string Text = planToJson(Of);
  Expected<Plan> P = readPlan(D.write("plan.json", Text));
  ASSERT_TRUE(static_cast<bool>(P)) << P.message();
  EXPECT_TRUE(P->AllFits);
  EXPECT_EQ(SchemaChecker(schema("plan")).check(json::parse(Text)), "");
}

TEST(Plan, RanksRoundTrip) {
  Plan P = samplePlan();
  P.Ranks = {0, 2, 3};
  TempDir D;
  std::string Text = planToJson(P);
  Expected<Plan> Read = readPlan(D.write("plan.json", Text));
  ASSERT_TRUE(static_cast<bool>(Read)) << Read.message();
  EXPECT_EQ(Read->Ranks, P.Ranks);
  EXPECT_EQ(planToJson(*Read), Text);
  json S = schema("plan");
  EXPECT_EQ(SchemaChecker(S).check(json::parse(Text)), "");
  for (std::vector<uint32_t> Bad :
       {std::vector<uint32_t>{1}, {0, 2, 2}, {0, 3, 1}}) {
    P.Ranks = Bad;
    EXPECT_ERROR(readPlan(D.write("bad.json", planToJson(P))),
                 "must rise from 0");
  }
}

TEST(Plan, MovesBetweenPhasesRoundTrip) {
  Plan P = samplePlan();
  PlanChange C;
  C.Phase = 3;
  C.Objects = {P.Objects.front()};
  P.Changes = {C};
  C.Phase = 5;
  P.Changes.push_back(C);
  TempDir D;
  std::string Text = planToJson(P);
  Expected<Plan> Read = readPlan(D.write("plan.json", Text));
  ASSERT_TRUE(static_cast<bool>(Read)) << Read.message();
  ASSERT_EQ(Read->Changes.size(), 2u);
  EXPECT_EQ(Read->Changes[1].Phase, 5u);
  EXPECT_EQ(Read->Changes[1].Objects[0].Site, P.Objects.front().Site);
  EXPECT_EQ(planToJson(*Read), Text);
  P.Changes[1].Phase = 3;
  EXPECT_ERROR(readPlan(D.write("bad.json", planToJson(P))), "must rise");
}

// For a thousand iterations the file has two phases, and the last one.
TEST(Plan, PhasesAlikeAreOneEntry) {
  Plan P = samplePlan();
  const PlanPhase First = P.Phases[0];
  P.Phases.clear();
  for (uint32_t H = 0; H < 2001; ++H) {
    P.Phases.push_back(First);
    PlanPhase &X = P.Phases.back();
    X.Phase = H;
    X.Region = 0x20 + H % 2;
    X.Seconds *= H % 3 ? 1 : 1 + 1e-13; // another order of summation
    X.Tasks[0].Seconds *= H == 2000 ? 1.5 : 1;
  }
  const std::string Text = planToJson(P);
  const json J = json::parse(Text);
  const json &Phases = J["predicted"]["phases"];
  ASSERT_EQ(Phases.size(), 3u);
  EXPECT_EQ(Phases[0]["again"].size(), 999u);
  EXPECT_EQ(Phases[1]["again"][0], 3);
  EXPECT_FALSE(Phases[2].contains("again"));
  TempDir D;
  Expected<Plan> Again = readPlan(D.write("plan.json", Text));
  ASSERT_TRUE(static_cast<bool>(Again)) << Again.message();
  ASSERT_EQ(Again->Phases.size(), 2001u);
  for (uint32_t H = 0; H < 2001; ++H) {
    EXPECT_EQ(Again->Phases[H].Phase, H);
    EXPECT_EQ(Again->Phases[H].Region, P.Phases[H].Region);
    EXPECT_NEAR(Again->Phases[H].Seconds, P.Phases[H].Seconds, 1e-12);
    EXPECT_EQ(Again->Phases[H].Tasks[0].Seconds, P.Phases[H].Tasks[0].Seconds);
  }
  EXPECT_EQ(planToJson(*Again), Text);
  const json Schema = json::parse(TempDir::read(
      std::string(EK_SOURCE_DIR) + "/profiles/schemas/plan.schema.json"));
  EXPECT_EQ(SchemaChecker(Schema).check(J), "");
  for (const json &Bad :
       {json::array({5, 4}), json::array({0}), json::array({-1}), json("x")}) {
    json Broken = J;
    Broken["predicted"]["phases"][0]["again"] = Bad;
    Expected<Plan> Read = readPlan(D.write("bad.json", Broken.dump()));
    ASSERT_FALSE(static_cast<bool>(Read)) << Bad;
    EXPECT_NE(Read.message().find("predicted.phases[0].again"),
              std::string::npos)
        << Read.message();
  }
}

TEST(Plan, FindPrefersTheExactEntry) {
  Plan P = samplePlan();
  EXPECT_EQ(*P.find({0x10, 0, 3, 1, 0})->Ordinal, 1u);
  EXPECT_FALSE(P.find({0x10, 0, 3, 2, 0})->Ordinal);
  EXPECT_EQ(*P.find({0x10, 0, 3, 2, 0})->Creator, 3u);
  EXPECT_FALSE(P.find({0x10, 0, 4, 0, 0})->Creator);
  EXPECT_EQ(P.find({0x11, 0, 0, 0, 0}), nullptr);
}

TEST(Plan, MalformedInput) {
  TempDir D;
  EXPECT_ERROR(readPlan(D.path("absent")), "cannot read");
  EXPECT_ERROR(readPlan(D.write("a", "x")), "evenkeel plan");
  EXPECT_ERROR(readPlan(D.write("a", R"({"schema":"evenkeel.plan/9"})")),
               "unknown");
  struct {
    const char *Pointer, *Value, *Says;
  } Cases[] = {
      {"/fast_bytes", "-1", "fast_bytes"},
      {"/objects/0/site", "\"\"", "objects[0].site"},
      {"/objects/0/share", "1.5", "between 0 and 1"},
      {"/objects/0/ranges/0", "[0,300,1]", "objects[0].ranges[0]"},
      {"/objects/0/ranges/0", "[0,1]", "[from, to, share]"},
      {"/objects/1/creator", "-1", "objects[1].creator"},
      {"/predicted/phases/0/tasks/0/seconds", "\"x\"",
       "predicted.phases[0].tasks[0].seconds"},
      {"/predicted/phases/0/tasks/1/explicit", "1",
       "predicted.phases[0].tasks[1].explicit"},
      {"/assumed", "[1]", "assumed"},
      {"/machine", "1", "machine"},
  };
  json S = schema("plan");
  for (const auto &C : Cases) {
    json J = json::parse(planToJson(samplePlan()));
    J[json::json_pointer(C.Pointer)] = json::parse(C.Value);
    EXPECT_ERROR(readPlan(D.write("a", J.dump())), C.Says);
    EXPECT_NE(SchemaChecker(S).check(J), "") << C.Pointer;
  }
  json J = json::parse(planToJson(samplePlan()));
  J["predicted"]["phases"][0]["phase"] = 1ull << 32;
  EXPECT_ERROR(readPlan(D.write("a", J.dump())), "too large");
  J = json::parse(planToJson(samplePlan()));
  J["predicted"]["phases"][0]["tasks"][0]["index"] = 1ull << 32;
  EXPECT_ERROR(readPlan(D.write("a", J.dump())), "too large");
  J = json::parse(planToJson(samplePlan()));
  J["objects"][0]["ranges"] = {{5, 9, 1}, {3, 4, 1}};
  EXPECT_ERROR(readPlan(D.write("a", J.dump())), "sorted");
}

/// Members that are kept verbatim are written back by a recursive function.
TEST(Plan, NestedTooDeep) {
  TempDir D;
  const size_t Levels = 500000;
  std::string Text = planToJson(samplePlan());
  size_t At = Text.find("\"replan\"");
  ASSERT_NE(At, std::string::npos);
  Text.replace(At, 8,
               "\"replan\": " + std::string(Levels, '[') +
                   std::string(Levels, ']') + ", \"was\"");
  EXPECT_ERROR(readPlan(D.write("a", Text)), "nested too deep");
  std::string Flat = "{\"schema\": \"" + std::string(Levels, '[') + "\"}";
  EXPECT_ERROR(readPlan(D.write("a", Flat)), "expected");
}

TEST(Schemas, SimulationSample) {
  json S = schema("simulation");
  json J = {{"schema", "evenkeel.simulation/1"},
            {"machine", "m"},
            {"fast_bytes", 1},
            {"policies",
             {{{"name", "balanced"},
               {"makespan_s", 1.5},
               {"acv", 0.1},
               {"barrier_wait_s", 0},
               {"fast_access_share", 0.5},
               {"migrated_bytes", 0}}}}};
  EXPECT_EQ(SchemaChecker(S).check(J), "");
  J["policies"][0].erase("acv");
  EXPECT_NE(SchemaChecker(S).check(J), "");
}

/// The recorder's pass and libevenkeel-pmpi determine the same ranks.
TEST(WaitCalls, RanksOfCollectivesAreThoseOfTheTable) {
  struct Family {
    bool Collective;
    ek_mpi_of Of;
    unsigned Argument;
  };
#define COMM(n) {true, EK_MPI_COMM, n}
#define WIN(n) {true, EK_MPI_WIN, n}
#define WIN_AT(n) {true, EK_MPI_WIN_AT, n}
#define FILE_OF(n) {true, EK_MPI_FILE, n}
#define FILE_AT(n) {true, EK_MPI_FILE_AT, n}
#define EVERYBODY {true, EK_MPI_ALL, 0}
#define TOGETHER {true, EK_MPI_UNION, 0}
#define WAIT {false, EK_MPI_ALL, 0}
#define START WAIT
  const struct {
    const char *Name;
    Family Is;
    unsigned Arguments;
  } Table[] = {
#define EK_MPI(name, small, family, n) {"MPI_" #name, family, n},
#include "../../runtime/hooks/mpi/pmpi.def"
  };
  for (const auto &Call : Table) {
    EXPECT_EQ(allWait(waitOf(Call.Name)), Call.Is.Collective) << Call.Name;
    if (!Call.Is.Collective)
      continue;
    for (std::string Name :
         {std::string(Call.Name), "P" + std::string(Call.Name)}) {
      const CollectiveRanks R = collectiveRanks(Name, Call.Arguments);
      EXPECT_EQ(R.Of, Call.Is.Of) << Name;
      EXPECT_EQ(R.Argument, Call.Is.Argument) << Name;
    }
  }
}

} // namespace
