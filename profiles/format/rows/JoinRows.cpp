//===- JoinRows.cpp - summaries of several threads and ranks --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how summaries of most frequent rows are joined (Agarwal et al.,
// Mergeable summaries, 2012). A row that one of them does not list may have had
// as many look-ups there as its error says: both are added to the row's count
// and to what that may be too high. So joined counts are never too low, and
// every bound is the sum of bounds.
//===----------------------------------------------------------------------===//
#include "RowCounts.h"
#include <algorithm>
#include <map>
#include <tuple>

using namespace evenkeel;

static auto keyOf(const RowTableCounts &T) {
  return std::make_tuple(T.Region, T.Site, T.Context, T.Creator, T.Ordinal,
                         T.RowBytes, T.First);
}

/// The samples of \p Parts as one: rows that all of them would have counted.
static void joinSamples(const std::vector<const RowTableCounts *> &Parts,
                        RowTableCounts &To) {
  std::map<uint64_t, uint64_t> Of;
  To.Shift = 0;
  for (const RowTableCounts *P : Parts)
    To.Shift = std::max(To.Shift, P->Shift);
  for (const RowTableCounts *P : Parts)
    for (const ek_raw_row_sample &S : P->Sample)
      if (ek_row_sampled(S.row, To.Shift))
        Of[S.row] += S.lookups;
  To.Sample.clear();
  for (const auto &[Row, Lookups] : Of)
    To.Sample.push_back({Row, Lookups});
  while (To.Sample.size() > EK_ROWS_SAMPLED) {
    ++To.Shift;
    To.Sample.erase(std::remove_if(To.Sample.begin(), To.Sample.end(),
                                   [&](const ek_raw_row_sample &S) {
                                     return !ek_row_sampled(S.row, To.Shift);
                                   }),
                    To.Sample.end());
  }
}

/// Summaries of one table as one.
static RowTableCounts joined(const std::vector<const RowTableCounts *> &Parts) {
  RowTableCounts All = *Parts[0];
  if (Parts.size() == 1)
    return All;
  joinSamples(Parts, All);
  All.Rows.clear();
  All.Lookups = All.Error = 0;
  struct Sum {
    uint64_t Lookups = 0, Over = 0,
             Unlisted = 0; // Unlisted: errors to subtract
  };
  std::map<uint64_t, Sum> Of;
  for (const RowTableCounts *P : Parts) {
    All.Lookups += P->Lookups;
    All.Error += P->Error;
    for (const ek_raw_row_count &R : P->Rows) {
      Sum &S = Of[R.row];
      S.Lookups += R.lookups;
      S.Over += R.over;
      S.Unlisted += P->Error;
    }
  }
  const uint64_t Errors = All.Error;
  for (const auto &[Row, S] : Of)
    All.Rows.push_back({Row, S.Lookups + (Errors - S.Unlisted),
                        S.Over + (Errors - S.Unlisted)});
  if (All.Rows.size() > EK_ROWS_KEPT) {
    std::sort(All.Rows.begin(), All.Rows.end(),
              [](const ek_raw_row_count &A, const ek_raw_row_count &B) {
                return std::make_tuple(~A.lookups, A.row) <
                       std::make_tuple(~B.lookups, B.row);
              });
    All.Error = std::max(All.Error, All.Rows[EK_ROWS_KEPT].lookups);
    All.Rows.resize(EK_ROWS_KEPT);
    std::sort(All.Rows.begin(), All.Rows.end(),
              [](const ek_raw_row_count &A, const ek_raw_row_count &B) {
                return A.row < B.row;
              });
  }
  return All;
}

RowCounts evenkeel::joinRows(std::vector<RowCounts> Parts) {
  using Key = decltype(keyOf(RowTableCounts()));
  std::map<Key, std::vector<const RowTableCounts *>> Of;
  RowCounts Out;
  for (const RowCounts &P : Parts) {
    Out.Unkept += P.Unkept;
    for (const RowTableCounts &T : P.Tables)
      Of[keyOf(T)].push_back(&T);
  }
  for (const auto &[K, Summaries] : Of)
    Out.Tables.push_back(joined(Summaries));
  return Out;
}
