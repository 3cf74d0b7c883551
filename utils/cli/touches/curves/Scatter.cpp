//===- Scatter.cpp - touched chunks as points -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Scatter.h.
//===----------------------------------------------------------------------===//
#include "Scatter.h"
#include <algorithm>
#include <map>
#include <tuple>

namespace evenkeel::cli {
namespace {

/// Passes that share a column, and rows that share a point in it.
struct Sum {
  double Seconds = 0, Byte = 0, Resident = 0, Touched = 0, Count = 0;
};

} // namespace

/// The touched objects in the order of addresses, as bands without points.
static std::map<uint32_t, size_t> layOut(const TouchRecord &R, uint32_t Process,
                                         const TouchGroups &G, Scatter &S) {
  std::map<uint32_t, uint64_t> Pages;
  for (const TouchRow &X : R.Rows)
    if (R.Passes[X.Pass].Process == Process && usedPages(X) > 0)
      Pages[X.Object] = std::max(Pages[X.Object], uint64_t(X.First) + X.Pages);
  std::vector<uint32_t> Order;
  for (const auto &[Object, N] : Pages)
    Order.push_back(Object);
  std::sort(Order.begin(), Order.end(), [&](uint32_t A, uint32_t B) {
    return std::pair(R.Objects[A].Address, A) <
           std::pair(R.Objects[B].Address, B);
  });
  std::map<uint32_t, size_t> BandOf;
  for (const uint32_t Object : Order) {
    ScatterBand B;
    B.Name = R.Objects[Object].Name;
    if (R.Objects[Object].Ordinal)
      B.Name += " #" + std::to_string(R.Objects[Object].Ordinal);
    B.Rank = G.List[G.Of[Object]].Rank;
    B.From = S.Bytes;
    S.Bytes += double(Pages[Object]) * R.PageBytes;
    B.To = S.Bytes;
    BandOf[Object] = S.Bands.size();
    S.Bands.push_back(std::move(B));
  }
  return BandOf;
}

Scatter scatterOf(const TouchRecord &R, uint32_t Process, size_t MostColumns,
                  size_t MostRows) {
  Scatter S;
  const TouchGroups G = groupsOf(R, false, Process);
  const std::map<uint32_t, size_t> BandOf = layOut(R, Process, G, S);
  std::vector<size_t> Place(R.Passes.size());
  size_t Passes = 0;
  for (size_t I = 0; I < R.Passes.size(); ++I)
    if (const TouchPass &P = R.Passes[I]; P.Process == Process) {
      S.From = Passes ? S.From : double(P.TimeNs) / 1e9;
      S.To = double(P.TimeNs + P.WindowNs) / 1e9;
      Place[I] = Passes++;
    }
  const size_t Columns = std::min(Passes, MostColumns);
  const double RowBytes =
      std::max(double(R.PageBytes), S.Bytes / double(MostRows));
  // By band, column and row.
  std::map<std::tuple<size_t, size_t, uint64_t>, Sum> Sums;
  for (const TouchRow &X : R.Rows) {
    auto Band = BandOf.find(X.Object);
    if (R.Passes[X.Pass].Process != Process || Band == BandOf.end())
      continue;
    const double Byte = S.Bands[Band->second].From +
                        (X.First + X.Pages / 2.0) * double(R.PageBytes);
    Sum &Its = Sums[{Band->second, Place[X.Pass] * Columns / Passes,
                     uint64_t(Byte / RowBytes)}];
    Its.Seconds += double(R.Passes[X.Pass].TimeNs) / 1e9;
    Its.Byte += Byte;
    Its.Resident += X.Resident;
    Its.Touched += usedPages(X);
    ++Its.Count;
  }
  for (const auto &[Key, Its] : Sums)
    if (Its.Touched > 0 && Its.Resident > 0)
      S.Bands[std::get<0>(Key)].Points.push_back(
          {Its.Seconds / Its.Count, Its.Byte / Its.Count,
           std::min(1.0, Its.Touched / Its.Resident)});
  std::map<size_t, TouchGroup> Ranked;
  for (const auto &[Object, Band] : BandOf)
    Ranked[S.Bands[Band].Rank] = G.List[G.Of[Object]];
  for (auto &[Rank, Group] : Ranked)
    S.Groups.push_back(std::move(Group));
  return S;
}

} // namespace evenkeel::cli
