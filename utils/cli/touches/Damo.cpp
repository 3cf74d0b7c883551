//===- Damo.cpp - records in damo's format --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: damo tells formats apart by their first bytes, so the stream is zlib's
// even though nothing in it is compressed: that needs no library.
//===----------------------------------------------------------------------===//
#include "Damo.h"
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using namespace evenkeel::cli;
using nlohmann::ordered_json;

std::string evenkeel::cli::zlibStored(const std::string &Text) {
  constexpr size_t MostStored = 65535;
  std::string Out = "\x78\x01"; // deflate, 32 KiB window; a multiple of 31
  size_t At = 0;
  do {
    const size_t N = std::min(MostStored, Text.size() - At);
    Out += char(At + N == Text.size()); // the last block; stored
    for (const size_t Size : {N, ~N})
      Out += {char(Size & 0xff), char(Size >> 8 & 0xff)};
    Out.append(Text, At, N);
    At += N;
  } while (At < Text.size());
  uint32_t A = 1, B = 0; // Adler-32
  for (const char C : Text) {
    A = (A + static_cast<unsigned char>(C)) % 65521;
    B = (B + A) % 65521;
  }
  const uint32_t Sum = B << 16 | A;
  for (const int Shift : {24, 16, 8, 0})
    Out += char(Sum >> Shift & 0xff);
  return Out;
}

/// Of a hundred samples those that found the chunk accessed.
static uint64_t samplesOf(const TouchRow &X) {
  const uint32_t N = X.Touched != TouchRow::Unknown ? X.Touched : X.Written;
  if (N == TouchRow::Unknown || !X.Resident)
    return 0;
  return uint64_t(std::lround(100.0 * std::min(N, X.Resident) / X.Resident));
}

static ordered_json regionOf(const TouchRecord &R, const TouchRow &X) {
  const TouchObject &O = R.Objects[X.Object];
  const uint64_t From =
      O.Address / R.PageBytes * R.PageBytes + uint64_t(X.First) * R.PageBytes;
  return {{"start", std::to_string(From)},
          {"end", std::to_string(From + uint64_t(X.Pages) * R.PageBytes)},
          {"nr_accesses", {{"samples", samplesOf(X)}, {"percent", nullptr}}},
          {"age", {{"usec", nullptr}, {"aggr_intervals", "1"}}},
          {"probe_hits", ordered_json::array()},
          {"sz_filter_passed", "0"}};
}

/// Adds a snapshot that lasts from \p From to \p To.
static void addSnapshot(ordered_json &Snapshots, ordered_json Regions,
                        uint64_t From, uint64_t To) {
  if (Regions.empty())
    return;
  Snapshots.push_back({{"start_time", std::to_string(From)},
                       {"end_time", std::to_string(To)},
                       {"regions", std::move(Regions)},
                       {"total_bytes", nullptr},
                       {"damos_stats", nullptr},
                       {"sample_interval_us", nullptr}});
}

Expected<std::string> evenkeel::cli::damoRecord(const TouchRecord &R,
                                                uint32_t Process) {
  std::vector<size_t> Passes;
  for (size_t I = 0; I < R.Passes.size(); ++I)
    if (R.Passes[I].Process == Process)
      Passes.push_back(I);
  ordered_json Snapshots = ordered_json::array();
  size_t Row = 0;
  for (size_t I = 0; I < Passes.size(); ++I) {
    const TouchPass &P = R.Passes[Passes[I]];
    ordered_json Regions = ordered_json::array();
    while (Row < R.Rows.size() && R.Rows[Row].Pass < Passes[I])
      ++Row;
    for (; Row < R.Rows.size() && R.Rows[Row].Pass == Passes[I]; ++Row)
      Regions.push_back(regionOf(R, R.Rows[Row]));
    // A pass stands for the time up to the next one.
    addSnapshot(Snapshots, std::move(Regions), P.TimeNs,
                I + 1 < Passes.size() ? R.Passes[Passes[I + 1]].TimeNs
                                      : P.TimeNs + P.WindowNs);
  }
  if (Snapshots.empty())
    return Error{"the record has no row of this process"};
  const TouchPass &First = R.Passes[Passes.front()],
                  &Last = R.Passes[Passes.back()];
  const uint64_t PeriodUs = std::max<uint64_t>(
      100, (Last.TimeNs + Last.WindowNs - First.TimeNs) / Passes.size() / 1000);
  const ordered_json Record = {
      {"kdamond_idx", 0},
      {"context_idx", 0},
      {"intervals",
       {{"sample_us", std::to_string(PeriodUs / 100)},
        {"aggr_us", std::to_string(PeriodUs / 100 * 100)},
        {"ops_update_us", std::to_string(PeriodUs)}}},
      {"scheme_idx", nullptr},
      {"target_id", 0},
      {"scheme_filters", ordered_json::array()},
      {"snapshots", std::move(Snapshots)},
      {"data_source", "unknown"}};
  return zlibStored(ordered_json::array({Record}).dump(
      -1, ' ', false, ordered_json::error_handler_t::replace));
}
