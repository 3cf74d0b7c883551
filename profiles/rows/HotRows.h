//===- HotRows.h - what a choice of a table's rows serves -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: of the look-ups of a table's rows, which share would find its row in
// an amount of fast memory that is filled with the hottest rows, with the pages
// that have most look-ups, or with rows drawn at random. Caches hold the
// hottest rows anyway (the rows that are used least often are replaced first,
// as an LFU cache does), so only look-ups of other rows count.
// Makes: estimates: the hottest rows as they were counted (RowCounts.h), all
// others from the sample of rows.
// Not here: moving rows, and what a look-up costs.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_ROWS_HOTROWS_H
#define EVENKEEL_PROFILES_ROWS_HOTROWS_H

#include "format/rows/RowCounts.h"
#include <optional>
#include <vector>

namespace evenkeel {

/// A table of one object, with the look-ups of all regions.
struct RowTableUse {
  RowTableCounts Counts; ///< Region is 0
  uint64_t Bytes = 0;    ///< of the object
  uint64_t rows() const;
};

/// The tables in \p Counts with their objects' bytes, those with most look-ups
/// first. \p Instances are those of the profile that has the counts; tables of
/// objects that are not among them are left out.
std::vector<RowTableUse> tablesInUse(const RowCounts &Counts,
                                     const std::vector<ek_raw_inst> &Instances);

/// Shares (0 to 1).
struct RowShares {
  uint64_t FastRows = 0;   ///< of the table fit into the fast memory
  uint64_t CachedRows = 0; ///< are in caches
  double Cached = 0;       ///< of all look-ups
  /// Of the look-ups of rows that are not in caches; 1 if there are none.
  double HotRows = 1, Random = 1;
  std::optional<double> HotPages; ///< if every row was counted
};

/// What \p FastBytes of fast memory serve where caches have room for
/// \p CacheBytes of the table.
RowShares sharesOf(const RowTableUse &T, uint64_t FastBytes,
                   uint64_t CacheBytes);

} // namespace evenkeel

#endif
