//===- ProfileWriter.cpp - write profile.ekdb -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the tables of ProfileSql.h.
// Makes: equal files for equal profiles.
// Not here: reading (ProfileFile.cpp) and raw streams (Raw.cpp).
//===----------------------------------------------------------------------===//
#include "PackedColumn.h"
#include "Profile.h"
#include "ProfileSql.h"
#include "ProfileTables.h"
#include "format/NewFile.h"
#include <algorithm>
#include <cstring>

using namespace evenkeel;

namespace {

constexpr int ApplicationId = 0x454b4442; // "EKDB", shown by file(1)
constexpr int SchemaMajor = 1;

class Writer {
  Database &D;
  bool Good = true;

public:
  explicit Writer(Database &D) : D(D) {}
  bool good() const { return Good; }

  void run(const std::string &Sql) {
    if (Good)
      Good = sqlite3_exec(D.Handle, Sql.c_str(), nullptr, nullptr, nullptr) ==
             SQLITE_OK;
  }

  void meta(const char *Key, const std::string &Value) {
    Statement Q;
    prepare(Q, "INSERT INTO meta VALUES(?,?)");
    if (!Good)
      return;
    sqlite3_bind_text(Q.S, 1, Key, -1, SQLITE_STATIC);
    sqlite3_bind_text(Q.S, 2, Value.data(), static_cast<int>(Value.size()),
                      SQLITE_STATIC);
    Good = sqlite3_step(Q.S) == SQLITE_DONE;
  }

  /// \p Numbers: row numbers, if not 0, 1, 2, ...
  template <typename T>
  void rows(const std::vector<T> &Rows,
            const std::vector<uint32_t> *Numbers = nullptr) {
    rows(Rows.data(), Rows.size(), Numbers ? Numbers->data() : nullptr);
  }
  template <typename T>
  void rows(const T *Rows, size_t Count, const uint32_t *Numbers = nullptr) {
    const Table &Tab = tableOf<T>();
    std::string Create = std::string("CREATE TABLE ") + Tab.Name +
                         "(\"row\" INTEGER PRIMARY KEY";
    std::string Insert = std::string("INSERT INTO ") + Tab.Name + " VALUES(?";
    for (const Column &C : Tab.Columns) {
      Create += std::string(",\"") + C.Name + "\"" +
                (C.Type == Column::F64 ? " REAL" : " INTEGER") + " NOT NULL";
      Insert += ",?";
    }
    run(Create + ")");
    Statement Q;
    prepare(Q, Insert + ")");
    for (size_t I = 0; I < Count && Good; ++I) {
      const char *Row = reinterpret_cast<const char *>(Rows + I);
      sqlite3_bind_int64(Q.S, 1,
                         Numbers ? Numbers[I] : static_cast<sqlite3_int64>(I));
      int N = 2;
      for (const Column &C : Tab.Columns) {
        if (C.Type == Column::F64) {
          double V;
          std::memcpy(&V, Row + C.Offset, sizeof V);
          sqlite3_bind_double(Q.S, N++, V);
        } else if (C.Type == Column::U32) {
          uint32_t V;
          std::memcpy(&V, Row + C.Offset, sizeof V);
          sqlite3_bind_int64(Q.S, N++, V);
        } else {
          int64_t V;
          std::memcpy(&V, Row + C.Offset, sizeof V);
          sqlite3_bind_int64(Q.S, N++, V);
        }
      }
      Good = sqlite3_step(Q.S) == SQLITE_DONE;
      sqlite3_reset(Q.S);
    }
  }

  template <typename T> void packed(const std::vector<T> &Rows) {
    const Table &Tab = tableOf<T>();
    std::string Create = std::string("CREATE TABLE ") + Tab.Name +
                         "(\"row\" INTEGER PRIMARY KEY, \"rows\" INTEGER NOT "
                         "NULL";
    std::string Insert = std::string("INSERT INTO ") + Tab.Name + " VALUES(?,?";
    for (const Column &C : Tab.Columns) {
      Create += std::string(",\"") + C.Name + "\" BLOB NOT NULL";
      Insert += ",?";
    }
    run(Create + ")");
    Statement Q;
    prepare(Q, Insert + ")");
    for (size_t From = 0; From < Rows.size() && Good; From += MostPackedRows) {
      const size_t Count = std::min(MostPackedRows, Rows.size() - From);
      sqlite3_bind_int64(Q.S, 1, static_cast<sqlite3_int64>(From));
      sqlite3_bind_int64(Q.S, 2, static_cast<sqlite3_int64>(Count));
      int N = 3;
      for (const Column &C : Tab.Columns) {
        const std::string Data =
            packColumn(C, Rows.data() + From, sizeof(T), Count);
        sqlite3_bind_blob64(Q.S, N++, Data.data(), Data.size(),
                            SQLITE_TRANSIENT);
      }
      Good = sqlite3_step(Q.S) == SQLITE_DONE;
      sqlite3_reset(Q.S);
    }
  }

  template <typename T> void bulk(const std::vector<T> &Rows, bool Packed) {
    if (Packed)
      packed(Rows);
    else
      rows(Rows);
  }

  /// \p R: a MissRecord, or HeldRows.
  template <typename Rows> void tablesByTask(const Rows &R, bool Packed) {
    bulk(R.Accesses, Packed);
    bulk(R.Misses, Packed);
    bulk(R.Curves, Packed);
    bulk(R.Far, Packed);
    pages(R.Pages);
  }

private:
  void pages(const std::vector<ek_raw_page> &Pages) {
    run("CREATE TABLE pages(task INTEGER PRIMARY KEY, \"rows\" INTEGER NOT "
        "NULL, data BLOB NOT NULL)");
    Statement Q;
    prepare(Q, "INSERT INTO pages VALUES(?,?,?)");
    for (size_t From = 0; From < Pages.size() && Good;) {
      size_t To = From;
      while (To < Pages.size() && Pages[To].task == Pages[From].task)
        ++To;
      sqlite3_bind_int64(Q.S, 1, Pages[From].task);
      sqlite3_bind_int64(Q.S, 2, static_cast<sqlite3_int64>(To - From));
      sqlite3_bind_blob64(Q.S, 3, &Pages[From],
                          (To - From) * sizeof(ek_raw_page), SQLITE_STATIC);
      Good = sqlite3_step(Q.S) == SQLITE_DONE;
      sqlite3_reset(Q.S);
      From = To;
    }
  }

  void prepare(Statement &Q, const std::string &Sql) {
    if (Good)
      Good = sqlite3_prepare_v2(D.Handle, Sql.c_str(), -1, &Q.S, nullptr) ==
             SQLITE_OK;
  }
};

size_t numberOfRows(const MissRecord &R) {
  return R.Instances.size() + R.Tasks.size() + R.Accesses.size() +
         R.Misses.size() + R.Curves.size() + R.Far.size() + R.Symbols.size() +
         R.Pages.size();
}

MaybeError writeTo(const std::string &Temporary, const std::string &Path,
                   const MissRecord &R) {
  Database D;
  if (sqlite3_open_v2(Temporary.c_str(), &D.Handle, SQLITE_OPEN_READWRITE,
                      nullptr) != SQLITE_OK)
    return Error{"cannot write " + Path + ": " + D.why()};
  Writer W(D);
  // No journal: the file is new, and is deleted on any error.
  W.run("PRAGMA journal_mode=OFF; PRAGMA page_size=4096; PRAGMA "
        "synchronous=OFF");
  W.run("PRAGMA application_id=" + std::to_string(ApplicationId) +
        "; PRAGMA user_version=" + std::to_string(SchemaMajor));
  W.run("BEGIN; CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) "
        "WITHOUT ROWID");
  std::optional<HeldRows> Held;
  const bool Large = numberOfRows(R) > MostPlainRows;
  if (Large)
    Held = shareRows(R);
  W.meta("schema", Large ? PackedSchema : ProfileSchema);
  W.meta("role", R.Role);
  W.meta("mode", R.Mode);
  if (!R.Ended.empty())
    W.meta("ended", R.Ended);
  if (R.OneIn != 1)
    W.meta("sampled_one_in", std::to_string(R.OneIn));
  if (R.Races)
    W.meta("races", std::to_string(R.Races));
  if (!R.Ranks.empty()) {
    std::string List;
    for (uint32_t First : R.Ranks)
      List += (List.empty() ? "" : ",") + std::to_string(First);
    W.meta("ranks", List);
  }
  W.meta("input", R.Input);
  W.meta("command", R.Command);
  if (R.Ran.known())
    W.meta("command_line", commandLineToJson(R.Ran));
  W.rows(&R.Config, 1);
  W.bulk(R.Instances, Large);
  W.rows(R.Phases);
  W.rows(R.Deps);
  W.rows(R.Parts);
  if (Held) {
    W.rows(Held->Shared);
    W.rows(Held->Tasks, &Held->TaskRows);
    W.rows(Held->Symbols, &Held->SymbolRows);
    W.tablesByTask(*Held, Large);
  } else {
    W.rows(R.Tasks);
    W.rows(R.Symbols);
    W.tablesByTask(R, Large);
  }
  W.run("COMMIT");
  if (!W.good())
    return Error{"cannot write " + Path + ": " + D.why()};
  return std::nullopt;
}

} // namespace

MaybeError evenkeel::writeProfile(const std::string &Path,
                                  const MissRecord &R) {
  Expected<NewFile> New = NewFile::beside(Path);
  if (!New)
    return New.takeError();
  if (MaybeError E = writeTo(New->path(), Path, R))
    return E;
  return New->publish();
}
