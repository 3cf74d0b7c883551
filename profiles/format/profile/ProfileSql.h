//===- ProfileSql.h - the SQLite file of a profile --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the schemas "evenkeel.profile/1" for small profiles, and /3 for large
// ones, whose phases may share rows (SharedRows.h) and whose largest tables are
// packed (PackedColumn.h); /2 of older files shares rows, but packs none.
//   meta(key, value)      schema, role, mode, input, command, command_line
//                         (JSON); of sampled ones sampled_one_in; of racy
//                         programs races
//   conf inst phase task dep part access miss curve far symbol
//                         one table per row type of ek_raw.h, columns named
//                         like the members, `row` is the row's index
//   shared(phase, as)     only if phases share rows
//   pages(task, rows, data)  all ek_raw_page rows of a task as one blob in the
//                         byte layout of ek_raw.h (little endian)
// In /3, a row of inst, access, miss, curve and far stands for `rows` rows from
// the index `row` on, each column as one blob. Unsigned 64-bit values outside
// of blobs are stored bit by bit as SQLite's signed ones.
// Not here: writing (ProfileWriter.cpp) and reading (ProfileFile.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_PROFILE_PROFILESQL_H
#define EVENKEEL_PROFILES_FORMAT_PROFILE_PROFILESQL_H

#include <cstddef>
#include <sqlite3.h>
#include <string>

namespace evenkeel {

inline constexpr char ProfileSchema[] = "evenkeel.profile/1";
inline constexpr char SharedSchema[] = "evenkeel.profile/2";
inline constexpr char PackedSchema[] = "evenkeel.profile/3";
/// Profiles with more rows are written as PackedSchema.
inline constexpr size_t MostPlainRows = 100000;
/// No row of a packed table stands for more.
inline constexpr size_t MostPackedRows = 65536;

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

} // namespace evenkeel

#endif
