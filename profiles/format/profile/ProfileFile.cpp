//===- ProfileFile.cpp - read profile.ekdb, an SQLite file ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the tables of ProfileSql.h.
// Not here: writing (ProfileWriter.cpp), raw streams (Raw.cpp) and
// interpretation. readProfile() never accesses the table `pages`.
//===----------------------------------------------------------------------===//
#include "PackedColumn.h"
#include "PageSpan.h"
#include "Profile.h"
#include "ProfileSql.h"
#include "ProfileTables.h"
#include "format/File.h"
#include "format/Identity.h"
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sys/stat.h>

using namespace evenkeel;

namespace {

const char *const Remedy = "record it with `evenkeel record`";

/// SQLite's messages for a bad file are vague; check the header first.
/// Sets \p Bytes to the size of the file.
MaybeError checkHeader(const std::string &Path, uint64_t &Bytes) {
  struct stat S;
  if (::stat(Path.c_str(), &S))
    return Error{"cannot read " + Path + ": " + std::strerror(errno)};
  if (!S_ISREG(S.st_mode))
    return Error{"cannot read " + Path + ": it is " +
                 (S_ISDIR(S.st_mode) ? "a directory" : "not a regular file")};
  std::ifstream In(Path, std::ios::binary);
  if (!In)
    return Error{"cannot read " + Path + ": " + std::strerror(errno)};
  unsigned char H[100] = {};
  In.read(reinterpret_cast<char *>(H), sizeof H);
  if (std::memcmp(H, "SQLite format 3", 16) != 0)
    return Error{Path + ": not a profile (not an SQLite file); " + Remedy};
  // Offsets 16 (page size, 1 = 65536) and 28 (pages), SQLite file format 1.3.
  uint64_t PageSize = H[16] << 8 | H[17];
  if (PageSize == 1)
    PageSize = 65536;
  uint64_t Pages =
      static_cast<uint64_t>(H[28]) << 24 | H[29] << 16 | H[30] << 8 | H[31];
  if (In.gcount() < 100 || static_cast<uint64_t>(S.st_size) < PageSize * Pages)
    return Error{Path + ": truncated profile; " + Remedy};
  Bytes = static_cast<uint64_t>(S.st_size);
  return std::nullopt;
}

class Reader {
  Database &D;
  const std::string &Path;
  /// In a damaged file, many rows may name the same bytes. In a good one, each
  /// number has at least one byte of its own.
  const uint64_t FileBytes;
  std::string Problem;

public:
  Reader(Database &D, const std::string &Path, uint64_t FileBytes)
      : D(D), Path(Path), FileBytes(FileBytes) {}
  bool failed() const { return !Problem.empty(); }
  Error error() const { return Error{Path + ": " + Problem + "; " + Remedy}; }
  void fail(const std::string &What) {
    if (Problem.empty())
      Problem = oneLine(What);
  }

  /// \p Optional: returns "" if it is missing.
  std::string meta(const char *Key, bool Optional = false) {
    Statement Q;
    if (!prepare(Q, "SELECT value FROM meta WHERE key=?", "meta"))
      return {};
    sqlite3_bind_text(Q.S, 1, Key, -1, SQLITE_STATIC);
    int Step = sqlite3_step(Q.S);
    if (Optional && Step == SQLITE_DONE)
      return {};
    if (Step != SQLITE_ROW || sqlite3_column_type(Q.S, 0) != SQLITE_TEXT) {
      fail(std::string("damaged profile: no '") + Key + "' in table 'meta'");
      return {};
    }
    const unsigned char *Text = sqlite3_column_text(Q.S, 0);
    return Text ? std::string(reinterpret_cast<const char *>(Text),
                              static_cast<size_t>(sqlite3_column_bytes(Q.S, 0)))
                : std::string();
  }

  bool has(const Table &Tab) {
    Statement Q;
    if (!prepare(Q, "SELECT 1 FROM sqlite_master WHERE name=?", "meta"))
      return false;
    sqlite3_bind_text(Q.S, 1, Tab.Name, -1, SQLITE_STATIC);
    return sqlite3_step(Q.S) == SQLITE_ROW;
  }

  bool has(const Table &Tab, const Column &C) {
    Statement Q;
    if (!prepare(Q, "SELECT 1 FROM pragma_table_info(?) WHERE name=?",
                 Tab.Name))
      return false;
    sqlite3_bind_text(Q.S, 1, Tab.Name, -1, SQLITE_STATIC);
    sqlite3_bind_text(Q.S, 2, C.Name, -1, SQLITE_STATIC);
    return sqlite3_step(Q.S) == SQLITE_ROW;
  }

  /// Selects \p Keys and then the columns of \p Tab that the file has, which
  /// are returned: older files lack later ones, which read as 0. If it fails,
  /// \p Q has no statement.
  std::vector<Column> select(Statement &Q, const char *Keys, const Table &Tab) {
    std::string Select = std::string("SELECT ") + Keys;
    std::vector<Column> Columns;
    for (const Column &C : Tab.Columns)
      if (!C.Later || has(Tab, C)) {
        Select += ",\"" + std::string(C.Name) + "\"";
        Columns.push_back(C);
      }
    prepare(Q, Select + " FROM " + Tab.Name + " ORDER BY \"row\"", Tab.Name);
    return Columns;
  }

  /// \p Numbers: receives the row numbers.
  template <typename T>
  std::vector<T> rows(std::vector<uint32_t> *Numbers = nullptr) {
    const Table &Tab = tableOf<T>();
    Statement Q;
    std::vector<T> Rows;
    const std::vector<Column> Columns = select(Q, "\"row\"", Tab);
    if (failed())
      return Rows;
    int Code;
    int64_t Last = -1;
    while ((Code = sqlite3_step(Q.S)) == SQLITE_ROW) {
      const int64_t Now = sqlite3_column_int64(Q.S, 0);
      if (Now <= Last) { // the key of the table: a page is there twice
        fail(std::string("damaged profile: rows of table '") + Tab.Name +
             "' are repeated");
        return Rows;
      }
      Last = Now;
      Rows.emplace_back();
      if (Numbers)
        Numbers->push_back(static_cast<uint32_t>(Now));
      char *Row = reinterpret_cast<char *>(&Rows.back());
      int N = 1;
      for (const Column &C : Columns) {
        // SQLite would convert any type into any other.
        bool Good = sqlite3_column_type(Q.S, N) ==
                    (C.Type == Column::F64 ? SQLITE_FLOAT : SQLITE_INTEGER);
        if (C.Type == Column::F64) {
          double V = sqlite3_column_double(Q.S, N++);
          Good &= std::isfinite(V);
          std::memcpy(Row + C.Offset, &V, sizeof V);
        } else if (C.Type == Column::U32) {
          int64_t Wide = sqlite3_column_int64(Q.S, N++);
          auto V = static_cast<uint32_t>(Wide);
          Good &= V == Wide;
          std::memcpy(Row + C.Offset, &V, sizeof V);
        } else {
          int64_t V = sqlite3_column_int64(Q.S, N++);
          std::memcpy(Row + C.Offset, &V, sizeof V);
        }
        if (!Good) {
          fail(std::string("damaged profile: table '") + Tab.Name +
               "' has no such number in column '" + C.Name + "'");
          return Rows;
        }
      }
    }
    done(Code, Tab.Name);
    return Rows;
  }

  template <typename T> std::vector<T> packedRows() {
    const Table &Tab = tableOf<T>();
    Statement Q;
    std::vector<T> Rows;
    const std::vector<Column> Columns = select(Q, "\"row\",\"rows\"", Tab);
    if (failed())
      return Rows;
    int Code;
    while ((Code = sqlite3_step(Q.S)) == SQLITE_ROW) {
      const size_t Old = Rows.size();
      const auto Count = static_cast<uint64_t>(sqlite3_column_int64(Q.S, 1));
      if (sqlite3_column_int64(Q.S, 0) != static_cast<sqlite3_int64>(Old) ||
          !Count || Count > MostPackedRows ||
          (Old + Count) * Columns.size() > FileBytes) {
        fail(std::string("damaged profile: rows of table '") + Tab.Name +
             "' are missing");
        return Rows;
      }
      Rows.resize(Old + Count);
      int N = 2;
      for (const Column &C : Columns) {
        if (!unpacked(Q, N++, C, Rows.data() + Old, sizeof(T), Count)) {
          fail(std::string("damaged profile: table '") + Tab.Name +
               "' has no such numbers in column '" + C.Name + "'");
          return Rows;
        }
      }
    }
    done(Code, Tab.Name);
    return Rows;
  }
  template <typename T> std::vector<T> bulk(bool Packed) {
    return Packed ? packedRows<T>() : rows<T>();
  }

  std::vector<ek_raw_page> pages() {
    std::vector<ek_raw_page> All;
    Statement Q;
    if (!prepare(Q, "SELECT task,\"rows\",data FROM pages ORDER BY task",
                 "pages"))
      return All;
    int Code;
    while ((Code = sqlite3_step(Q.S)) == SQLITE_ROW) {
      int64_t Wide = sqlite3_column_int64(Q.S, 0);
      auto Task = static_cast<uint32_t>(Wide);
      if (Task != Wide || sqlite3_column_type(Q.S, 2) != SQLITE_BLOB) {
        fail("damaged profile: page rows of no task");
        return All;
      }
      auto Count = static_cast<uint64_t>(sqlite3_column_int64(Q.S, 1));
      const void *Data = sqlite3_column_blob(Q.S, 2);
      auto Bytes = static_cast<uint64_t>(sqlite3_column_bytes(Q.S, 2));
      if (Bytes % sizeof(ek_raw_page) || Bytes / sizeof(ek_raw_page) != Count ||
          (All.size() + Count) * sizeof(ek_raw_page) > FileBytes) {
        fail("damaged profile: page rows of task " + std::to_string(Task) +
             " have the wrong size");
        return All;
      }
      if (!Count)
        continue;
      size_t Old = All.size();
      All.resize(Old + Count);
      std::memcpy(&All[Old], Data, Bytes);
      for (size_t I = Old; I < All.size(); ++I)
        if (All[I].task != Task)
          fail("damaged profile: page rows of task " + std::to_string(Task) +
               " name another task");
    }
    done(Code, "pages");
    return All;
  }

private:
  /// Unpacks the blob in column \p N of \p Q's row.
  static bool unpacked(Statement &Q, int N, const Column &C, void *Rows,
                       size_t Stride, size_t Count) {
    if (sqlite3_column_type(Q.S, N) != SQLITE_BLOB)
      return false;
    const auto *Data = static_cast<const char *>(sqlite3_column_blob(Q.S, N));
    const auto Bytes = static_cast<size_t>(sqlite3_column_bytes(Q.S, N));
    return unpackColumn(C, {Data, Bytes}, Rows, Stride, Count);
  }
  bool prepare(Statement &Q, const std::string &Sql, const char *TableName) {
    if (failed())
      return false;
    if (sqlite3_prepare_v2(D.Handle, Sql.c_str(), -1, &Q.S, nullptr) ==
        SQLITE_OK)
      return true;
    fail(std::string("damaged profile: table '") + TableName + "': " + D.why());
    return false;
  }
  void done(int Code, const char *TableName) {
    if (Code != SQLITE_DONE)
      fail(std::string("damaged profile: table '") + TableName +
           "': " + D.why());
  }
};

/// A profile has only tables. Views and generated columns of a foreign file,
/// which could be expensive to compute, are disabled.
void restrictSchema(Database &D) {
  sqlite3_db_config(D.Handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_db_config(D.Handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(D.Handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_exec(D.Handle, "PRAGMA cell_size_check=ON", nullptr, nullptr,
               nullptr);
}

void checkRows(const Profile &P, Reader &R) {
  if (const char *Table = tableWithBadIndex(P))
    R.fail(std::string("damaged profile: table '") + Table +
           "' refers to a row that does not exist");
  if (const char *Table = tableWithBadFigure(P))
    R.fail(std::string("damaged profile: table '") + Table +
           "' has a number out of range");
}

/// \p Shares: rows that phases share are omitted.
void readTablesByTask(Reader &R, bool Shares, bool Packed, bool WithPages,
                      MissRecord &M) {
  HeldRows Held;
  Held.Tasks = R.rows<ek_raw_task>(&Held.TaskRows);
  Held.Accesses = R.bulk<ek_raw_access>(Packed);
  Held.Misses = R.bulk<ek_raw_miss>(Packed);
  Held.Curves = R.bulk<ek_raw_mrc>(Packed);
  if (R.has(tableOf<ek_raw_far>())) // missing in older profiles
    Held.Far = R.bulk<ek_raw_far>(Packed);
  Held.Symbols = R.rows<ek_raw_symbol>(&Held.SymbolRows);
  if (WithPages)
    Held.Pages = R.pages();
  if (Shares) {
    Held.Shared = R.rows<SharedPhase>();
    if (!R.failed() && !giveAllRows(std::move(Held), M))
      R.fail("damaged profile: shared rows do not match the table of phases");
    return;
  }
  M.Tasks = std::move(Held.Tasks);
  M.Accesses = std::move(Held.Accesses);
  M.Misses = std::move(Held.Misses);
  M.Curves = std::move(Held.Curves);
  M.Far = std::move(Held.Far);
  M.Symbols = std::move(Held.Symbols);
  M.Pages = std::move(Held.Pages);
}

void finishPages(MissRecord &M, Reader &R) {
  for (const ek_raw_page &P : M.Pages) {
    if (P.task >= M.Tasks.size() || P.inst >= M.Instances.size())
      R.fail("damaged profile: page rows refer to a row that does not exist");
    if (!(P.weight >= 0))
      R.fail("damaged profile: page rows have a weight out of range");
  }
  if (!R.failed())
    M.Pages = singlePages(std::move(M.Pages), M.Instances, M.OneIn);
  if (!R.failed() && M.Pages.empty() && M.Mode == "misses" && !M.Misses.empty())
    R.fail("contains no miss record");
}

Expected<MissRecord> readFile(const std::string &Path, bool WithPages) {
  uint64_t FileBytes = 0;
  if (MaybeError E = checkHeader(Path, FileBytes))
    return *E;
  Database D;
  if (sqlite3_open_v2(Path.c_str(), &D.Handle,
                      SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX,
                      nullptr) != SQLITE_OK)
    return Error{"cannot read " + Path + ": " + D.why()};
  restrictSchema(D);
  Reader R(D, Path, FileBytes);
  bool Shares = false, Packed = false;
  // Look at nothing else in a foreign SQLite file.
  {
    Statement Q;
    if (sqlite3_prepare_v2(D.Handle,
                           "SELECT value FROM meta WHERE key='schema'", -1,
                           &Q.S, nullptr) != SQLITE_OK ||
        sqlite3_step(Q.S) != SQLITE_ROW)
      return Error{Path + ": an SQLite file, but not a profile; " + Remedy};
    const unsigned char *Text = sqlite3_column_text(Q.S, 0);
    std::string Have =
        oneLine(Text ? reinterpret_cast<const char *>(Text) : "");
    Packed = Have == PackedSchema;
    Shares = Have == SharedSchema || (Packed && R.has(tableOf<SharedPhase>()));
    if (Have != ProfileSchema && !Shares && !Packed)
      return Error{Path + ": schema \"" + Have +
                   "\" is unknown, this evenkeel reads \"" + ProfileSchema +
                   "\", \"" + SharedSchema + "\" and \"" + PackedSchema +
                   "\"; use the evenkeel that wrote the file, or " + Remedy};
  }
  MissRecord M;
  M.Role = R.meta("role");
  M.Mode = R.meta("mode");
  M.Ended = R.meta("ended", /*Optional=*/true);
  if (!R.failed() && !isRole(M.Role))
    R.fail("damaged profile: 'role' is neither base nor prefix nor target");
  if (!R.failed() && !isEndName(M.Ended))
    R.fail("damaged profile: 'ended' is not a known reason");
  if (M.Mode == "sampled") {
    const std::string Text = R.meta("sampled_one_in");
    auto [End, Wrong] =
        std::from_chars(Text.data(), Text.data() + Text.size(), M.OneIn);
    if (!R.failed() && (Wrong != std::errc() || M.OneIn < 2))
      R.fail("damaged profile: 'sampled_one_in' is not a sampling rate");
  }
  if (std::string Text = R.meta("races", /*Optional=*/true); !Text.empty()) {
    auto [End, Wrong] =
        std::from_chars(Text.data(), Text.data() + Text.size(), M.Races);
    if (Wrong != std::errc())
      R.fail("damaged profile: 'races' is not a number");
  }
  if (std::string Text = R.meta("ranks", /*Optional=*/true); !Text.empty())
    for (const char *At = Text.data(), *End = At + Text.size();;) {
      uint32_t First = 0;
      auto [Next, Wrong] = std::from_chars(At, End, First);
      bool Rises = M.Ranks.empty() ? First == 0 : First > M.Ranks.back();
      if (Wrong != std::errc() || !Rises || (Next != End && *Next != ',')) {
        R.fail("damaged profile: 'ranks' is not a list of rising numbers");
        break;
      }
      M.Ranks.push_back(First);
      if (Next == End)
        break;
      At = Next + 1;
    }
  M.Input = R.meta("input");
  M.Command = R.meta("command");
  if (std::string Text = R.meta("command_line", /*Optional=*/true);
      !Text.empty() && !commandLineFromJson(Text, M.Ran))
    R.fail("damaged profile: 'command_line' is not a command line");
  std::vector<ek_raw_conf> Conf = R.rows<ek_raw_conf>();
  if (!R.failed() && Conf.size() != 1)
    R.fail("damaged profile: table 'conf' must have one row");
  if (!Conf.empty())
    M.Config = Conf[0];
  M.Instances = R.bulk<ek_raw_inst>(Packed);
  M.Phases = R.rows<ek_raw_phase>();
  readTablesByTask(R, Shares, Packed, WithPages, M);
  if (!R.failed() && M.Tasks.empty())
    R.fail("empty profile: no task was recorded");
  M.Deps = R.rows<ek_raw_dep>();
  if (R.has(tableOf<ek_raw_part>())) // missing in older profiles
    M.Parts = R.rows<ek_raw_part>();
  checkRows(M, R);
  if (WithPages)
    finishPages(M, R);
  if (R.failed())
    return R.error();
  return M;
}

} // namespace

Expected<Profile> evenkeel::readProfile(const std::string &Path) {
  Expected<MissRecord> M = readFile(Path, /*WithPages=*/false);
  if (!M)
    return M.takeError();
  return static_cast<Profile &&>(std::move(*M));
}

Expected<MissRecord> evenkeel::readMissRecord(const std::string &Path) {
  Expected<MissRecord> M = readFile(Path, /*WithPages=*/true);
  if (M && M->Mode == "counts")
    return Error{Path + ": contains access counts, but no misses to replay; "
                        "record the run with evenkeel record --misses"};
  return M;
}
