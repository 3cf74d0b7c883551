//===- RowCounts.h - how often tasks look rows up ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: for each region and table of a full record, its most used rows with
// their look-ups, as far as bounded memory tells (ek_rows.h).
// Makes: these counts from streams, joined over threads and ranks; and tables
// of a profile, row_table, row_count and row_sample, with the columns of the
// structures below. Other readers of profiles ignore them.
// Not here: which objects are tables (Facts.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_ROWS_ROWCOUNTS_H
#define EVENKEEL_PROFILES_FORMAT_ROWS_ROWCOUNTS_H

#include "ek_rows.h"
#include "format/Error.h"
#include <string>
#include <vector>

namespace evenkeel {

struct MissRecord;

struct RowTableCounts {
  uint64_t Region = 0;
  uint64_t Site = 0, Context = 0;
  uint32_t Ordinal = 0, Creator = 0; // of the instance, as in ek_raw_inst
  uint64_t RowBytes = 0;
  uint64_t First = 0; // byte of the object at which row 0 begins
  uint64_t Lookups = 0;
  /// A row that is not listed was looked up at most this many times; 0: all
  /// rows are listed.
  uint64_t Error = 0;
  /// By row. `over` is the most by which `lookups` is too high.
  std::vector<ek_raw_row_count> Rows;
  /// By row: exact look-ups of one row in 2^Shift, whatever its use.
  std::vector<ek_raw_row_sample> Sample;
  uint32_t Shift = 0;
};

struct RowCounts {
  std::vector<RowTableCounts> Tables; // in order of region and instance
  uint64_t Unkept = 0; // look-ups in tables beyond EK_ROW_TABLES per thread
};

/// The counts in a process's stream at \p Path, of which \p R are the other
/// rows. None: a stream without them.
Expected<RowCounts> readRawRows(const std::string &Path, const MissRecord &R);

/// Joins what threads and ranks counted, \p Parts; each table keeps at most
/// EK_ROWS_KEPT rows, those with the most look-ups.
RowCounts joinRows(std::vector<RowCounts> Parts);

/// Like writeProfile(Path, R), with the counts.
MaybeError writeProfile(const std::string &Path, const MissRecord &R,
                        const RowCounts &Rows);
/// Reads them; none: a profile without them.
Expected<RowCounts> readRowCounts(const std::string &Path);

} // namespace evenkeel

#endif
