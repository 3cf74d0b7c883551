//===- PerfScript.cpp - DAMON's trace events as text ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PerfScript.h.
//===----------------------------------------------------------------------===//
#include "PerfScript.h"
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <sstream>

namespace evenkeel::damo {
namespace {

/// One event.
struct Line {
  double EndNs = 0;
  std::string Target;
  uint64_t Regions = 0; // of its snapshot
  Region Its;
  bool IsMark = false; // no region: damo ends a record of one snapshot with it
};

/// A target as it is read.
struct Reading {
  size_t At = 0; // in the result
  uint64_t Missing = 0;
};

} // namespace

static std::optional<uint64_t> wholeNumber(const std::string &Text) {
  if (Text.empty() || Text.find_first_not_of("0123456789") != std::string::npos)
    return {};
  errno = 0;
  const unsigned long long N = std::strtoull(Text.c_str(), nullptr, 10);
  if (errno)
    return {};
  return N;
}

/// What follows \p Key in \p Word.
static std::optional<std::string> valueOf(const std::string &Word,
                                          const std::string &Key) {
  if (Word.rfind(Key, 0) != 0)
    return {};
  return Word.substr(Key.size());
}

static std::optional<Line> readEvent(const std::vector<std::string> &Words,
                                     size_t Event) {
  if (Event < 1 || Event + 4 >= Words.size())
    return {};
  Line L;
  char *End = nullptr;
  L.EndNs = std::strtod(Words[Event - 1].c_str(), &End) * 1e9;
  const std::optional<std::string> Id = valueOf(Words[Event + 1], "target_id="),
                                   N = valueOf(Words[Event + 2], "nr_regions=");
  if (std::string(End) != ":" || !(L.EndNs >= 0) || L.EndNs > 1e19 || !Id || !N)
    return {};
  const std::string &Range = Words[Event + 3];
  const size_t Dash = Range.find('-');
  if (Dash == std::string::npos || Range.back() != ':')
    return {};
  const std::optional<uint64_t> Start = wholeNumber(Range.substr(0, Dash)),
                                Last = wholeNumber(Range.substr(
                                    Dash + 1, Range.size() - Dash - 2)),
                                Count = wholeNumber(*N),
                                Samples = wholeNumber(Words[Event + 4]);
  L.IsMark = Words[Event + 4] == "-1" && Start == uint64_t(0) && Last == Start;
  if (!Start || !Last || !Count || !*Count ||
      (!L.IsMark && (!Samples || *Last <= *Start)))
    return {};
  L.Target = *Id;
  L.Regions = *Count;
  if (!L.IsMark)
    L.Its = {*Start, *Last,
             std::min(1.0, double(*Samples) /
                               (DefaultAggregationUs / DefaultSampleUs))};
  return L;
}

/// An aggregation begins where the one before it ended; the first one lasted as
/// long as the others do on average.
static void setBegins(Target &T, double FirstLasts) {
  for (size_t I = T.Snapshots.size(); I-- > 0;)
    T.Snapshots[I].StartNs =
        I ? T.Snapshots[I - 1].EndNs
          : std::max(0.0, T.Snapshots[0].EndNs - FirstLasts);
}

Expected<std::vector<Target>> parsePerfScript(const std::string &Text) {
  std::vector<Target> Out;
  std::map<std::string, Reading> Known;
  std::istringstream In(Text);
  std::string Whole;
  for (size_t Number = 1; std::getline(In, Whole); ++Number) {
    std::istringstream Split(Whole);
    std::vector<std::string> Words;
    for (std::string Word; Split >> Word;)
      Words.push_back(Word);
    const auto Event =
        std::find_if(Words.begin(), Words.end(), [](const std::string &W) {
          return W == "damon:damon_aggregated:" || W == "damon_aggregated:";
        });
    if (Event == Words.end())
      continue;
    const std::optional<Line> L =
        readEvent(Words, size_t(Event - Words.begin()));
    if (!L)
      return Error{"line " + std::to_string(Number) +
                   " is no event of damon_aggregated with a time, a target and "
                   "an address range"};
    auto [It, New] = Known.try_emplace(L->Target, Reading{Out.size(), 0});
    if (New) {
      Target T;
      T.Id = L->Target;
      T.SampleNs = DefaultSampleUs * 1000;
      T.Assumed = true;
      Out.push_back(std::move(T));
    }
    Target &T = Out[It->second.At];
    if (!It->second.Missing) {
      if (!T.Snapshots.empty() && L->EndNs < T.Snapshots.back().EndNs)
        return Error{"line " + std::to_string(Number) +
                     " is earlier than the one before it"};
      T.Snapshots.push_back({0, L->EndNs, {}});
      It->second.Missing = L->Regions;
    }
    --It->second.Missing;
    if (!L->IsMark)
      T.Snapshots.back().Regions.push_back(L->Its);
  }
  if (Out.empty())
    return Error{"is no record of damo: neither JSON, nor a zlib stream of it, "
                 "nor lines of `perf script` with damon_aggregated"};
  for (Target &T : Out) {
    const size_t N = T.Snapshots.size();
    setBegins(T, N > 1 ? (T.Snapshots.back().EndNs - T.Snapshots[0].EndNs) /
                             double(N - 1)
                       : DefaultAggregationUs * 1000);
    T.Snapshots.erase(std::remove_if(T.Snapshots.begin(), T.Snapshots.end(),
                                     [](auto &S) { return S.Regions.empty(); }),
                      T.Snapshots.end());
  }
  return Out;
}

} // namespace evenkeel::damo
