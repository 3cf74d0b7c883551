//===- RowsTest.cpp - look-ups of rows in bounded memory ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares summaries with exact counts: whatever the stream, no count is too
// low, none is too high by more than it says, and a row that is not listed has
// at most as many look-ups as the error says, a bound of look-ups / rows kept.
// Samples are exact: all rows below the threshold, and no others.
// Then what the recorder writes of a hand-instrumented program.
//===----------------------------------------------------------------------===//
#include "format/profile/Profile.h"
#include "format/rows/RowCounts.h"
#include "record/tasks/RowSample.h"
#include "record/tasks/SpaceSaving.h"
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>

using namespace evenkeel;
namespace fs = std::filesystem;

namespace {

using Exact = std::map<uint64_t, uint64_t>;

/// Rows of a stream of \p N look-ups, by its kind.
std::vector<uint64_t> stream(const std::string &Kind, size_t N, unsigned Seed) {
  std::mt19937_64 Draw(Seed);
  std::vector<uint64_t> Out;
  for (size_t I = 0; I < N; ++I) {
    const double U = double(Draw() >> 11) / double(1ull << 53);
    if (Kind == "zipf") // about 1/rank, of a million rows
      Out.push_back(uint64_t(std::exp(U * std::log(1e6))) - 1);
    else if (Kind == "uniform")
      Out.push_back(Draw() % 50000);
    else if (Kind == "once")
      Out.push_back(I * 4096);
    else if (Kind == "late") // the heavy row comes last
      Out.push_back(I < N - N / 10 ? I : 7777777);
    else
      Out.push_back(I % 3 ? I : 5);
  }
  return Out;
}

template <typename Row>
void expectBounds(const Exact &True, const std::vector<Row> &Rows,
                  uint64_t Error, const std::string &What) {
  std::map<uint64_t, bool> Listed;
  for (const auto &[R, Count, Over] : Rows) {
    auto It = True.find(R);
    const uint64_t Its = It == True.end() ? 0 : It->second;
    EXPECT_GE(Count, Its) << What << " row " << R;
    EXPECT_LE(Count, Its + Over) << What << " row " << R;
    EXPECT_TRUE(Listed.emplace(R, true).second) << What << " row " << R;
  }
  for (const auto &[R, Count] : True)
    if (!Listed.count(R)) {
      EXPECT_LE(Count, Error) << What << " row " << R;
    }
}

const char *const Kinds[] = {"zipf", "uniform", "once", "late", "mixed"};

template <uint32_t Kept> void checkSummaries() {
  for (const char *Kind : Kinds)
    for (unsigned Seed = 1; Seed <= 3; ++Seed) {
      auto S = std::make_unique<ekrec::SpaceSaving<Kept>>();
      Exact True;
      uint64_t Total = 0;
      for (uint64_t Row : stream(Kind, 40000, Seed)) {
        const uint64_t Times = 1 + Row % 3 * (Seed - 1);
        S->add(Row, Times);
        True[Row] += Times;
        Total += Times;
      }
      std::vector<ek_raw_row_count> Rows;
      uint64_t Sum = 0;
      for (uint32_t I = 0; I < S->size(); ++I) {
        Rows.push_back({(*S)[I].Row, (*S)[I].Count, (*S)[I].Over});
        Sum += (*S)[I].Count;
        EXPECT_LE((*S)[I].Over, S->error());
      }
      EXPECT_EQ(S->total(), Total);
      EXPECT_EQ(Sum, Total) << "look-ups are neither lost nor made up";
      EXPECT_LE(S->size(), Kept);
      EXPECT_LE(S->error(), Total / Kept);
      expectBounds(True, Rows, S->error(), Kind);
    }
}

TEST(SpaceSaving, CountsStayWithinTheirBounds) {
  checkSummaries<1>();
  checkSummaries<64>();
  checkSummaries<1024>();
}

TEST(SpaceSaving, FewRowsAreExact) {
  auto S = std::make_unique<ekrec::SpaceSaving<1024>>();
  for (uint64_t Row : stream("uniform", 100000, 1))
    S->add(Row % 1024);
  EXPECT_EQ(S->size(), 1024u);
  for (uint32_t I = 0; I < S->size(); ++I)
    EXPECT_EQ((*S)[I].Over, 0u);
}

TEST(SpaceSaving, MemoryDoesNotGrow) {
  // All of it is in the object: nothing is allocated.
  EXPECT_LE(sizeof(ekrec::SpaceSaving<EK_ROWS_KEPT>), 161u << 10);
  EXPECT_LE(EK_ROW_TABLES * sizeof(ekrec::SpaceSaving<EK_ROWS_KEPT>),
            41u << 20);
  auto S = std::make_unique<ekrec::SpaceSaving<EK_ROWS_KEPT>>();
  for (uint64_t Row = 0; Row < 1000000; ++Row)
    S->add(Row);
  EXPECT_EQ(S->size(), unsigned(EK_ROWS_KEPT));
}

template <uint32_t Kept>
std::vector<ek_raw_row_sample> sampleOf(const ekrec::RowSample<Kept> &S) {
  std::vector<ek_raw_row_sample> Out;
  S.each(
      [&](uint64_t Row, uint64_t Lookups) { Out.push_back({Row, Lookups}); });
  return Out;
}

/// \p Sample is what was counted of one row in 2^\p Shift.
void expectSample(const Exact &True,
                  const std::vector<ek_raw_row_sample> &Sample, uint32_t Shift,
                  const std::string &What) {
  Exact Of, Wanted;
  for (const ek_raw_row_sample &S : Sample)
    EXPECT_TRUE(Of.emplace(S.row, S.lookups).second) << What;
  for (const auto &[Row, Lookups] : True)
    if (ek_row_sampled(Row, Shift))
      Wanted[Row] = Lookups;
  EXPECT_EQ(Of, Wanted) << What;
}

template <uint32_t Kept> void checkSamples() {
  for (const char *Kind : Kinds) {
    auto S = std::make_unique<ekrec::RowSample<Kept>>();
    Exact True;
    for (uint64_t Row : stream(Kind, 40000, 1)) {
      S->add(Row, 1 + Row % 3);
      True[Row] += 1 + Row % 3;
    }
    EXPECT_LE(S->size(), Kept) << Kind;
    EXPECT_EQ(S->size(), sampleOf(*S).size()) << Kind;
    expectSample(True, sampleOf(*S), S->shift(), Kind);
  }
}

TEST(RowSample, AreExactlyThoseBelowTheThreshold) {
  checkSamples<1>();
  checkSamples<64>();
  checkSamples<EK_ROWS_SAMPLED>();
}

TEST(RowSample, FewRowsAreAllCounted) {
  auto S = std::make_unique<ekrec::RowSample<1024>>();
  for (uint64_t Row : stream("uniform", 100000, 1))
    S->add(Row % 1024);
  EXPECT_EQ(S->size(), 1024u);
  EXPECT_EQ(S->shift(), 0u);
}

TEST(RowSample, ManyRowsAreAFairShare) {
  auto S = std::make_unique<ekrec::RowSample<EK_ROWS_SAMPLED>>();
  constexpr uint64_t Rows = 1000000;
  for (uint64_t Row = 0; Row < Rows; ++Row)
    S->add(Row);
  EXPECT_GE(S->size(), EK_ROWS_SAMPLED / 3u);
  EXPECT_NEAR(std::ldexp(S->size(), int(S->shift())), Rows, Rows / 10.0);
}

TEST(JoinedRows, SamplesAreThoseOfAllThreads) {
  for (const char *Kind : Kinds) {
    Exact True;
    std::vector<RowCounts> Parts;
    for (unsigned Thread = 0; Thread < 3; ++Thread) {
      auto S = std::make_unique<ekrec::RowSample<EK_ROWS_SAMPLED>>();
      for (uint64_t Row : stream(Kind, 1000 << 4 * Thread, Thread + 1)) {
        S->add(Row);
        ++True[Row];
      }
      RowTableCounts T;
      T.RowBytes = 64;
      T.Sample = sampleOf(*S);
      T.Shift = S->shift();
      Parts.push_back({{T}, 0});
    }
    const RowCounts All = joinRows(Parts);
    ASSERT_EQ(All.Tables.size(), 1u);
    EXPECT_LE(All.Tables[0].Sample.size(), size_t(EK_ROWS_SAMPLED));
    expectSample(True, All.Tables[0].Sample, All.Tables[0].Shift, Kind);
  }
}

TEST(JoinedRows, BoundsHoldOverThreads) {
  for (const char *Kind : Kinds) {
    Exact True;
    std::vector<RowCounts> Parts;
    uint64_t Total = 0;
    for (unsigned Thread = 0; Thread < 4; ++Thread) {
      auto S = std::make_unique<ekrec::SpaceSaving<EK_ROWS_KEPT>>();
      for (uint64_t Row : stream(Kind, 30000, Thread + 1)) {
        S->add(Row + Thread % 2);
        ++True[Row + Thread % 2];
      }
      RowTableCounts T;
      T.RowBytes = 64;
      T.Lookups = S->total();
      T.Error = S->error();
      for (uint32_t I = 0; I < S->size(); ++I)
        T.Rows.push_back({(*S)[I].Row, (*S)[I].Count, (*S)[I].Over});
      Total += T.Lookups;
      Parts.push_back({{T}, Thread});
    }
    const RowCounts All = joinRows(Parts);
    std::reverse(Parts.begin(), Parts.end());
    const RowCounts Again = joinRows(Parts);
    ASSERT_EQ(All.Tables.size(), 1u);
    EXPECT_EQ(All.Unkept, 6u);
    const RowTableCounts &T = All.Tables[0];
    EXPECT_EQ(T.Lookups, Total);
    EXPECT_LE(T.Rows.size(), size_t(EK_ROWS_KEPT));
    expectBounds(True, T.Rows, T.Error, Kind);
    ASSERT_EQ(T.Rows.size(), Again.Tables[0].Rows.size());
    for (size_t I = 0; I < T.Rows.size(); ++I)
      EXPECT_EQ(T.Rows[I].row, Again.Tables[0].Rows[I].row) << Kind;
  }
}

struct Recorded : ::testing::Test {
  fs::path Dir;
  std::string LookUps = "1";
  void SetUp() override {
    std::string Name = (fs::temp_directory_path() / "ekrowsXXXXXX").string();
    ASSERT_NE(mkdtemp(Name.data()), nullptr);
    Dir = Name;
  }
  void TearDown() override { fs::remove_all(Dir); }

  /// The stream that the driver writes.
  std::string run(const std::string &Program) {
    const std::string Command = "EVENKEEL_RECORD_LOOKUPS=" + LookUps +
                                " EVENKEEL_RAW=" + (Dir / "raw").string() +
                                " " + RECORD_DRIVER + " " + Program;
    EXPECT_EQ(std::system(Command.c_str()), 0) << Command;
    for (const auto &E : fs::directory_iterator(Dir))
      return E.path().string();
    return "";
  }
};

TEST_F(Recorded, NothingUnlessAskedFor) {
  LookUps = "0";
  const std::string Path = run("rows");
  auto R = readRaw(Path);
  ASSERT_TRUE(bool(R)) << R.message();
  auto Rows = readRawRows(Path, *R);
  ASSERT_TRUE(bool(Rows)) << Rows.message();
  EXPECT_TRUE(Rows->Tables.empty());
}

TEST_F(Recorded, LookUpsOfATable) {
  const std::string Path = run("rows");
  auto R = readRaw(Path);
  ASSERT_TRUE(bool(R)) << R.message();
  auto Rows = readRawRows(Path, *R);
  ASSERT_TRUE(bool(Rows)) << Rows.message();
  EXPECT_EQ(Rows->Unkept, 0u);
  ASSERT_EQ(Rows->Tables.size(), 1u) << "none for the small one";
  const RowTableCounts &T = Rows->Tables[0];
  EXPECT_EQ(T.Region, 0x99u);
  EXPECT_EQ(T.Site, 0x11u);
  EXPECT_EQ(T.RowBytes, 96u);
  EXPECT_EQ(T.First, 32u);
  EXPECT_EQ(T.Lookups, 5050u + 10000);
  EXPECT_EQ(T.Rows.size(), size_t(EK_ROWS_KEPT));
  EXPECT_LE(T.Error, T.Lookups / EK_ROWS_KEPT);
  Exact True;
  for (uint64_t Row = 0; Row < 10000; ++Row)
    True[Row] = (Row < 100 ? Row + 1 : 0) + 1;
  expectBounds(True, T.Rows, T.Error, "driver");
  EXPECT_GT(T.Shift, 0u);
  expectSample(True, T.Sample, T.Shift, "driver");
}

TEST_F(Recorded, TablesBeyondTheLimitAreCounted) {
  const std::string Path = run("many-tables");
  auto R = readRaw(Path);
  ASSERT_TRUE(bool(R)) << R.message();
  auto Rows = readRawRows(Path, *R);
  ASSERT_TRUE(bool(Rows)) << Rows.message();
  EXPECT_EQ(Rows->Tables.size(), size_t(EK_ROW_TABLES));
  EXPECT_EQ(Rows->Unkept, 300u - EK_ROW_TABLES);
}

TEST_F(Recorded, ProfilesKeepThem) {
  const std::string Path = run("rows"), Db = (Dir / "rows.ekdb").string();
  auto R = readRaw(Path);
  ASSERT_TRUE(bool(R)) << R.message();
  RowCounts Rows = *readRawRows(Path, *R);
  Rows.Unkept = 3;
  R->Role = "base";
  ASSERT_FALSE(writeProfile(Db, *R, {}));
  auto None = readRowCounts(Db);
  ASSERT_TRUE(bool(None)) << None.message();
  EXPECT_TRUE(None->Tables.empty());
  auto E = writeProfile(Db, *R, Rows);
  ASSERT_FALSE(E) << E->Message;
  auto Back = readRowCounts(Db);
  ASSERT_TRUE(bool(Back)) << Back.message();
  EXPECT_EQ(Back->Unkept, 3u);
  ASSERT_EQ(Back->Tables.size(), 1u);
  const RowTableCounts &A = Rows.Tables[0], &B = Back->Tables[0];
  EXPECT_EQ(std::tie(A.Region, A.Site, A.Context, A.Ordinal, A.Creator,
                     A.RowBytes, A.First, A.Lookups, A.Error),
            std::tie(B.Region, B.Site, B.Context, B.Ordinal, B.Creator,
                     B.RowBytes, B.First, B.Lookups, B.Error));
  ASSERT_EQ(A.Rows.size(), B.Rows.size());
  for (size_t I = 0; I < A.Rows.size(); ++I)
    EXPECT_EQ(std::tie(A.Rows[I].row, A.Rows[I].lookups, A.Rows[I].over),
              std::tie(B.Rows[I].row, B.Rows[I].lookups, B.Rows[I].over));
  EXPECT_EQ(A.Shift, B.Shift);
  ASSERT_EQ(A.Sample.size(), B.Sample.size());
  for (size_t I = 0; I < A.Sample.size(); ++I)
    EXPECT_EQ(std::tie(A.Sample[I].row, A.Sample[I].lookups),
              std::tie(B.Sample[I].row, B.Sample[I].lookups));
  auto P = readProfile(Db); // as before
  EXPECT_TRUE(bool(P)) << P.message();
}

TEST_F(Recorded, DamageIsRefused) {
  const std::string Path = run("rows");
  auto R = readRaw(Path);
  ASSERT_TRUE(bool(R)) << R.message();
  std::ifstream In(Path, std::ios::binary);
  std::string Bytes{std::istreambuf_iterator<char>(In), {}};
  const uint32_t Tag = EK_RAW_ROWT;
  const size_t At =
      Bytes.find(std::string(reinterpret_cast<const char *>(&Tag), 4));
  ASSERT_NE(At, std::string::npos);
  auto Refuses = [&](std::string Damaged) {
    std::ofstream(Path, std::ios::binary) << Damaged;
    auto Rows = readRawRows(Path, *R);
    return !Rows &&
           Rows.message().find("damaged recording") != std::string::npos;
  };
  std::string Bad = Bytes;
  Bad[At + sizeof(ek_raw_section) + offsetof(ek_raw_row_table, inst)] = 9;
  EXPECT_TRUE(Refuses(Bad)) << "an object that does not exist";
  Bad = Bytes;
  Bad[At + sizeof(ek_raw_section) + offsetof(ek_raw_row_table, rows)] ^= 1;
  EXPECT_TRUE(Refuses(Bad)) << "rows that are missing";
  Bad = Bytes;
  Bad[At + sizeof(ek_raw_section) + offsetof(ek_raw_row_table, shift)] = 63;
  EXPECT_TRUE(Refuses(Bad)) << "rows that the sample cannot have";
  EXPECT_TRUE(Refuses(Bytes.substr(0, At + 40))) << "a truncated file";
  EXPECT_FALSE(Refuses(Bytes));
}

} // namespace
