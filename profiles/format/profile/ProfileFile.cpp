//===- ProfileFile.cpp - profile.ekdb, an SQLite file ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the schemas "evenkeel.profile/1", and /2 for large profiles, whose
// phases share rows (SharedRows.h); in small ones, all rows are in the tables:
//   meta(key, value)      schema, role, mode, input, command, command_line
//                         (JSON); of sampled ones sampled_one_in; of racy
//                         programs races
//   conf inst phase task dep access miss curve symbol
//                         one table per row type of ek_raw.h, columns named
//                         like the members, `row` is the row's index
//   shared(phase, as)     only in /2
//   pages(task, rows, data)  all ek_raw_page rows of a task as one blob in the
//                         byte layout of ek_raw.h (little endian)
// Unsigned 64-bit values are stored bit by bit as SQLite's signed ones.
// Makes: equal files for equal profiles.
// Not here: raw streams (Raw.cpp) and interpretation. readProfile() never
// accesses the table `pages`.
//===----------------------------------------------------------------------===//
#include "PageSpan.h"
#include "Profile.h"
#include "ProfileTables.h"
#include "format/File.h"
#include "format/Identity.h"
#include "format/NewFile.h"
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sqlite3.h>
#include <sys/stat.h>

using namespace evenkeel;

namespace {

const char *const Schema = "evenkeel.profile/1";
const char *const SharedSchema = "evenkeel.profile/2";
/// Profiles with more rows are written as SharedSchema.
constexpr size_t MostPlainRows = 100000;
const char *const Remedy = "record it with `evenkeel record`";
constexpr int ApplicationId = 0x454b4442; // "EKDB", shown by file(1)
constexpr int SchemaMajor = 1;

/// Owns a connection.
struct Database {
  sqlite3 *Handle = nullptr;
  ~Database() { sqlite3_close(Handle); }
  std::string why() const { return sqlite3_errmsg(Handle); }
};

/// Owns a prepared statement.
struct Statement {
  sqlite3_stmt *S = nullptr;
  ~Statement() { sqlite3_finalize(S); }
};

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

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

  /// \p R: a MissRecord, or HeldRows.
  template <typename Rows> void tablesByTask(const Rows &R) {
    rows(R.Accesses);
    rows(R.Misses);
    rows(R.Curves);
    rows(R.Far);
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
  return R.Tasks.size() + R.Accesses.size() + R.Misses.size() +
         R.Curves.size() + R.Far.size() + R.Symbols.size() + R.Pages.size();
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
  if (numberOfRows(R) > MostPlainRows)
    Held = shareRows(R);
  W.meta("schema", Held ? SharedSchema : Schema);
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
  W.rows(R.Instances);
  W.rows(R.Phases);
  W.rows(R.Deps);
  W.rows(R.Parts);
  if (Held) {
    W.rows(Held->Shared);
    W.rows(Held->Tasks, &Held->TaskRows);
    W.rows(Held->Symbols, &Held->SymbolRows);
    W.tablesByTask(*Held);
  } else {
    W.rows(R.Tasks);
    W.rows(R.Symbols);
    W.tablesByTask(R);
  }
  W.run("COMMIT");
  if (!W.good())
    return Error{"cannot write " + Path + ": " + D.why()};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// SQLite's messages for a bad file are vague; check the header first.
MaybeError checkHeader(const std::string &Path) {
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
  return std::nullopt;
}

class Reader {
  Database &D;
  const std::string &Path;
  std::string Problem;

public:
  Reader(Database &D, const std::string &Path) : D(D), Path(Path) {}
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

  /// \p Numbers: receives the row numbers.
  template <typename T>
  std::vector<T> rows(std::vector<uint32_t> *Numbers = nullptr) {
    const Table &Tab = tableOf<T>();
    std::string Select = "SELECT \"row\"";
    for (const Column &C : Tab.Columns)
      Select +=
          std::string(",") +
          (C.Later && !has(Tab, C) ? "0" : "\"" + std::string(C.Name) + "\"");
    Statement Q;
    std::vector<T> Rows;
    if (!prepare(Q, Select + " FROM " + Tab.Name + " ORDER BY \"row\"",
                 Tab.Name))
      return Rows;
    int Code;
    while ((Code = sqlite3_step(Q.S)) == SQLITE_ROW) {
      Rows.emplace_back();
      if (Numbers)
        Numbers->push_back(static_cast<uint32_t>(sqlite3_column_int64(Q.S, 0)));
      char *Row = reinterpret_cast<char *>(&Rows.back());
      int N = 1;
      for (const Column &C : Tab.Columns) {
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
      if (Bytes % sizeof(ek_raw_page) || Bytes / sizeof(ek_raw_page) != Count) {
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
void readTablesByTask(Reader &R, bool Shares, bool WithPages, MissRecord &M) {
  HeldRows Held;
  Held.Tasks = R.rows<ek_raw_task>(&Held.TaskRows);
  Held.Accesses = R.rows<ek_raw_access>();
  Held.Misses = R.rows<ek_raw_miss>();
  Held.Curves = R.rows<ek_raw_mrc>();
  if (R.has(tableOf<ek_raw_far>())) // missing in older profiles
    Held.Far = R.rows<ek_raw_far>();
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
  if (MaybeError E = checkHeader(Path))
    return *E;
  Database D;
  if (sqlite3_open_v2(Path.c_str(), &D.Handle,
                      SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX,
                      nullptr) != SQLITE_OK)
    return Error{"cannot read " + Path + ": " + D.why()};
  restrictSchema(D);
  Reader R(D, Path);
  bool Shares = false;
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
    Shares = Have == SharedSchema;
    if (Have != Schema && !Shares)
      return Error{Path + ": schema \"" + Have +
                   "\" is unknown, this evenkeel reads \"" + Schema +
                   "\" and \"" + SharedSchema +
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
  M.Instances = R.rows<ek_raw_inst>();
  M.Phases = R.rows<ek_raw_phase>();
  readTablesByTask(R, Shares, WithPages, M);
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

MaybeError evenkeel::writeProfile(const std::string &Path,
                                  const MissRecord &R) {
  Expected<NewFile> New = NewFile::beside(Path);
  if (!New)
    return New.takeError();
  if (MaybeError E = writeTo(New->path(), Path, R))
    return E;
  return New->publish();
}

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
