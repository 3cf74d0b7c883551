//===- StreamTest.cpp - what the recorder writes, and readRaw -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a hand-instrumented program (Driver.c) and reads its stream back; then
// damages the stream and expects one clear line.
//===----------------------------------------------------------------------===//
#include "format/Course.h"
#include "format/profile/Profile.h"
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

using namespace evenkeel;
namespace fs = std::filesystem;

namespace {

struct RecordTest : ::testing::Test {
  fs::path Dir;
  void SetUp() override {
    std::string Name = (fs::temp_directory_path() / "ekrecXXXXXX").string();
    ASSERT_NE(mkdtemp(Name.data()), nullptr);
    Dir = Name;
  }
  void TearDown() override { fs::remove_all(Dir); }

  /// Runs the driver; returns the paths of the streams that it wrote.
  std::vector<fs::path> run(const std::string &Program,
                            const std::string &Environment = "",
                            const std::string &Driver = RECORD_DRIVER) {
    fs::path Out = Dir / "out";
    fs::remove_all(Out);
    fs::create_directory(Out);
    std::string Command =
        Environment + " EVENKEEL_RAW=" + (Out / "raw").string() + " " + Driver +
        " " + Program + " 2>" + (Dir / "err").string();
    EXPECT_EQ(std::system(Command.c_str()), 0) << Command;
    std::vector<fs::path> Files;
    for (const auto &E : fs::directory_iterator(Out))
      Files.push_back(E.path());
    return Files;
  }
  MissRecord read(const std::string &Program,
                  const std::string &Driver = RECORD_DRIVER) {
    std::vector<fs::path> Files = run(Program, "", Driver);
    EXPECT_EQ(Files.size(), 1u);
    if (Files.size() != 1)
      return {};
    auto R = readRaw(Files[0].string());
    EXPECT_TRUE(bool(R)) << R.message();
    return R ? *R : MissRecord();
  }
  std::string bytes(const fs::path &P) {
    std::ifstream In(P, std::ios::binary);
    return {std::istreambuf_iterator<char>(In), {}};
  }
  std::string refusal(const std::string &Bytes) {
    fs::path P = Dir / "damaged";
    std::ofstream(P, std::ios::binary) << Bytes;
    auto R = readRaw(P.string());
    EXPECT_FALSE(bool(R));
    return R ? "" : R.message();
  }
};

} // namespace

TEST_F(RecordTest, ObjectsAccessesAndMisses) {
  MissRecord R = read("objects");
  EXPECT_EQ(R.Mode, "misses");
  ASSERT_EQ(R.Instances.size(), 3u);
  EXPECT_EQ(R.Instances[0].site, 0x11u);
  EXPECT_EQ(R.Instances[0].bytes, 4u << 20);
  EXPECT_EQ(R.Instances[0].free_phase, 0u);
  EXPECT_EQ(R.Instances[2].free_phase, EK_NO_TASK);
  ASSERT_EQ(R.Phases.size(), 1u);
  ASSERT_EQ(R.Tasks.size(), 1u);
  EXPECT_EQ(R.Tasks[0].region, 0x99u);
  EXPECT_EQ(R.Tasks[0].instructions, 2 * (2 * 524288 + 512u));
  EXPECT_GE(R.Tasks[0].core_cycles, 2 * 524288 + 512u);
  EXPECT_EQ(R.Tasks[0].wall_ns, 0u);
  ASSERT_EQ(R.Accesses.size(), 2u);
  EXPECT_EQ(R.Accesses[0].writes, 2u * 524288);
  EXPECT_EQ(R.Accesses[0].reads, 0u);
  EXPECT_EQ(R.Accesses[1].reads, 512u + 10); // a range counts by line
  EXPECT_EQ(R.Config.untracked_accesses, 1u);
  EXPECT_EQ(R.Config.tracked_accesses, 2u * 524288 + 522);

  // 4 MiB twice through 1.49 MiB: every line both times.
  uint64_t Reads[3] = {}, Writes[3] = {};
  for (const ek_raw_miss &M : R.Misses) {
    Reads[M.inst] += M.reads;
    Writes[M.inst] += M.writes;
    if (M.inst == 0) {
      EXPECT_EQ(M.reads, 2u * 65536 / 256);
      // Once in each half, at its turn; the work beside it and the lengths of
      // quanta shift that by a sixteenth at most.
      unsigned All = 0;
      for (unsigned K = 0; K < 16; ++K) {
        const double Off = std::fabs(K % 8 + 0.5 - 16 * (M.chunk + 0.5) / 512);
        const unsigned Its = evenkeel::Course::part(M.course, K);
        EXPECT_TRUE(!Its || std::min(Off, 8 - Off) < 1.5) << M.chunk;
        All += Its;
      }
      EXPECT_GE(All, 15u + 14) << M.chunk; // the two are equal
    }
  }
  EXPECT_EQ(Reads[0], 2u * 65536);
  EXPECT_EQ(Reads[1], 64u + 10);
  // Lines that are still cached at the end were not written.
  EXPECT_GE(Writes[0], 2u * 65536 - R.Config.llc_share_bytes / 64 -
                           R.Config.l2_bytes / 64);
  EXPECT_LT(Writes[0], 2u * 65536);
  // Pages and chunks agree; chunk order and page order hold.
  uint64_t PageReads[3] = {}, PageWrites[3] = {};
  for (size_t I = 0; I < R.Pages.size(); ++I) {
    const ek_raw_page &P = R.Pages[I];
    PageReads[P.inst] += P.reads;
    PageWrites[P.inst] += P.writes;
    EXPECT_LT(P.page, R.Instances[P.inst].bytes / 4096 + 1);
    if (!I)
      continue;
    const ek_raw_page &B = R.Pages[I - 1];
    EXPECT_TRUE(std::make_tuple(B.task, B.quantum, B.inst, B.page) <
                std::make_tuple(P.task, P.quantum, P.inst, P.page));
  }
  for (int I = 0; I < 3; ++I) {
    EXPECT_EQ(PageReads[I], Reads[I]);
    EXPECT_EQ(PageWrites[I], Writes[I]);
  }
  // Whole quanta are written.
  EXPECT_EQ(R.Config.quantum_cycles, 200000u);
  EXPECT_EQ(R.Pages.back().quantum, (R.Tasks[0].core_cycles - 1) / 200000);

  EXPECT_NE(bytes(Dir / "err").find("1049098 accesses recorded, 1 outside"),
            std::string::npos);

  ASSERT_EQ(R.Curves.size(), 2u);
  EXPECT_EQ(R.Curves[0].reads[4], Reads[0]);
  EXPECT_EQ(R.Curves[0].reads[7], 65536u); // 12 MB hold all of it
  ASSERT_EQ(R.Symbols.size(), 2u);
  EXPECT_EQ(R.Symbols[0].task, EK_NO_TASK);
  EXPECT_EQ(R.Symbols[0].first, 9);
  EXPECT_EQ(R.Symbols[1].times, 7u);
  EXPECT_EQ(R.Symbols[1].first, 5);
  EXPECT_EQ(R.Symbols[1].last, 4);
  EXPECT_EQ(R.Symbols[1].min, -3);
  EXPECT_EQ(R.Symbols[1].max, 5);
  EXPECT_EQ(R.Symbols[1].sum, 10.0);
}

// The same program, in which one line of each page is simulated: whole pages
// count as in full, figures are multiples of 64, the stream states it.
TEST_F(RecordTest, SampledProgramsSayWhatFullOnesSay) {
  MissRecord R = read("objects", RECORD_DRIVER_SAMPLED);
  EXPECT_EQ(R.Mode, "sampled");
  EXPECT_EQ(R.OneIn, 64u);
  ASSERT_EQ(R.Instances.size(), 3u);
  EXPECT_EQ(R.Tasks.at(0).instructions, 2 * (2 * 524288 + 512u));
  ASSERT_EQ(R.Accesses.size(), 2u);
  EXPECT_EQ(R.Accesses[0].writes, 2u * 524288);
  EXPECT_EQ(R.Accesses[1].reads % 64, 0u);
  uint64_t Reads[3] = {}, Writes[3] = {}, PageReads = 0;
  for (const ek_raw_miss &M : R.Misses) {
    Reads[M.inst] += M.reads;
    Writes[M.inst] += M.writes;
  }
  size_t Apart[2] = {};
  for (const ek_raw_page &P : R.Pages) {
    PageReads += P.reads;
    EXPECT_EQ(P.reads % 64, 0u);
    // Two pages are counted together where an object has 512 or more.
    const uint32_t Span = EK_PAGE_SPAN(P.page);
    EXPECT_EQ(Span, R.Instances[P.inst].bytes > 512 * 4096 ? 1u : 0u);
    EXPECT_EQ(EK_PAGE_FIRST(P.page) % (1u << Span), 0u);
    EXPECT_LT(EK_PAGE_FIRST(P.page), R.Instances[P.inst].bytes / 4096 + 1);
    ++Apart[Span];
  }
  EXPECT_GE(Apart[1], 512u);
  EXPECT_EQ(Reads[0], 2u * 65536);
  EXPECT_NEAR(double(Writes[0]), 2 * 65536.0 - R.Config.llc_share_bytes / 64,
              20000);
  EXPECT_EQ(PageReads, Reads[0] + Reads[1]);
  EXPECT_NE(bytes(Dir / "err").find("sampled: about"), std::string::npos);

  std::string A = bytes(run("objects", "", RECORD_DRIVER_SAMPLED).at(0));
  std::string B = bytes(
      run("objects", "UNRELATED=moves_the_stack", RECORD_DRIVER_SAMPLED).at(0));
  EXPECT_EQ(A, B);
  // A sampled stream without its rate, or a full one with one, is damaged.
  std::string Wrong = A;
  Wrong[12] = 2;
  EXPECT_NE(refusal(Wrong).find("sampling rate"), std::string::npos);
}

TEST_F(RecordTest, SampledStaticArraysDoNotDependOnWhereTheyLie) {
  MissRecord R = read("globals", RECORD_DRIVER_SAMPLED);
  std::string A = bytes(run("globals", "", RECORD_DRIVER_SAMPLED).at(0));
  for (int Run = 0; Run < 5; ++Run) // somewhere else each time
    EXPECT_EQ(A, bytes(run("globals", "", RECORD_DRIVER_SAMPLED).at(0)));
  uint64_t Reads = 0;
  for (const ek_raw_miss &M : R.Misses)
    Reads += M.reads;
  EXPECT_GE(Reads, 2u * 64); // whole pages, and parts of a first and a last
  EXPECT_LE(Reads, 4u * 64);
}

TEST_F(RecordTest, PointersCrossBetweenOwners) {
  MissRecord R = read("owners");
  // Small blocks of a site are one object: 1000 of 32 bytes.
  ASSERT_FALSE(R.Instances.empty());
  EXPECT_EQ(R.Instances[0].site, 0x44u);
  EXPECT_EQ(R.Instances[0].bytes, 8u * 4096);
  EXPECT_EQ(R.Instances[1].site, 0x55u);
}

TEST_F(RecordTest, StaticArraysByPage) {
  MissRecord R = read("globals");
  ASSERT_EQ(R.Instances.size(), 1u);
  EXPECT_EQ(R.Instances[0].bytes, 3u * 4096 + 100);
  uint64_t Reads = 0;
  for (const ek_raw_miss &M : R.Misses) {
    Reads += M.reads;
    EXPECT_EQ(M.course, 0u); // of a task that is shorter than a quantum
  }
  EXPECT_EQ(Reads, 3u * 64 + 1);
}

TEST_F(RecordTest, EqualRunsGiveEqualFiles) {
  std::string A = bytes(run("objects")[0]);
  std::string B =
      bytes(run("objects", "UNRELATED=longer_environment_moves_the_stack")[0]);
  EXPECT_FALSE(A.empty());
  EXPECT_EQ(A, B);
}

// The owner of a dirty line that a thread writes back does not depend on what
// another thread frees and allocates at the same time.
TEST_F(RecordTest, ReuseByAnotherThreadDoesNotMoveWriteBacks) {
  std::vector<fs::path> A = run("reuse-before");
  ASSERT_EQ(A.size(), 1u);
  std::string First = bytes(A[0]);
  MissRecord R = read("reuse-after");
  std::vector<fs::path> B = run("reuse-after");
  ASSERT_EQ(B.size(), 1u);
  EXPECT_EQ(First, bytes(B[0]));
  uint64_t Writes = 0;
  for (const ek_raw_page &P : R.Pages) {
    Writes += P.writes;
    if (P.writes)
      EXPECT_EQ(R.Instances[P.inst].site, 0x11u);
  }
  EXPECT_EQ(Writes, (512u << 10) / 64);
}

/// "region cycles < preds", by row; parts share their region.
static std::vector<std::string> graph(const MissRecord &R) {
  std::vector<std::string> Rows;
  for (size_t T = 0; T < R.Tasks.size(); ++T) {
    char Text[64];
    snprintf(Text, sizeof Text, "%zu: %llx %llu", T,
             static_cast<unsigned long long>(R.Tasks[T].region),
             static_cast<unsigned long long>(R.Tasks[T].core_cycles));
    Rows.push_back(Text);
    for (const ek_raw_dep &D : R.Deps)
      if (D.task == T)
        Rows.back() += " < " + std::to_string(D.pred);
  }
  return Rows;
}

/// "row of first", of rows that continue another row.
static std::vector<std::string> parts(const MissRecord &R) {
  std::vector<std::string> Rows;
  for (const ek_raw_part &P : R.Parts)
    Rows.push_back(std::to_string(P.task) + " of " + std::to_string(P.first));
  return Rows;
}

TEST_F(RecordTest, TasksThatWaitGoOnAsFurtherParts) {
  MissRecord R = read("nested");
  std::vector<std::string> Expected = {
      "0: 99 0",
      "1: a1 10000",            // before it creates one
      "2: a1 10 < 1",           // and until it waits
      "3: b1 500 < 1",          //
      "4: b2 100 < 1",          // 10 cycles are not worth a part
      "5: c1 300 < 1",          //
      "6: a1 4000 < 2 < 3 < 4", // c1 was not waited for
      "7: a1 0 < 6",            //
      "8: d1 200 < 6"};
  EXPECT_EQ(graph(R), Expected);
  EXPECT_EQ(parts(R), (std::vector<std::string>{"2 of 1", "6 of 1", "7 of 1"}));
  // Computed values hold for later parts, iterations are not counted again.
  std::vector<std::string> Symbols;
  for (const ek_raw_symbol &S : R.Symbols)
    Symbols.push_back(std::to_string(S.symbol) + " in " +
                      std::to_string(S.task) + " x" + std::to_string(S.times));
  Expected = {"102 in 1 x1", "102 in 2 x1", "102 in 6 x1", "102 in 7 x1",
              "119 in 1 x1"};
  EXPECT_EQ(Symbols, Expected);
}

TEST_F(RecordTest, TaskgroupsWaitForDescendants) {
  std::vector<std::string> Rows = graph(read("nested-group"));
  ASSERT_EQ(Rows.size(), 9u);
  EXPECT_EQ(Rows[6], "6: a1 4000 < 2 < 3 < 4 < 5");
}

TEST_F(RecordTest, ThreadsThatWaitGoOnAsExplicitTasks) {
  MissRecord R = read("waits");
  std::vector<std::string> Expected = {"0: 99 50000", "1: a1 100", "2: a2 100",
                                       "3: 99 700 < 1 < 2",
                                       "4: a3 100 < 1 < 2"};
  EXPECT_EQ(graph(R), Expected);
  EXPECT_EQ(R.Tasks[0].flags, 0u);
  EXPECT_EQ(R.Tasks[3].flags, 1u);
  EXPECT_EQ(parts(R), (std::vector<std::string>{"3 of 0"}));
}

TEST_F(RecordTest, OptionsReachTheStream) {
  auto Files = run("objects", "EVENKEEL_RECORD_LLC=65536/16 "
                              "EVENKEEL_RECORD_PREFETCH=0 "
                              "EVENKEEL_RECORD_L1=nonsense");
  auto R = readRaw(Files.at(0).string());
  ASSERT_TRUE(bool(R)) << R.message();
  EXPECT_EQ(R->Config.llc_share_bytes, 65536u);
  EXPECT_EQ(R->Config.prefetch_depth, 0u);
  EXPECT_EQ(R->Config.l1_bytes, 32768u);
  EXPECT_NE(bytes(Dir / "err").find("EVENKEEL_RECORD_L1='nonsense'"),
            std::string::npos);
}

TEST_F(RecordTest, QuantaAreJoinedWhereRowsAreTooMany) {
  struct Sums {
    uint64_t Rows = 0, Reads = 0, Writes = 0, Quantum = 0;
    double Weight = 0;
    std::string Bytes;
  };
  auto Record = [&](const std::string &Environment) {
    Sums S;
    std::vector<fs::path> Files = run("objects", Environment);
    EXPECT_EQ(Files.size(), 1u);
    auto R = readRaw(Files[0].string()); // in order, or refused
    EXPECT_TRUE(bool(R)) << R.message();
    if (!R)
      return S;
    S.Rows = R->Pages.size();
    S.Quantum = R->Config.quantum_cycles;
    for (const ek_raw_page &P : R->Pages) {
      S.Reads += P.reads;
      S.Writes += P.writes;
      S.Weight += P.weight;
    }
    S.Bytes = bytes(Files[0]);
    return S;
  };
  const std::string Fine = "EVENKEEL_RECORD_QUANTUM=1000";
  Sums All = Record(Fine), Few = Record(Fine + " EVENKEEL_RECORD_ROWS=1500");
  EXPECT_GT(All.Rows, 2000u);
  EXPECT_LE(Few.Rows, 1500u);
  EXPECT_GT(Few.Quantum, All.Quantum);
  const uint64_t Times = Few.Quantum / All.Quantum;
  EXPECT_EQ(Times & (Times - 1), 0u);
  EXPECT_EQ(Few.Reads, All.Reads);
  EXPECT_EQ(Few.Writes, All.Writes);
  EXPECT_NEAR(Few.Weight, All.Weight, All.Weight * 1e-5);
  // The smallest size that fits, whatever was merged while the program ran.
  Sums Half =
      Record("EVENKEEL_RECORD_QUANTUM=" + std::to_string(Few.Quantum / 2));
  EXPECT_GT(Half.Rows, 1500u);
  EXPECT_EQ(Record(Fine + " EVENKEEL_RECORD_ROWS=1500").Bytes, Few.Bytes);
}

TEST_F(RecordTest, ForkedChildrenAreCountedNotRecorded) {
  EXPECT_EQ(run("child").size(), 1u);
  EXPECT_NE(bytes(Dir / "err").find("forked-child"), std::string::npos);
}

TEST_F(RecordTest, AnyThreadMayEndTheProgram) {
  for (const char *How :
       {"ended-exit", "ended-_exit", "ended-quick", "ended-busy-exit",
        "ended-spins-_exit", "ended-gone", "ended-gone-_exit"}) {
    MissRecord R = read(How);
    ASSERT_EQ(R.Tasks.size(), 1u) << How;
    EXPECT_EQ(R.Tasks[0].region, 0x99u) << How;
    EXPECT_GE(R.Tasks[0].core_cycles, 16384u) << How;
    ASSERT_EQ(R.Accesses.size(), 1u) << How;
    EXPECT_EQ(R.Accesses[0].writes, 16384u) << How;
    EXPECT_EQ(bytes(Dir / "err").find("unfinished-task"), std::string::npos)
        << How;
  }
}

TEST_F(RecordTest, ThreadsOutsideTeamsMakeObjects) {
  MissRecord R = read("outside");
  // As the run time counts: all of them are creator 0's, in order of time.
  struct Want {
    uint64_t Site, Bytes;
    uint32_t Ordinal, InContext;
    bool Context;
  };
  const uint64_t MiB = 1 << 20;
  const Want Wanted[] = {
      {0x11, MiB, 0, 0, false},         {0x11, 2 * MiB, 1, 1, false},
      {0x11, 3 * MiB, 2, 0, true},      {0x11, 2 * MiB, 3, 3, false},
      {0x11, 3 * MiB, 4, 1, true},      {0x12, 5 * MiB, 0, 0, false},
      {0x55, 4000, 1u << 31, 0, false}, {0x55, 4000, (1u << 31) + 1, 0, false},
      {0x55, 0, EK_RAW_SMALL, 0, false}};
  ASSERT_EQ(R.Instances.size(), std::size(Wanted));
  for (size_t I = 0; I < std::size(Wanted); ++I) {
    const ek_raw_inst &X = R.Instances[I];
    EXPECT_EQ(X.site, Wanted[I].Site) << I;
    EXPECT_EQ(X.creator, 0u) << I;
    EXPECT_EQ(X.ordinal, Wanted[I].Ordinal) << I;
    EXPECT_EQ(X.context != 0, Wanted[I].Context) << I;
    if (Wanted[I].Bytes)
      EXPECT_EQ(X.bytes, Wanted[I].Bytes) << I;
    if (X.ordinal < EK_RAW_ONE_SMALL)
      EXPECT_EQ(X.in_context, Wanted[I].InContext) << I;
  }
  EXPECT_EQ(R.Instances[0].free_phase, 0u); // by such a thread
  EXPECT_EQ(R.Instances[1].free_phase, 0u);
  // The first thread's accesses to them; the others' are only counted.
  uint64_t Reads[9] = {};
  for (const ek_raw_access &A : R.Accesses)
    Reads[A.inst] += A.reads;
  EXPECT_EQ(Reads[1], 2 * MiB / 64);
  EXPECT_EQ(Reads[8], 10u);
  EXPECT_EQ(R.Config.untracked_accesses, 2 * 512u);
  EXPECT_NE(bytes(Dir / "err").find("foreign-thread: 1024 times"),
            std::string::npos);
  EXPECT_EQ(bytes(run("outside").at(0)), bytes(run("outside").at(0)));
}

TEST_F(RecordTest, ThreadsOutsideTeamsAllocateBesideTeams) {
  MissRecord R = read("churn");
  uint32_t Next = 0;
  for (const ek_raw_inst &I : R.Instances)
    if (I.site == 0x11)
      EXPECT_EQ(I.ordinal, Next++);
  EXPECT_GT(Next, 5000u);
}

TEST_F(RecordTest, OtherTeamsDoNotTakeTheProgramsPlace) {
  MissRecord R = read("two-teams");
  unsigned First = 0;
  for (const ek_raw_task &T : R.Tasks) {
    EXPECT_NE(T.region, 0xccu);
    First += T.region == 0xaa && T.index == 0;
  }
  EXPECT_EQ(First, 1u);
  // The tasks of the other threads are not known.
  EXPECT_NE(bytes(Dir / "err").find("other-team: 1 times"), std::string::npos);
}

TEST_F(RecordTest, WhatBecomesADaemonIsRecordedUntilThen) {
  MissRecord R = read("daemon");
  ASSERT_EQ(R.Accesses.size(), 1u);
  EXPECT_EQ(R.Accesses[0].writes, 16384u);
  EXPECT_NE(bytes(Dir / "err").find("continues as a daemon"),
            std::string::npos);
}

TEST_F(RecordTest, WithoutEvenkeelRawNothingIsWritten) {
  std::string Command = "cd " + Dir.string() +
                        " && env -u EVENKEEL_RAW " RECORD_DRIVER
                        " objects 2>err";
  EXPECT_EQ(std::system(Command.c_str()), 0);
  EXPECT_NE(bytes(Dir / "err").find("EVENKEEL_RAW is not set"),
            std::string::npos);
}

TEST_F(RecordTest, DamagedStreamsAreRefused) {
  std::string Good = bytes(run("globals").at(0));
  for (size_t N = 0; N < Good.size(); N += N < 64 ? 1 : 61)
    EXPECT_NE(refusal(Good.substr(0, N)), "") << N;
  EXPECT_NE(refusal(Good.substr(0, 40)).find("truncated"), std::string::npos);
  EXPECT_NE(refusal("SQLite format 3").find("not a recording"),
            std::string::npos);
  EXPECT_NE(refusal(Good + "x").find("after its end"), std::string::npos);

  std::string Version = Good;
  Version[7] = 9;
  EXPECT_NE(refusal(Version).find("another version"), std::string::npos);

  std::string Sizes = Good;
  uint32_t Many = 0x7fffffff;
  std::memcpy(&Sizes[16 + 4], &Many, 4); // rows of the first section
  EXPECT_NE(refusal(Sizes).find("section sizes"), std::string::npos);
  uint64_t Bytes = uint64_t(Many) * sizeof(ek_raw_conf);
  std::memcpy(&Sizes[16 + 8], &Bytes, 8);
  EXPECT_NE(refusal(Sizes).find("truncated"), std::string::npos);

  auto FirstRow = [&](uint32_t Tag) {
    ek_raw_section S;
    for (size_t At = sizeof(ek_raw_header); At < Good.size();
         At += sizeof S + S.bytes) {
      std::memcpy(&S, &Good[At], sizeof S);
      if (S.tag == Tag)
        return At + sizeof S;
    }
    ADD_FAILURE() << "no such section";
    return size_t(0);
  };
  // An access row that names instance 7 of 1.
  std::string Reference = Good;
  Reference[FirstRow(EK_RAW_ACCS) + 4] = 7;
  EXPECT_NE(refusal(Reference).find("not exist"), std::string::npos);
  EXPECT_NE(refusal(Reference).find("damaged:"), std::string::npos);
  // An object that is allocated, or freed, in a phase that does not exist.
  for (size_t At : {offsetof(ek_raw_inst, alloc_phase),
                    offsetof(ek_raw_inst, free_phase)}) {
    std::string Phase = Good;
    Phase[FirstRow(EK_RAW_INST) + At + 1] = 1;
    Phase[FirstRow(EK_RAW_INST) + At + 3] = 0;
    EXPECT_NE(refusal(Phase).find("not exist"), std::string::npos) << At;
  }
  EXPECT_FALSE(bool(readRaw((Dir / "missing").string())));
}

TEST_F(RecordTest, UnknownSectionsAreSkipped) {
  std::string Good = bytes(run("globals").at(0));
  ek_raw_section S = {EK_TAG('N', 'E', 'W', '!'), 1, 24};
  std::string Extra(reinterpret_cast<char *>(&S), sizeof S);
  Extra.append(24, 'x');
  Good.insert(sizeof(ek_raw_header), Extra);
  std::ofstream(Dir / "newer", std::ios::binary) << Good;
  auto R = readRaw((Dir / "newer").string());
  ASSERT_TRUE(bool(R)) << R.message();
  EXPECT_EQ(R->Instances.size(), 1u);
}

/// By (context, number in it): a call of a wrapper has the same context each
/// time, whatever else the site allocates.
TEST_F(RecordTest, ContextsAndSmallObjects) {
  MissRecord R = read("contexts");
  std::vector<const ek_raw_inst *> Made, Small;
  for (const ek_raw_inst &I : R.Instances)
    (I.site == 0x55 ? Small : Made).push_back(&I);
  ASSERT_EQ(Made.size(), 4u);
  EXPECT_NE(Made[0]->context, 0u);
  EXPECT_NE(Made[1]->context, 0u);
  EXPECT_NE(Made[0]->context, Made[1]->context);
  EXPECT_EQ(Made[2]->context, Made[1]->context);
  EXPECT_EQ(Made[3]->context, 0u);
  for (uint32_t I = 0; I < 4; ++I)
    EXPECT_EQ(Made[I]->ordinal, I);
  EXPECT_EQ(Made[1]->in_context, 0u);
  EXPECT_EQ(Made[2]->in_context, 1u);
  ASSERT_EQ(Small.size(), 2u);
  EXPECT_EQ(Small[0]->ordinal, EK_RAW_ONE_SMALL);
  EXPECT_EQ(Small[0]->bytes, 4000u);
  EXPECT_EQ(Small[1]->ordinal, EK_RAW_SMALL);
}
