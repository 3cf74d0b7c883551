//===- outputs_test.cpp - plan in; summary and raw stream out ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the sample program (EK_SAMPLE) as a user would and reads what it leaves.
//===----------------------------------------------------------------------===//
#include "format/ek_raw.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

std::string slurp(const fs::path &P) {
  std::ifstream In(P, std::ios::binary);
  std::stringstream S;
  S << In.rdbuf();
  return S.str();
}

class Outputs : public testing::Test {
protected:
  fs::path Dir;
  void SetUp() override {
    char Name[] = "/tmp/ek-outputs-XXXXXX";
    ASSERT_NE(mkdtemp(Name), nullptr);
    Dir = Name;
  }
  void TearDown() override { fs::remove_all(Dir); }

  /// Exit status; standard output and error end up in out and err.
  int run(const std::string &Environment) {
    std::string Command = "cd " + Dir.string() + " && env " + Environment +
                          " " EK_SAMPLE " >out 2>err";
    return std::system(Command.c_str());
  }
  std::string text(const char *Name) { return slurp(Dir / Name); }
  json summary() { return json::parse(text("s.json")); }

  void plan(const std::string &Objects, const std::string &More = "") {
    std::ofstream(Dir / "plan.json")
        << R"({"schema":"evenkeel.plan/1","program":"0123456789abcdef",
      "planner":"p","model":"m","machine":"x","fast_bytes":1048576,
      "keeps_first_touch":false,"base_input":"","objects":[)"
        << Objects << R"(],"predicted":{"makespan_s":0,"phases":[]},"replan":{},
      "assumed":[])"
        << More << "}";
  }
  static std::string object(const std::string &Site, const char *Creator,
                            double Share) {
    std::ostringstream S;
    S << R"({"site":")" << Site << R"(","at":"s.cpp:1:1","creator":)" << Creator
      << R"(,"ordinal":null,"share":)" << Share
      << R"(,"ranges":[],"predicted_bytes":320000,"gain_s":0.1,"reason":"r"})";
    return S.str();
  }
};

TEST_F(Outputs, QuietByDefault) {
  ASSERT_EQ(run(""), 0);
  EXPECT_EQ(text("out"), "wrong 0\n");
  EXPECT_EQ(text("err"), "");
}

TEST_F(Outputs, DisabledDoesNothing) {
  ASSERT_EQ(run("EVENKEEL_DISABLE=1 EVENKEEL_SUMMARY=1 EVENKEEL_RAW=raw "
                "EVENKEEL_SUMMARY_JSON=s.json"),
            0);
  EXPECT_EQ(text("err"), "");
  EXPECT_FALSE(fs::exists(Dir / "s.json"));
}

TEST_F(Outputs, SummaryCountsHooksOncePerTeam) {
  ASSERT_EQ(run("EVENKEEL_SUMMARY=sum EVENKEEL_SUMMARY_JSON=s.json"), 0);
  json S = summary();
  EXPECT_EQ(S["schema"], "evenkeel.summary/1");
  EXPECT_EQ(S["provider"], "posix");
  EXPECT_EQ(S["hooks"]["serial"], 5);
  EXPECT_EQ(S["hooks"]["team"], 5);       // four threads each, one elected
  ASSERT_EQ(S["sync_points"].size(), 2u); // each with all who came
  for (const json &P : S["sync_points"])
    EXPECT_EQ(P["times"], P["context"] == "team" ? 20 : 5);
  EXPECT_EQ(S["objects"]["placed"], 5);
  EXPECT_EQ(S["objects"]["freed"], 5);
  EXPECT_EQ(S["objects"]["globals"], 1);
  EXPECT_TRUE(S["fallbacks"].empty()) << S["fallbacks"];
  ASSERT_EQ(S["regions"].size(), 4u);
  for (unsigned T = 0; T < 4; ++T) {
    EXPECT_EQ(S["regions"][T]["region"], "0000000000000300");
    EXPECT_EQ(S["regions"][T]["thread"], T);
    EXPECT_EQ(S["regions"][T]["times"], 5);
    EXPECT_GT(S["regions"][T]["seconds"], 0);
  }
  EXPECT_NE(text("sum").find("hooks 5 serial, 5 team"), std::string::npos);
}

/// Every line parses; each placement is followed by its release, and the pages
/// of the lines add up to the summary's.
TEST_F(Outputs, LogTellsWhatTheSummarySums) {
  plan(object("0000000000000200", "null", 1));
  ASSERT_EQ(run("EVENKEEL_PLAN=plan.json EVENKEEL_PROVIDER=emulated "
                "EVENKEEL_LOG=log EVENKEEL_SUMMARY_JSON=s.json"),
            0);
  std::map<std::string, unsigned> Events;
  std::map<std::string, uint64_t> Open; // by address
  uint64_t Fast = 0, Moved = 0;
  double Last = 0;
  std::istringstream Lines(text("log"));
  for (std::string Line; std::getline(Lines, Line);) {
    const json E = json::parse(Line);
    const std::string Name = E["event"];
    if (!Events[Name]++)
      EXPECT_EQ(Events.size() == 1, Name == "start");
    if (E.contains("t"))
      EXPECT_GE(E["t"], 0);
    if (Name == "end")
      Last = E["t"];
    if (Name == "place") {
      EXPECT_EQ(Open.count(E["at"]), 0u) << Line;
      Open[E["at"]] = E["bytes"];
      Fast += E["fast"].get<uint64_t>();
    } else if (Name == "release") {
      EXPECT_EQ(Open[E["at"]], E["bytes"]) << Line;
      Open.erase(E["at"]);
    } else if (Name == "move") {
      Moved += E["pages"].get<uint64_t>();
    }
  }
  const json S = summary();
  EXPECT_EQ(Events["start"], 1u);
  EXPECT_EQ(Events["end"], 1u);
  EXPECT_GT(Last, 0);
  EXPECT_EQ(Events["place"], S["objects"]["placed"].get<unsigned>() +
                                 S["objects"]["globals"].get<unsigned>());
  EXPECT_EQ(Events["release"], S["objects"]["freed"]);
  EXPECT_EQ(Fast * 4096, S["tiers"][0]["bytes_in_all"]);
  for (const json &T : S["tiers"]) {
    EXPECT_GT(T["placed_bytes"], 0);
    if (!T["capacity_bytes"].is_null())
      EXPECT_LE(T["placed_bytes"], T["capacity_bytes"]);
  }
  EXPECT_EQ(Moved, S["migration"]["pages"]);
}

/// A bound that is too small: whole lines, the last one reports it, and it is
/// counted.
TEST_F(Outputs, LogIsBounded) {
  ASSERT_EQ(run("EVENKEEL_LOG=log.%p EVENKEEL_LOG_SIZE=600 "
                "EVENKEEL_SUMMARY_JSON=s.json"),
            0);
  unsigned Logs = 0;
  for (const auto &Entry : fs::directory_iterator(Dir)) {
    if (Entry.path().filename().string().rfind("log.", 0) != 0)
      continue;
    ++Logs;
    const std::string All = slurp(Entry.path());
    EXPECT_LE(All.size(), 600u);
    std::istringstream Lines(All);
    std::string Event;
    for (std::string Line; std::getline(Lines, Line);)
      Event = json::parse(Line)["event"];
    EXPECT_EQ(Event, "full");
  }
  EXPECT_EQ(Logs, 1u);
  EXPECT_EQ(summary()["fallbacks"]["log-full"]["count"], 1);
  ASSERT_EQ(run("EVENKEEL_LOG=no/such/log EVENKEEL_SUMMARY_JSON=s.json"), 0);
  EXPECT_NE(text("err").find("cannot write the log to no/such/log"),
            std::string::npos);
  EXPECT_EQ(summary()["fallbacks"]["log-lost"]["count"], 1);
}

TEST_F(Outputs, PlanByCreatorAndCapacity) {
  // 1 MiB of fast memory; the four parts have 316 KiB each (79 pages).
  plan(object("0000000000000200", "null", 1) + "," +
       object("0000000000000200", "2", 0.5));
  ASSERT_EQ(run("EVENKEEL_PLAN=plan.json EVENKEEL_PROVIDER=emulated "
                "EVENKEEL_SUMMARY_JSON=s.json"),
            0);
  json S = summary();
  EXPECT_EQ(S["provider"], "emulated");
  EXPECT_EQ(S["objects"]["planned"], 4);
  EXPECT_EQ(S["tiers"][0]["capacity_bytes"], 1048576);
  EXPECT_EQ(S["tiers"][0]["peak_bytes"], 1048576);
  // Asked for: 3 * 79 + 39 or 40 pages; 256 fit.
  uint64_t Full = S["fallbacks"]["tier-full"]["count"];
  EXPECT_GE(Full, (3u * 79 + 39 - 256) * 4096);
  EXPECT_LE(Full, (3u * 79 + 40 - 256) * 4096);
  EXPECT_EQ(text("err"), "");
}

TEST_F(Outputs, FirstTouchPlanChangesNothing) {
  plan(object("0000000000000200", "null", 0));
  std::string P = text("plan.json");
  P.replace(P.find("\"keeps_first_touch\":false"), 25,
            "\"keeps_first_touch\":true");
  std::ofstream(Dir / "plan.json") << P;
  ASSERT_EQ(run("EVENKEEL_PLAN=plan.json EVENKEEL_PROVIDER=emulated "
                "EVENKEEL_SUMMARY_JSON=s.json"),
            0);
  json S = summary();
  EXPECT_EQ(S["objects"]["planned"], 0);
  EXPECT_EQ(S["tiers"][0]["peak_bytes"], 1048576); // filled as touched
  EXPECT_TRUE(S["fallbacks"].empty()) << S["fallbacks"];
}

TEST_F(Outputs, BadPlansAreSaidAndSurvived) {
  ASSERT_EQ(run("EVENKEEL_PLAN=none.json EVENKEEL_SUMMARY_JSON=s.json"), 0);
  EXPECT_EQ(text("out"), "wrong 0\n");
  std::string Err = text("err");
  EXPECT_NE(Err.find("running without a plan\n"), std::string::npos) << Err;
  EXPECT_EQ(std::count(Err.begin(), Err.end(), '\n'), 1) << Err;
  EXPECT_EQ(summary()["fallbacks"]["plan-unreadable"]["count"], 1);

  std::ofstream(Dir / "plan.json") << R"({"schema":"evenkeel.plan/7"})";
  ASSERT_EQ(run("EVENKEEL_PLAN=plan.json EVENKEEL_SUMMARY_JSON=s.json"), 0);
  EXPECT_EQ(summary()["fallbacks"]["plan-unreadable"]["count"], 1);

  plan(object("00000000deadbeef", "null", 1));
  ASSERT_EQ(run("EVENKEEL_PLAN=plan.json EVENKEEL_SUMMARY_JSON=s.json"), 0);
  EXPECT_EQ(summary()["fallbacks"]["plan-other-program"]["count"], 1);
  EXPECT_NE(text("err").find("another program"), std::string::npos);
}

TEST_F(Outputs, BadOptionsAreSaidAndSurvived) {
  ASSERT_EQ(run("EVENKEEL_THRESHOLD=lots EVENKEEL_TIERS=fast "
                "EVENKEEL_SUMMARY_JSON=s.json"),
            0);
  json S = summary();
  EXPECT_EQ(S["provider"], "posix");
  EXPECT_EQ(S["fallbacks"]["bad-option"]["count"], 1);
  EXPECT_EQ(S["fallbacks"]["provider-unavailable"]["count"], 1);
  EXPECT_NE(text("err").find("EVENKEEL_THRESHOLD=lots"), std::string::npos);
  EXPECT_NE(text("err").find("EVENKEEL_TIERS must look like"),
            std::string::npos);
  ASSERT_EQ(run("EVENKEEL_SAMPLES=lods EVENKEEL_SUMARY=1 EVENKEEL_PALN=x "
                "EVENKEEL_HELPERS= EVENKEEL_ROOT=/ EVENKEEL_DOT=1"),
            0);
  EXPECT_EQ(
      text("err"),
      "evenkeel: EVENKEEL_SAMPLES=lods is not loads or faults; using the "
      "default ''\n"
      "evenkeel: unknown option EVENKEEL_SUMARY; did you mean "
      "EVENKEEL_SUMMARY?\n"
      "evenkeel: unknown option EVENKEEL_PALN; did you mean EVENKEEL_PLAN?\n"
      "evenkeel: unknown option EVENKEEL_HELPERS; did you mean "
      "EVENKEEL_HELPER?\n");
  EXPECT_EQ(text("out"), "wrong 0\n");
  ASSERT_EQ(run("EVENKEEL_HELP=1"), 0);
  EXPECT_NE(text("err").find("EVENKEEL_THRESHOLD     64KiB"),
            std::string::npos);
}

TEST_F(Outputs, NoAddressSpaceLeavesItToLibc) {
  ASSERT_EQ(run("EVENKEEL_RESERVE=1MiB EVENKEEL_SUMMARY_JSON=s.json"), 0);
  EXPECT_EQ(text("out"), "wrong 0\n");
  EXPECT_EQ(summary()["fallbacks"]["no-reservation"]["count"], 1);
}

template <typename T> std::vector<T> rows(const std::string &Body) {
  std::vector<T> R(Body.size() / sizeof(T));
  memcpy(R.data(), Body.data(), R.size() * sizeof(T));
  return R;
}

TEST_F(Outputs, RawStream) {
  ASSERT_EQ(run("EVENKEEL_RAW=raw"), 0);
  std::vector<fs::path> Files;
  for (const auto &E : fs::directory_iterator(Dir))
    if (E.path().filename().string().rfind("raw.", 0) == 0)
      Files.push_back(E.path());
  ASSERT_EQ(Files.size(), 1u); // and no temporary file is left
  std::string Raw = slurp(Files[0]);
  ek_raw_header Header;
  ASSERT_GE(Raw.size(), sizeof Header);
  memcpy(&Header, Raw.data(), sizeof Header);
  EXPECT_EQ(memcmp(Header.magic, EK_RAW_MAGIC, 8), 0);
  EXPECT_EQ(Header.mode, 3u);
  std::map<uint32_t, std::string> Sections;
  uint32_t Last = 0;
  for (size_t At = sizeof Header; At < Raw.size();) {
    ek_raw_section S;
    ASSERT_LE(At + sizeof S, Raw.size());
    memcpy(&S, &Raw[At], sizeof S);
    At += sizeof S;
    EXPECT_EQ(S.bytes % 8, 0u);
    Sections[S.tag] = Raw.substr(At, S.bytes);
    At += S.bytes;
    Last = S.tag;
  }
  EXPECT_EQ(Last, EK_RAW_END);

  auto Inst = rows<ek_raw_inst>(Sections[EK_RAW_INST]);
  ASSERT_EQ(Inst.size(), 6u);
  EXPECT_EQ(Inst[0].site, 0x100u);
  EXPECT_EQ(Inst[0].bytes, 320000u);
  EXPECT_EQ(Inst[0].alloc_phase, 0u);
  EXPECT_EQ(Inst[0].free_phase, 3u); // after the third of five hooks
  for (unsigned T = 0; T < 4; ++T) {
    EXPECT_EQ(Inst[1 + T].site, 0x200u);
    EXPECT_EQ(Inst[1 + T].creator, T);
    EXPECT_EQ(Inst[1 + T].ordinal, 0u);
    EXPECT_EQ(Inst[1 + T].free_phase, 5u);
  }
  EXPECT_EQ(Inst[5].site, 0x500u);
  EXPECT_EQ(Inst[5].bytes, 400000u);
  EXPECT_EQ(Inst[5].free_phase, EK_NO_TASK);

  auto Phases = rows<ek_raw_phase>(Sections[EK_RAW_PHAS]);
  ASSERT_EQ(Phases.size(), 6u);
  for (unsigned I = 0; I < 5; ++I)
    EXPECT_EQ(Phases[I].sync, 0x320u);
  EXPECT_EQ(Phases[5].sync, 0u);

  auto Tasks = rows<ek_raw_task>(Sections[EK_RAW_TASK]);
  ASSERT_EQ(Tasks.size(), 5u * 4 + 1);
  for (unsigned I = 0; I < 20; ++I) {
    EXPECT_EQ(Tasks[I].phase, I / 4);
    EXPECT_EQ(Tasks[I].region, 0x300u);
    EXPECT_EQ(Tasks[I].index, I % 4);
    EXPECT_GT(Tasks[I].wall_ns, 0u);
  }
  EXPECT_EQ(Tasks[20].region, 0u); // the serial end
  EXPECT_EQ(rows<ek_raw_conf>(Sections[EK_RAW_CONF])[0].workers, 4u);
}

TEST_F(Outputs, UnwritableRawIsSaid) {
  ASSERT_EQ(run("EVENKEEL_RAW=/nonexistent/raw"), 0);
  EXPECT_NE(text("err").find("cannot write"), std::string::npos);
}

} // namespace
