//===- shared_rows_test.cpp - rows of equal phases stored once ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: every record is read back from a file bit by bit; a solver's file
// hardly grows with its iterations; files that share rows without packing them
// can be read.
//===----------------------------------------------------------------------===//
#include "Iterations.h"
#include "TempDir.h"
#include "format/profile/ProfileTables.h"
#include "format/profile/SharedRows.h"
#include <cstring>
#include <random>
#include <sqlite3.h>

using namespace evenkeel;

namespace {

template <typename T>
void expectSame(const std::vector<T> &A, const std::vector<T> &B,
                const char *What) {
  ASSERT_EQ(A.size(), B.size()) << What;
  for (size_t I = 0; I < A.size(); ++I)
    ASSERT_EQ(std::memcmp(&A[I], &B[I], sizeof(T)), 0) << What << ' ' << I;
}

void expectSame(const MissRecord &A, const MissRecord &B) {
  expectSame(A.Instances, B.Instances, "inst");
  expectSame(A.Tasks, B.Tasks, "task");
  expectSame(A.Accesses, B.Accesses, "access");
  expectSame(A.Misses, B.Misses, "miss");
  expectSame(A.Curves, B.Curves, "curve");
  expectSame(A.Far, B.Far, "far");
  expectSame(A.Symbols, B.Symbols, "symbol");
  expectSame(A.Pages, B.Pages, "page");
}

/// A solver's record, with pages and symbols of its tasks.
MissRecord solver(uint32_t Phases) {
  MissRecord R;
  static_cast<Profile &>(R) = Iterations(Phases).B;
  for (const ek_raw_miss &M : R.Misses)
    if (M.chunk % 8 == 0)
      R.Pages.push_back({M.task, 0, M.inst, M.chunk, uint32_t(M.reads),
                         uint32_t(M.writes), float(M.weight), 0});
  ek_raw_symbol Of = {0x31, 0, 0, 3, 1, 2, 1, 2, 4.5};
  for (uint32_t T = 0; T < R.Tasks.size(); ++T) {
    Of.task = T;
    R.Symbols.push_back(Of);
  }
  R.Symbols.push_back({0x2f, EK_NO_TASK, 0, 0, 0, 0, 0, 0, 0}); // never seen
  return R;
}

struct Differ {
  std::mt19937 Random{7};
  template <typename T> void operator()(std::vector<T> &Rows) {
    for (unsigned I = 0; I < 40; ++I) {
      if (Rows.empty())
        continue;
      const size_t At = Random() % Rows.size();
      if (Random() % 2)
        Rows.erase(Rows.begin() + ptrdiff_t(At));
      else
        std::memset(reinterpret_cast<char *>(&Rows[At]) + sizeof(T) - 8, 1, 8);
    }
  }
};

size_t bytesOf(const std::string &Path) {
  return std::filesystem::file_size(Path);
}

void runSql(const std::string &Path, const std::string &Sql) {
  sqlite3 *D = nullptr;
  ASSERT_EQ(sqlite3_open(Path.c_str(), &D), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(D, Sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
      << sqlite3_errmsg(D);
  sqlite3_close(D);
}

/// SQL that puts a table with one row for each of \p Rows in the place of a
/// packed one.
template <typename T> std::string plainly(const std::vector<T> &Rows) {
  const Table &Tab = tableOf<T>();
  const std::string Name = Tab.Name;
  std::string Sql =
      "DROP TABLE " + Name + ";CREATE TABLE " + Name + "(\"row\" INTEGER";
  for (const Column &C : Tab.Columns)
    Sql += std::string(",\"") + C.Name + "\" " +
           (C.Type == Column::F64 ? "REAL" : "INTEGER");
  Sql += ");";
  for (size_t I = 0; I < Rows.size(); ++I) {
    Sql += "INSERT INTO " + Name + " VALUES(" + std::to_string(I);
    for (const Column &C : Tab.Columns) {
      const char *At = reinterpret_cast<const char *>(&Rows[I]) + C.Offset;
      int64_t Whole = 0;
      double Real = 0;
      std::memcpy(&Whole, At, C.Type == Column::U32 ? 4 : 8);
      std::memcpy(&Real, At, C.Type == Column::F64 ? 8 : 0);
      char Text[40];
      std::snprintf(Text, sizeof Text, "%.17g", Real);
      Sql += ',' + (C.Type == Column::F64 ? Text : std::to_string(Whole));
    }
    Sql += ");";
  }
  return Sql;
}

MissRecord throughFile(const MissRecord &R, const TempDir &D) {
  MaybeError E = writeProfile(D.path("p.ekdb"), R);
  EXPECT_FALSE(E);
  Expected<MissRecord> Q = readMissRecord(D.path("p.ekdb"));
  EXPECT_TRUE(static_cast<bool>(Q)) << Q.message();
  return Q ? std::move(*Q) : MissRecord();
}

TEST(SharedRows, ComeBackBitByBit) {
  TempDir D;
  const MissRecord R = solver(60);
  expectSame(R, throughFile(R, D));
}

TEST(SharedRows, DifferencesComeBack) {
  TempDir D;
  MissRecord R = solver(60);
  Differ Change;
  Change(R.Accesses);
  Change(R.Misses);
  Change(R.Curves);
  Change(R.Far);
  for (ek_raw_task &T : R.Tasks)
    T.core_cycles += Change.Random() % 9 == 0;
  R.Misses[20].reads = R.Misses[20].writes = 0; // is no missing row
  R.Misses[20].weight = 0;
  R.Symbols.insert(R.Symbols.begin() + 9, R.Symbols[9]); // twice of a name
  const std::optional<HeldRows> Held = shareRows(R);
  ASSERT_TRUE(Held);
  EXPECT_LT(Held->Misses.size(), R.Misses.size() / 4);
  MissRecord Q;
  Q.Instances = R.Instances;
  Q.Phases = R.Phases;
  ASSERT_TRUE(giveAllRows(*Held, Q));
  expectSame(R, Q);
  expectSame(R, throughFile(R, D));
}

TEST(SharedRows, FileHardlyGrowsWithIterations) {
  TempDir D;
  ASSERT_FALSE(writeProfile(D.path("few.ekdb"), solver(60)));
  ASSERT_FALSE(writeProfile(D.path("many.ekdb"), solver(240)));
  EXPECT_LT(bytesOf(D.path("many.ekdb")), 2 * bytesOf(D.path("few.ekdb")));
  EXPECT_LT(bytesOf(D.path("many.ekdb")), 2u << 20);
}

TEST(SharedRows, SmallFilesHoldAllRows) {
  TempDir D;
  const MissRecord R = solver(8);
  ASSERT_TRUE(shareRows(R));
  ASSERT_FALSE(writeProfile(D.path("p.ekdb"), R));
  const std::string Text = TempDir::read(D.path("p.ekdb"));
  EXPECT_NE(Text.find("evenkeel.profile/1"), std::string::npos);
}

TEST(SharedRows, RowsOutOfOrderAreKept) {
  TempDir D;
  MissRecord R = solver(60);
  std::swap(R.Misses[5], R.Misses[70]);
  EXPECT_FALSE(shareRows(R));
  expectSame(R, throughFile(R, D));
}

TEST(SharedRows, OlderFilesWithoutPackedTables) {
  TempDir D;
  const MissRecord R = solver(60);
  const std::string Path = D.path("p.ekdb");
  ASSERT_FALSE(writeProfile(Path, R));
  EXPECT_NE(TempDir::read(Path).find("evenkeel.profile/3"), std::string::npos);
  const std::optional<HeldRows> Held = shareRows(R);
  ASSERT_TRUE(Held);
  runSql(Path, "BEGIN;UPDATE meta SET value='evenkeel.profile/2' WHERE "
               "key='schema';" +
                   plainly(R.Instances) + plainly(Held->Accesses) +
                   plainly(Held->Misses) + plainly(Held->Curves) +
                   plainly(Held->Far) + "COMMIT");
  const Expected<MissRecord> Q = readMissRecord(Path);
  ASSERT_TRUE(static_cast<bool>(Q)) << Q.message();
  expectSame(R, *Q);
}

TEST(SharedRows, RefusesDamagedFiles) {
  TempDir D;
  ASSERT_FALSE(writeProfile(D.path("good.ekdb"), solver(60)));
  for (const char *Sql :
       {"UPDATE shared SET \"as\"=phase", "DELETE FROM task",
        "UPDATE shared SET \"as\"=1000000", "UPDATE shared SET phase=1000000",
        "UPDATE access SET task=1000000", "DELETE FROM task WHERE \"row\"=0",
        "UPDATE access SET task=x'00'", "UPDATE access SET inst=task",
        "UPDATE access SET \"row\"=1", "UPDATE access SET \"rows\"=\"rows\"+1",
        "UPDATE access SET \"rows\"=-1",
        "INSERT INTO access SELECT (SELECT sum(\"rows\") FROM access), 0, "
        "x'', x'', x'', x''",
        "UPDATE access SET \"rows\"=65537", "DROP TABLE access",
        "DELETE FROM inst", "DROP TABLE shared"}) {
    const std::string Path = D.path("bad.ekdb");
    std::filesystem::copy_file(
        D.path("good.ekdb"), Path,
        std::filesystem::copy_options::overwrite_existing);
    SCOPED_TRACE(Sql);
    runSql(Path, Sql);
    EXPECT_ERROR(readMissRecord(Path), "damaged profile");
    EXPECT_ERROR(readProfile(Path), "damaged profile");
  }
}

} // namespace
