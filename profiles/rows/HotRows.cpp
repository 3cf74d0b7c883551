//===- HotRows.cpp - what a choice of a table's rows serves ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See HotRows.h.
//===----------------------------------------------------------------------===//
#include "HotRows.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

using namespace evenkeel;

uint64_t RowTableUse::rows() const {
  return Bytes > Counts.First
             ? std::max<uint64_t>(1, (Bytes - Counts.First) / Counts.RowBytes)
             : 0;
}

std::vector<RowTableUse>
evenkeel::tablesInUse(const RowCounts &Counts,
                      const std::vector<ek_raw_inst> &Instances) {
  std::vector<RowCounts> ByRegion;
  for (const RowTableCounts &T : Counts.Tables) {
    ByRegion.emplace_back();
    ByRegion.back().Tables.push_back(T);
    ByRegion.back().Tables[0].Region = 0;
  }
  using Object = std::tuple<uint64_t, uint64_t, uint32_t, uint32_t>;
  std::map<Object, uint64_t> BytesOf;
  for (const ek_raw_inst &I : Instances)
    BytesOf[{I.site, I.context, I.creator, I.ordinal}] = I.bytes;
  std::vector<RowTableUse> Out;
  for (RowTableCounts &T : joinRows(std::move(ByRegion)).Tables)
    if (auto It = BytesOf.find({T.Site, T.Context, T.Creator, T.Ordinal});
        It != BytesOf.end() && T.RowBytes > 0 && T.Lookups > 0)
      Out.push_back({std::move(T), It->second});
  auto Order = [](const RowTableUse &T) {
    const RowTableCounts &C = T.Counts;
    return std::make_tuple(~C.Lookups, C.Site, C.Context, C.Creator, C.Ordinal,
                           C.RowBytes, C.First);
  };
  std::sort(Out.begin(), Out.end(),
            [&](const RowTableUse &A, const RowTableUse &B) {
              return Order(A) < Order(B);
            });
  return Out;
}

namespace {

/// Rows that are looked up equally often.
struct Alike {
  double Lookups; // of each
  double Rows;
};

} // namespace

/// The rows of \p C, the hottest first: those that have certainly more look-ups
/// than any that is not listed, and for the others those of the sample.
static std::vector<Alike> rowsOf(const RowTableCounts &C) {
  std::vector<Alike> Out;
  std::set<uint64_t> Listed;
  double Rest = double(C.Lookups), Sampled = 0;
  for (const ek_raw_row_count &R : C.Rows)
    if (const uint64_t Sure = R.lookups - R.over; Sure > C.Error) {
      Listed.insert(R.row);
      Out.push_back({double(Sure), 1});
      Rest -= double(Sure);
    }
  for (const ek_raw_row_sample &S : C.Sample)
    Sampled += Listed.count(S.row) ? 0 : double(S.lookups);
  const double Each = std::exp2(C.Shift);
  for (const ek_raw_row_sample &S : C.Sample)
    if (!Listed.count(S.row))
      Out.push_back({double(S.lookups) * Rest / (Sampled * Each), Each});
  std::sort(Out.begin(), Out.end(), [](const Alike &A, const Alike &B) {
    return A.Lookups > B.Lookups;
  });
  return Out;
}

/// The look-ups of the \p N hottest rows.
static double hottest(const std::vector<Alike> &Of, double N) {
  double Sum = 0;
  for (const Alike &X : Of) {
    if (N <= 0)
      break;
    Sum += X.Lookups * std::min(N, X.Rows);
    N -= X.Rows;
  }
  return Sum;
}

/// The look-ups of the \p N pages with the most, without those of the \p Cached
/// hottest rows. Requires that all rows were counted.
static double hottestPages(const RowTableCounts &C, uint64_t Cached,
                           uint64_t N) {
  std::vector<ek_raw_row_sample> Rows = C.Sample;
  std::sort(Rows.begin(), Rows.end(),
            [](const ek_raw_row_sample &A, const ek_raw_row_sample &B) {
              return A.lookups > B.lookups ||
                     (A.lookups == B.lookups && A.row < B.row);
            });
  std::map<uint64_t, double> ByPage;
  constexpr uint64_t Page = 4096;
  for (size_t K = Cached; K < Rows.size(); ++K) {
    // Of a row on several pages, each has a part.
    const uint64_t From = C.First + Rows[K].row * C.RowBytes,
                   To = From + C.RowBytes;
    for (uint64_t At = From; At < To; At = (At / Page + 1) * Page)
      ByPage[At / Page] += double(Rows[K].lookups) *
                           double(std::min(To, (At / Page + 1) * Page) - At) /
                           double(C.RowBytes);
  }
  std::vector<double> Pages;
  for (const auto &[P, Lookups] : ByPage)
    Pages.push_back(Lookups);
  std::sort(Pages.begin(), Pages.end(), std::greater<>());
  Pages.resize(std::min<uint64_t>(N, Pages.size()));
  return std::accumulate(Pages.begin(), Pages.end(), 0.0);
}

RowShares evenkeel::sharesOf(const RowTableUse &T, uint64_t FastBytes,
                             uint64_t CacheBytes) {
  const RowTableCounts &C = T.Counts;
  const uint64_t Rows = T.rows();
  RowShares S;
  S.FastRows = std::min(Rows, FastBytes / C.RowBytes);
  S.CachedRows = std::min(Rows, CacheBytes / C.RowBytes);
  const bool AllCached = S.CachedRows == Rows, AllFast = S.FastRows == Rows;
  const std::vector<Alike> Of = rowsOf(C);
  const double All = double(C.Lookups),
               Cached = AllCached ? All : hottest(Of, double(S.CachedRows)),
               Beyond = All - Cached;
  S.Cached = std::min(1.0, Cached / All);
  S.Random = double(S.FastRows) / double(std::max<uint64_t>(1, Rows));
  auto ShareOf = [&](double Lookups) {
    return AllFast || Beyond <= 0 ? 1 : std::min(1.0, Lookups / Beyond);
  };
  S.HotRows = ShareOf(hottest(Of, double(S.CachedRows + S.FastRows)) - Cached);
  if (C.Shift == 0)
    S.HotPages = ShareOf(hottestPages(C, S.CachedRows, FastBytes / 4096));
  return S;
}
