//===- profile_test.cpp - the SQLite container ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: round trips of every row type, equal files for equal profiles, the
// planner's view without page rows, and every kind of bad file.
//===----------------------------------------------------------------------===//
#include "TempDir.h"
#include "format/profile/PageSpan.h"
#include "format/profile/Profile.h"
#include <cstring>
#include <gtest/gtest.h>
#include <sqlite3.h>

using namespace evenkeel;

namespace {

MissRecord sample() {
  MissRecord R;
  R.Role = "base";
  R.Mode = "misses";
  R.Input = "0123456789abcdef";
  R.Command = "prog 10 it's";
  R.Config.line_bytes = 64;
  R.Config.llc_share_bytes = 1 << 20;
  R.Config.workers = 2;
  R.Config.ghz = 2.3;
  R.Config.quantum_cycles = 1ull << 40;
  for (uint32_t I = 0; I < EK_RAW_LLC_SIZES; ++I)
    R.Config.llc_sizes[I] = (I + 1) << 18;
  R.Instances.push_back(
      {0xfedcba9876543210u, 7, 1, 2, 1ull << 33, 0, EK_NO_TASK, 3, 4});
  R.Phases = {{11, 0, 1}, {0, 1, 2}};
  R.Tasks.push_back({0x20, 0, 0, 0, 0, 100, 200, 300});
  R.Tasks.push_back({0x21, 1, 0, 0, 1, (1ull << 62) - 1, 1, 0});
  R.Tasks.push_back({0x21, 1, 1, 1, 1, 5, 6, 7});
  R.Deps = {{2, 1}};
  R.Parts = {{2, 1}};
  R.Accesses = {{0, 0, 5, 6}};
  R.Misses = {{0, 0, 255, 0, 3, 4, 1.25, 0xf00000000000000fu}};
  R.Curves.push_back({0, 0, {8, 7, 6, 5, 4, 3, 2, 1}});
  R.Far = {{0, 0, 8, 2.5}};
  R.Symbols.push_back({9, EK_NO_TASK, 0, 3, -1, 2, -5, 6, 0.1});
  R.Pages = {{0, 0, 0, 9, 1, 2, 0.5f, 1},
             {0, 1, 0, 9, 1, 2, 0.5f, 0},
             {2, 0, 0, 1, 1, 2, 0.5f, 0}};
  return R;
}

template <typename T>
bool same(const std::vector<T> &A, const std::vector<T> &B) {
  return A.size() == B.size() &&
         (A.empty() || !std::memcmp(A.data(), B.data(), A.size() * sizeof(T)));
}

void run(const std::string &Path, const char *Sql) {
  sqlite3 *D = nullptr;
  ASSERT_EQ(sqlite3_open(Path.c_str(), &D), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(D, Sql, nullptr, nullptr, nullptr), SQLITE_OK)
      << sqlite3_errmsg(D);
  sqlite3_close(D);
}

TEST(Profile, RoundTrip) {
  TempDir D;
  MissRecord R = sample();
  ASSERT_FALSE(writeProfile(D.path("p.ekdb"), R));
  EXPECT_EQ(D.count(), 1u) << "no temporary file is left";
  Expected<MissRecord> Q = readMissRecord(D.path("p.ekdb"));
  ASSERT_TRUE(static_cast<bool>(Q)) << Q.message();
  EXPECT_EQ(Q->Role, R.Role);
  EXPECT_EQ(Q->Mode, R.Mode);
  EXPECT_EQ(Q->Input, R.Input);
  EXPECT_EQ(Q->Command, R.Command);
  EXPECT_FALSE(std::memcmp(&Q->Config, &R.Config, sizeof R.Config));
  EXPECT_TRUE(same(Q->Instances, R.Instances));
  EXPECT_TRUE(same(Q->Phases, R.Phases));
  EXPECT_TRUE(same(Q->Tasks, R.Tasks));
  EXPECT_TRUE(same(Q->Deps, R.Deps));
  EXPECT_TRUE(same(Q->Parts, R.Parts));
  EXPECT_TRUE(same(Q->Accesses, R.Accesses));
  EXPECT_TRUE(same(Q->Misses, R.Misses));
  EXPECT_TRUE(same(Q->Curves, R.Curves));
  EXPECT_TRUE(same(Q->Far, R.Far));
  EXPECT_TRUE(same(Q->Symbols, R.Symbols));
  EXPECT_TRUE(same(Q->Pages, R.Pages));
}

// Of an object of 11 pages: rows of four pages each, the last of three.
TEST(Profile, RowsOfSeveralPagesBecomeRowsOfSingleOnes) {
  std::vector<ek_raw_inst> Objects(1);
  Objects[0].bytes = 10 * EK_PAGE + 1;
  auto Row = [](uint32_t Quantum, uint32_t First, uint32_t Reads,
                uint32_t Writes) {
    return ek_raw_page{0,     Quantum, 0,        EK_PAGE_ROW(First, 2u),
                       Reads, Writes,  1.0f / 4, 64};
  };
  std::vector<ek_raw_page> Rows = {
      Row(0, 0, 4 * 64, 64),  // each page one line
      Row(0, 4, 64, 0),       // one of four
      Row(0, 8, 9 * 64, 128), // three pages, three lines each
      {0, 1, 0, 7, 64, 0, 1, 0}};
  for (uint32_t Q = 2; Q < 66; ++Q)
    Rows.push_back(Row(Q, 4, 64, 0));
  std::vector<ek_raw_page> Out = singlePages(Rows, Objects, 64);
  ASSERT_EQ(Out.size(), 4u + 1 + 3 + 1 + 64);
  for (uint32_t I = 0; I < 4; ++I) {
    EXPECT_EQ(Out[I].page, I);
    EXPECT_EQ(Out[I].reads, 64u);
    EXPECT_EQ(Out[I].writes, 16u);
    EXPECT_EQ(Out[I].weight, 1.0f / 16);
    EXPECT_EQ(Out[I].dependent, 16u);
  }
  EXPECT_EQ(Out[4].reads, 64u);
  EXPECT_EQ(Out[4].weight, 1.0f / 4);
  uint32_t Written = 0;
  for (uint32_t I = 0; I < 3; ++I) {
    EXPECT_EQ(Out[5 + I].page, 8 + I);
    EXPECT_EQ(Out[5 + I].reads, 3u * 64);
    Written += Out[5 + I].writes;
  }
  EXPECT_EQ(Written, 128u);
  EXPECT_EQ(Out[8].page, 7u); // was a single one
  EXPECT_EQ(Out[8].reads, 64u);
  unsigned Seen[4] = {}; // over time, no page is left out
  for (size_t I = 9; I < Out.size(); ++I) {
    ASSERT_GE(Out[I].page, 4u);
    ASSERT_LT(Out[I].page, 8u);
    ++Seen[Out[I].page - 4];
  }
  for (unsigned N : Seen)
    EXPECT_GE(N, 8u);
}

TEST(Profile, DamagedSpansStayWithinTheObject) {
  std::vector<ek_raw_inst> Objects(1);
  Objects[0].bytes = 100;
  for (uint32_t Page : {EK_PAGE_ROW(0u, 31u), EK_PAGE_ROW(5u, 3u)}) {
    std::vector<ek_raw_page> Out =
        singlePages({{0, 0, 0, Page, 640, 0, 1, 0}}, Objects, 64);
    ASSERT_EQ(Out.size(), 1u);
    EXPECT_EQ(Out[0].page, EK_PAGE_FIRST(Page));
    EXPECT_EQ(Out[0].reads, 640u);
  }
}

TEST(Profile, SameContentSameBytes) {
  TempDir D;
  ASSERT_FALSE(writeProfile(D.path("a"), sample()));
  ASSERT_FALSE(writeProfile(D.path("b"), sample()));
  EXPECT_EQ(TempDir::read(D.path("a")), TempDir::read(D.path("b")));
}

/// The planner's view works on a file whose page rows do not exist at all.
TEST(Profile, PlannerNeverTouchesPages) {
  TempDir D;
  ASSERT_FALSE(writeProfile(D.path("p"), sample()));
  run(D.path("p"), "DROP TABLE pages");
  EXPECT_TRUE(static_cast<bool>(readProfile(D.path("p"))));
  EXPECT_ERROR(readMissRecord(D.path("p")), "pages");
}

TEST(Profile, UnwritablePlaceLeavesTheOldFile) {
  TempDir D;
  MaybeError E = writeProfile(D.path("no/such/dir/p"), sample());
  ASSERT_TRUE(E.has_value());
  EXPECT_NE(E->Message.find("cannot write"), std::string::npos);
  // Page rows out of order violate the file's key: an error half way through.
  std::string Old = D.write("p", "old");
  MissRecord R = sample();
  R.Pages.push_back(R.Pages[0]);
  EXPECT_TRUE(writeProfile(Old, R).has_value());
  EXPECT_EQ(TempDir::read(Old), "old");
  EXPECT_EQ(D.count(), 1u);
}

TEST(Profile, Malformed) {
  TempDir D;
  EXPECT_ERROR(readProfile(D.path("absent")), "cannot read");
  EXPECT_ERROR(readProfile(D.path(".")), "directory");
  EXPECT_ERROR(readProfile(D.write("a", "")), "not an SQLite file");
  EXPECT_ERROR(readProfile(D.write("a", "EKRAW")), "evenkeel record");
  MissRecord R = sample();
  R.Instances.resize(1);
  ASSERT_FALSE(writeProfile(D.path("p"), R));
  std::string Text = TempDir::read(D.path("p"));
  for (size_t N : {20ul, 99ul, 4096ul, Text.size() / 2, Text.size() - 1})
    EXPECT_ERROR(readProfile(D.write("a", Text.substr(0, N))), "truncated");
  std::string Damaged = Text;
  for (size_t I = 4096; I < Damaged.size(); ++I)
    Damaged[I] = static_cast<char>(I * 7);
  EXPECT_ERROR(readProfile(D.write("a", Damaged)), D.path("a"));

  D.write("s", "");
  run(D.path("s"), "CREATE TABLE x(y)");
  EXPECT_ERROR(readProfile(D.path("s")), "not a profile");
  auto Changed = [&](const char *Sql) {
    EXPECT_FALSE(writeProfile(D.path("c"), sample()));
    run(D.path("c"), Sql);
    return D.path("c");
  };
  EXPECT_ERROR(readProfile(Changed("UPDATE meta SET value="
                                   "'evenkeel.profile/9' WHERE key='schema'")),
               "unknown");
  EXPECT_ERROR(readProfile(Changed("DELETE FROM meta WHERE key='role'")),
               "role");
  EXPECT_ERROR(readProfile(Changed("DELETE FROM task")), "empty profile");
  EXPECT_ERROR(readProfile(Changed("DELETE FROM conf")), "conf");
  EXPECT_ERROR(readProfile(Changed("DROP TABLE miss")), "miss");
  EXPECT_ERROR(readProfile(Changed("UPDATE miss SET inst=5")), "miss");
  EXPECT_ERROR(readProfile(Changed("UPDATE miss SET chunk=256")), "miss");
  EXPECT_ERROR(readProfile(Changed("UPDATE task SET phase=9")), "task");
  EXPECT_ERROR(readProfile(Changed("UPDATE inst SET alloc_phase=2")), "inst");
  EXPECT_ERROR(readProfile(Changed("UPDATE inst SET alloc_phase=4294967295")),
               "inst");
  EXPECT_ERROR(readProfile(Changed("UPDATE dep SET pred=9")), "dep");
  EXPECT_ERROR(readMissRecord(Changed("UPDATE pages SET data=x'00'")),
               "wrong size");
  R.Pages[0].weight = -1;
  ASSERT_FALSE(writeProfile(D.path("w"), R));
  EXPECT_ERROR(readMissRecord(D.path("w")), "weight out of range");
  EXPECT_ERROR(readMissRecord(Changed("UPDATE pages SET task=1 WHERE task=2")),
               "another task");
  // Values that SQLite would convert to numbers.
  for (const char *Sql :
       {"UPDATE task SET instructions='many'", "UPDATE task SET worker=-1",
        "UPDATE task SET worker=4294967296", "UPDATE miss SET chunk=0.5",
        "UPDATE miss SET weight='x'", "UPDATE miss SET weight=9e999",
        "UPDATE inst SET bytes=x'00'"})
    EXPECT_ERROR(readProfile(Changed(Sql)), "no such number");
  // -1 and 2^63 as unsigned numbers.
  for (const char *Sql :
       {"UPDATE inst SET bytes=-1",
        "UPDATE inst SET bytes=-9223372036854775808",
        "UPDATE inst SET bytes=1<<48", "UPDATE task SET core_cycles=-1",
        "UPDATE access SET reads=-1", "UPDATE miss SET writes=1<<62",
        "UPDATE miss SET weight=-0.5", "UPDATE far SET weight=-1e300",
        "UPDATE phase SET width=1<<31", "UPDATE symbol SET times=-1"})
    EXPECT_ERROR(readProfile(Changed(Sql)), "number out of range");
  EXPECT_ERROR(readMissRecord(Changed("UPDATE pages SET task=task+4294967296")),
               "page rows of no task");
  EXPECT_ERROR(readProfile(Changed("UPDATE meta SET value=x'62' WHERE "
                                   "key='role'")),
               "role");
  EXPECT_ERROR(
      readProfile(Changed("UPDATE meta SET value='x' WHERE key='role'")),
      "neither base nor prefix nor target");
  EXPECT_ERROR(readProfile(Changed("INSERT INTO meta VALUES('ended', 'soon')")),
               "not a known reason");
  EXPECT_TRUE(static_cast<bool>(
      readProfile(Changed("INSERT INTO meta VALUES('ended', 'phases')"))));
  EXPECT_ERROR(readProfile(Changed("UPDATE dep SET pred=task")), "dep");
  EXPECT_ERROR(readProfile(Changed("UPDATE part SET first=task")), "part");
  EXPECT_ERROR(
      readProfile(Changed("ALTER TABLE meta RENAME TO old; CREATE VIEW meta AS "
                          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT "
                          "i+1 FROM n) SELECT 'schema' AS key, i AS value "
                          "FROM n WHERE i<0")),
      "not a profile");
  EXPECT_TRUE(static_cast<bool>(
      readProfile(Changed("ALTER TABLE task ADD COLUMN later INTEGER"))));
  // Older files do not contain the times of fetches.
  Expected<Profile> Old = readProfile(Changed("ALTER TABLE miss DROP COLUMN "
                                              "course"));
  ASSERT_TRUE(static_cast<bool>(Old)) << Old.message();
  EXPECT_EQ(Old->Misses.at(0).reads, 3u);
  EXPECT_EQ(Old->Misses.at(0).course, 0u);
  EXPECT_ERROR(readProfile(Changed("ALTER TABLE miss DROP COLUMN reads")),
               "damaged");
}

/// The page on which the tree of \p Table begins.
uint32_t rootPage(const std::string &Path, const char *Table) {
  sqlite3 *D = nullptr;
  EXPECT_EQ(sqlite3_open(Path.c_str(), &D), SQLITE_OK);
  const std::string Sql =
      std::string("SELECT rootpage FROM sqlite_master WHERE name='") + Table +
      "'";
  uint32_t Page = 0;
  sqlite3_exec(
      D, Sql.c_str(),
      [](void *Out, int, char **Values, char **) {
        *static_cast<uint32_t *>(Out) =
            static_cast<uint32_t>(std::stoul(Values[0]));
        return 0;
      },
      &Page, nullptr);
  sqlite3_close(D);
  return Page;
}

void putBigEndian(std::string &Bytes, size_t At, uint64_t Value, int Size) {
  for (int I = 0; I < Size; ++I)
    Bytes[At + I] = static_cast<char>(Value >> (8 * (Size - 1 - I)));
}

/// A tree whose inner page names one leaf many times, which SQLite reads as
/// often as it is named; a few levels of such pages would never end.
TEST(Profile, RefusesPagesThatAreNamedTwice) {
  TempDir D;
  for (const char *Table : {"task", "access", "miss"}) {
    const std::string Path = D.path(std::string(Table) + ".ekdb");
    ASSERT_FALSE(writeProfile(Path, sample()));
    const uint32_t Root = rootPage(Path, Table);
    ASSERT_GT(Root, 1u);
    std::string Bytes = TempDir::read(Path);
    const size_t Size = size_t(static_cast<unsigned char>(Bytes[16])) << 8 |
                        static_cast<unsigned char>(Bytes[17]);
    ASSERT_EQ(Bytes.size() % Size, 0u);
    Bytes += Bytes.substr((Root - 1) * Size, Size);
    const size_t Leaf = Bytes.size() / Size;
    putBigEndian(Bytes, 28, Leaf, 4); // pages of the file
    // An inner page: its cells are a child and the largest key below it.
    const size_t Cells = 60, At = (Root - 1) * Size;
    std::fill_n(Bytes.begin() + At, Size, '\0');
    Bytes[At] = 5;
    putBigEndian(Bytes, At + 3, Cells, 2);
    putBigEndian(Bytes, At + 5, Size - 5 * Cells, 2);
    putBigEndian(Bytes, At + 8, Leaf, 4);
    for (size_t I = 0; I < Cells; ++I) {
      putBigEndian(Bytes, At + 12 + 2 * I, Size - 5 * (I + 1), 2);
      putBigEndian(Bytes, At + Size - 5 * (I + 1), Leaf, 4);
    }
    EXPECT_ERROR(readProfile(D.write(std::string(Table) + "2", Bytes)),
                 std::string("rows of table '") + Table + "' are repeated");
  }
}

TEST(InputIdentity, FilesCountByContent) {
  TempDir D;
  std::string A = D.write("a", "matrix"), B = D.write("b", "matrix");
  auto Id = [](std::vector<std::string> V) { return *inputIdentity(V); };
  EXPECT_EQ(Id({"prog", A, "4"}), Id({"other", B, "4"}));
  EXPECT_NE(Id({"prog", A, "4"}), Id({"prog", A, "5"}));
  EXPECT_NE(Id({"prog", "ab", "c"}), Id({"prog", "a", "bc"}));
  EXPECT_NE(Id({"prog", A}), Id({"prog", "matrix"}));
  D.write("b", "matriy");
  EXPECT_NE(Id({"prog", A, "4"}), Id({"prog", B, "4"}));
  EXPECT_EQ(Id({"prog"}).size(), 16u);
}

} // namespace
