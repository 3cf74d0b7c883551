//===- MovedPages.cpp - what a policy did with a program's memory ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MovedPages.h.
//===----------------------------------------------------------------------===//
#include "MovedPages.h"
#include "TouchTable.h"
#include "cli/common/Cli.h"
#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

using namespace evenkeel;
using namespace evenkeel::cli;
using nlohmann::json;

namespace {

/// Sums over processes.
struct Sums {
  uint64_t Periods = 0, Samples = 0, Touched = 0, FastTouched = 0;
  uint64_t UpBytes = 0, DownBytes = 0, Refused = 0, LeftOut = 0;
  uint64_t ProgramNs = 0, SpentNs = 0;
};

/// Objects of one name and stack.
struct Row {
  std::string Name;
  std::vector<std::string> Stack;
  size_t Objects = 0;
  ek_touch_placed Sum{};
};

} // namespace

static Sums sumsOf(const std::vector<RawTouches> &Processes) {
  Sums S;
  for (const RawTouches &P : Processes) {
    S.Periods += P.Passes.size();
    if (!P.Moves.empty()) {
      const ek_touch_moves &M = P.Moves.back();
      S.Samples += M.samples;
      S.Touched += M.touched;
      S.FastTouched += M.fast_touched;
      S.UpBytes += M.up_bytes;
      S.DownBytes += M.down_bytes;
      S.Refused += M.refused;
      S.LeftOut += M.left_out;
    }
    S.ProgramNs += P.End ? P.End->program_ns : P.Passes.back().Pass.program_ns;
    S.SpentNs += P.End ? P.End->spent_ns : P.Passes.back().Pass.spent_ns;
  }
  return S;
}

/// namedRecord enters the blocks and mappings of each process, in the order of
/// their ids, before anything else of it.
static std::vector<Row> rowsOf(const std::vector<RawTouches> &Processes,
                               const TouchRecord &Named) {
  std::map<std::tuple<std::string, std::vector<std::string>>, Row> Rows;
  size_t At = 0;
  for (const RawTouches &P : Processes)
    for (const auto &[Id, O] : P.Objects) {
      if (O.kind != EK_TOUCH_BLOCK && O.kind != EK_TOUCH_MAP)
        continue;
      const TouchObject &Its = Named.Objects[At++];
      auto Placed = P.Placed.find(Id);
      if (Placed == P.Placed.end())
        continue;
      Row &R = Rows[{Its.Name, Its.Stack}];
      R.Name = Its.Name;
      R.Stack = Its.Stack;
      ++R.Objects;
      R.Sum.bytes += Placed->second.bytes;
      R.Sum.fast_bytes += Placed->second.fast_bytes;
      R.Sum.touched += Placed->second.touched;
      R.Sum.fast_touched += Placed->second.fast_touched;
      R.Sum.up_bytes += Placed->second.up_bytes;
      R.Sum.down_bytes += Placed->second.down_bytes;
    }
  std::vector<Row> Out;
  for (auto &[Key, R] : Rows)
    Out.push_back(std::move(R));
  std::sort(Out.begin(), Out.end(), [](const Row &A, const Row &B) {
    return A.Sum.touched != B.Sum.touched
               ? A.Sum.touched > B.Sum.touched
               : std::tie(A.Name, A.Stack) < std::tie(B.Name, B.Stack);
  });
  return Out;
}

static std::string shareText(uint64_t Part, uint64_t All) {
  return All ? percentText(double(Part) / double(All)) : "-";
}

static std::string settingsText(const Settings &S) {
  std::string Text;
  for (const auto &[Name, Value] : S)
    Text += (Text.empty() ? "" : ", ") + Name + " " +
            std::to_string(static_cast<uint64_t>(Value));
  return Text;
}

std::string evenkeel::cli::movesText(const AskedPolicy &Asked,
                                     const std::vector<RawTouches> &Processes,
                                     const TouchRecord &Named, size_t Most) {
  const Sums S = sumsOf(Processes);
  const double Seconds = double(S.ProgramNs) / 1e9;
  std::string Text = "policy   " + Asked.Name;
  if (!Asked.Set.empty())
    Text += " (" + settingsText(Asked.Set) + ")";
  if (!Asked.Initial.empty())
    Text += ", at first by " + Asked.Initial;
  Text += ", " + bytesText(double(Asked.FastBytes)) + " of fast memory (" +
          Asked.Tiers + ")\n";
  Text += "periods  " + std::to_string(S.Periods) + ", one in " +
          secondsText(Seconds / double(S.Periods)) + " of CPU time, " +
          std::to_string(S.Samples) + " samples; overhead " +
          percentText(double(S.SpentNs) / double(S.ProgramNs)) +
          " of CPU time (limit " + percentText(Asked.Overhead) + ")\n";
  Text += "moves    " + bytesText(double(S.UpBytes)) + " up, " +
          bytesText(double(S.DownBytes)) + " down; " +
          std::to_string(S.Refused) + " pages refused\n";
  Text += "touches  " + shareText(S.FastTouched, S.Touched) +
          " in fast memory (" + TouchesAre + ")\n";
  Table T({"object", ">objects", ">size", ">fast at end", ">touches in fast",
           ">up", ">down", "called from"});
  size_t Shown = 0;
  const std::vector<Row> Rows = rowsOf(Processes, Named);
  for (const Row &R : Rows)
    if (Shown++ < Most)
      T.row({R.Name, std::to_string(R.Objects), bytesText(double(R.Sum.bytes)),
             shareText(R.Sum.fast_bytes, R.Sum.bytes),
             shareText(R.Sum.fast_touched, R.Sum.touched),
             bytesText(double(R.Sum.up_bytes)),
             bytesText(double(R.Sum.down_bytes)),
             R.Stack.size() > 1 ? R.Stack[1] : ""});
  if (!Rows.empty())
    Text += T.str();
  if (Rows.size() > Most)
    Text += std::to_string(Rows.size() - Most) + " others: touched less each\n";
  if (S.LeftOut)
    Text += "chunks-left-out: " + std::to_string(S.LeftOut) +
            " chunks were not placed: more than the table holds; larger ones "
            "(--set chunk_kib=N) are fewer\n";
  return Text + touchNotes(Named);
}

static json periodsOf(const RawTouches &P) {
  json Periods = json::array();
  ek_touch_moves Last{};
  for (const ek_touch_moves &M : P.Moves) {
    if (!M.window_ns) // the sums at the end, which may know freed blocks
      break;
    Periods.push_back({{"time_s", double(M.time_ns) / 1e9},
                       {"window_s", double(M.window_ns) / 1e9},
                       {"samples", M.samples - Last.samples},
                       {"touched", M.touched - Last.touched},
                       {"fast_touched", M.fast_touched - Last.fast_touched},
                       {"up_bytes", M.up_bytes - Last.up_bytes},
                       {"down_bytes", M.down_bytes - Last.down_bytes},
                       {"refused", M.refused - Last.refused},
                       {"fast_bytes", M.fast_bytes},
                       {"bytes", M.bytes},
                       {"waiting_bytes", M.waiting_bytes}});
    Last = M;
  }
  return Periods;
}

json evenkeel::cli::movesJson(const AskedPolicy &Asked,
                              const std::vector<RawTouches> &Processes,
                              const TouchRecord &Named) {
  json Each = json::array(), Objects = json::array();
  for (size_t I = 0; I < Processes.size(); ++I)
    Each.push_back({{"program", Named.Processes[I].Program},
                    {"notes", Named.Processes[I].Notes},
                    {"periods", periodsOf(Processes[I])}});
  for (const Row &R : rowsOf(Processes, Named))
    Objects.push_back({{"name", R.Name},
                       {"stack", R.Stack},
                       {"objects", R.Objects},
                       {"bytes", R.Sum.bytes},
                       {"fast_bytes", R.Sum.fast_bytes},
                       {"touched", R.Sum.touched},
                       {"fast_touched", R.Sum.fast_touched},
                       {"up_bytes", R.Sum.up_bytes},
                       {"down_bytes", R.Sum.down_bytes}});
  const Sums S = sumsOf(Processes);
  return {
      {"about", TouchesAre},
      {"policy", Asked.Name},
      {"settings", Asked.Set},
      {"initial", Asked.Initial.empty() ? json(nullptr) : json(Asked.Initial)},
      {"tiers", Asked.Tiers},
      {"fast_bytes", Asked.FastBytes},
      {"overhead", S.ProgramNs ? double(S.SpentNs) / double(S.ProgramNs) : 0},
      {"overhead_limit", Asked.Overhead},
      {"up_bytes", S.UpBytes},
      {"down_bytes", S.DownBytes},
      {"refused", S.Refused},
      {"chunks_left_out", S.LeftOut},
      {"touched", S.Touched},
      {"fast_touched", S.FastTouched},
      {"processes", std::move(Each)},
      {"objects", std::move(Objects)}};
}
