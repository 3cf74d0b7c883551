//===- RowCountsFile.cpp - look-ups of rows in a profile ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the tables of a profile's SQLite file:
//   row_table(id, region, site, context, ordinal, creator, row_bytes, first,
//             lookups, error, shift)
//   row_count(of, row, lookups, over)   `of` is an id of row_table
//   row_sample(of, row, lookups)
//   row_unkept(lookups)                 one row, if there were such
// Unsigned 64-bit ids are stored bit by bit as SQLite's signed ones.
// Not here: the other tables (profile/ProfileFile.cpp).
//===----------------------------------------------------------------------===//
#include "RowCounts.h"
#include "format/NewFile.h"
#include "format/profile/Profile.h"
#include <initializer_list>
#include <sqlite3.h>

using namespace evenkeel;

namespace {

class Database {
  sqlite3 *Handle = nullptr;
  bool Good;

public:
  Database(const std::string &Path, int Flags)
      : Good(sqlite3_open_v2(Path.c_str(), &Handle, Flags, nullptr) ==
             SQLITE_OK) {}
  ~Database() { sqlite3_close(Handle); }
  Database(const Database &) = delete;
  Database &operator=(const Database &) = delete;

  bool good() const { return Good; }
  std::string why() const { return sqlite3_errmsg(Handle); }
  sqlite3 *handle() { return Handle; }
  void run(const char *Sql) {
    Good = Good &&
           sqlite3_exec(Handle, Sql, nullptr, nullptr, nullptr) == SQLITE_OK;
  }
  void fail() { Good = false; }
};

class Statement {
  Database &D;
  sqlite3_stmt *S = nullptr;

public:
  Statement(Database &D, const char *Sql) : D(D) {
    if (D.good() &&
        sqlite3_prepare_v2(D.handle(), Sql, -1, &S, nullptr) != SQLITE_OK)
      D.fail();
  }
  ~Statement() { sqlite3_finalize(S); }
  Statement(const Statement &) = delete;
  Statement &operator=(const Statement &) = delete;

  void insert(std::initializer_list<uint64_t> Values) {
    if (!D.good())
      return;
    int N = 0;
    for (uint64_t V : Values)
      sqlite3_bind_int64(S, ++N, static_cast<sqlite3_int64>(V));
    if (sqlite3_step(S) != SQLITE_DONE)
      D.fail();
    sqlite3_reset(S);
  }
  /// The next row, of \p N integers; false: there is none.
  bool next(int N) {
    if (!D.good())
      return false;
    const int Code = sqlite3_step(S);
    if (Code == SQLITE_DONE)
      return false;
    bool Integers = Code == SQLITE_ROW;
    for (int I = 0; Integers && I < N; ++I)
      Integers = sqlite3_column_type(S, I) == SQLITE_INTEGER;
    if (!Integers)
      D.fail();
    return Integers;
  }
  uint64_t at(int I) const {
    return static_cast<uint64_t>(sqlite3_column_int64(S, I));
  }
};

bool hasTables(Database &D) {
  Statement Q(D, "SELECT 1 FROM sqlite_master WHERE name='row_table'");
  return Q.next(1);
}

} // namespace

/// Adds the counts to the profile at \p Path.
static MaybeError addRowCounts(const std::string &Path, const RowCounts &R) {
  Database D(Path, SQLITE_OPEN_READWRITE);
  D.run("BEGIN");
  D.run(
      "CREATE TABLE row_table(id INTEGER PRIMARY KEY, region INTEGER NOT "
      "NULL, site INTEGER NOT NULL, context INTEGER NOT NULL, ordinal INTEGER "
      "NOT NULL, creator INTEGER NOT NULL, row_bytes INTEGER NOT NULL, first "
      "INTEGER NOT NULL, lookups INTEGER NOT NULL, error INTEGER NOT NULL, "
      "shift INTEGER NOT NULL)");
  D.run("CREATE TABLE row_count(of INTEGER NOT NULL, \"row\" INTEGER NOT NULL, "
        "lookups INTEGER NOT NULL, over INTEGER NOT NULL, PRIMARY KEY(of, "
        "\"row\")) WITHOUT ROWID");
  D.run(
      "CREATE TABLE row_sample(of INTEGER NOT NULL, \"row\" INTEGER NOT NULL, "
      "lookups INTEGER NOT NULL, PRIMARY KEY(of, \"row\")) WITHOUT ROWID");
  D.run("CREATE TABLE row_unkept(lookups INTEGER NOT NULL)");
  {
    Statement Table(D, "INSERT INTO row_table VALUES(?,?,?,?,?,?,?,?,?,?,?)");
    Statement Count(D, "INSERT INTO row_count VALUES(?,?,?,?)");
    Statement Sample(D, "INSERT INTO row_sample VALUES(?,?,?)");
    for (uint64_t Id = 0; Id < R.Tables.size(); ++Id) {
      const RowTableCounts &T = R.Tables[Id];
      Table.insert({Id, T.Region, T.Site, T.Context, T.Ordinal, T.Creator,
                    T.RowBytes, T.First, T.Lookups, T.Error, T.Shift});
      for (const ek_raw_row_count &C : T.Rows)
        Count.insert({Id, C.row, C.lookups, C.over});
      for (const ek_raw_row_sample &S : T.Sample)
        Sample.insert({Id, S.row, S.lookups});
    }
    if (R.Unkept) {
      Statement Unkept(D, "INSERT INTO row_unkept VALUES(?)");
      Unkept.insert({R.Unkept});
    }
  }
  D.run("COMMIT");
  if (!D.good())
    return Error{Path + ": cannot write the look-ups of rows: " + D.why()};
  return std::nullopt;
}

MaybeError evenkeel::writeProfile(const std::string &Path, const MissRecord &R,
                                  const RowCounts &Rows) {
  if (Rows.Tables.empty() && !Rows.Unkept)
    return writeProfile(Path, R);
  Expected<NewFile> New = NewFile::beside(Path);
  if (!New)
    return New.takeError();
  if (MaybeError E = writeProfile(New->path(), R))
    return E;
  if (MaybeError E = addRowCounts(New->path(), Rows))
    return E;
  return New->publish();
}

Expected<RowCounts> evenkeel::readRowCounts(const std::string &Path) {
  Database D(Path, SQLITE_OPEN_READONLY);
  RowCounts Out;
  if (D.good() && !hasTables(D) && D.good())
    return Out;
  {
    Statement Table(D, "SELECT id,region,site,context,ordinal,creator,"
                       "row_bytes,first,lookups,error,shift FROM row_table "
                       "ORDER BY id");
    while (Table.next(11)) {
      if (Table.at(0) != Out.Tables.size() || !Table.at(6) ||
          Table.at(7) >= Table.at(6) || Table.at(9) > Table.at(8) ||
          Table.at(4) > UINT32_MAX || Table.at(5) > UINT32_MAX ||
          Table.at(10) > 63) {
        D.fail();
        break;
      }
      Out.Tables.push_back({Table.at(1),
                            Table.at(2),
                            Table.at(3),
                            static_cast<uint32_t>(Table.at(4)),
                            static_cast<uint32_t>(Table.at(5)),
                            Table.at(6),
                            Table.at(7),
                            Table.at(8),
                            Table.at(9),
                            {},
                            {},
                            static_cast<uint32_t>(Table.at(10))});
    }
    Statement Count(D, "SELECT of,\"row\",lookups,over FROM row_count ORDER BY "
                       "of,\"row\"");
    while (Count.next(4)) {
      if (Count.at(0) >= Out.Tables.size() || Count.at(3) > Count.at(2) ||
          Count.at(2) > Out.Tables[Count.at(0)].Lookups) {
        D.fail();
        break;
      }
      Out.Tables[Count.at(0)].Rows.push_back(
          {Count.at(1), Count.at(2), Count.at(3)});
    }
    Statement Sample(D, "SELECT of,\"row\",lookups FROM row_sample ORDER BY "
                        "of,\"row\"");
    while (Sample.next(3)) {
      if (Sample.at(0) >= Out.Tables.size() ||
          Sample.at(2) > Out.Tables[Sample.at(0)].Lookups) {
        D.fail();
        break;
      }
      Out.Tables[Sample.at(0)].Sample.push_back({Sample.at(1), Sample.at(2)});
    }
    Statement Unkept(D, "SELECT lookups FROM row_unkept");
    while (Unkept.next(1))
      Out.Unkept += Unkept.at(0);
  }
  if (!D.good())
    return Error{
        Path +
        ": damaged profile: no look-ups of rows in tables "
        "'row_table', 'row_count' and 'row_sample'; record it with `evenkeel "
        "record`"};
  return Out;
}
