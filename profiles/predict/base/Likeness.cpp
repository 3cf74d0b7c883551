//===- Likeness.cpp - how alike phases of a kind were so far --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Likeness.h.
//===----------------------------------------------------------------------===//
#include "Likeness.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

using namespace evenkeel;
using namespace evenkeel::prediction;

namespace {

/// Fewer lines, or cycles, are noise.
constexpr double LeastLines = 64, LeastCycles = 10000;

struct Work {
  double Cycles = 0, Lines = 0;
};
/// The tasks of one phase, by index.
using PhaseWork = std::map<uint32_t, Work>;
/// As in Prefix.cpp: the last sync point before the phase, the one that ends
/// it, and the region; whether tasks are explicit.
using KindKey = std::tuple<uint64_t, uint64_t, uint64_t, bool>;

double apart(double A, double B, double Least) {
  return std::fabs(std::log((A + Least) / (B + Least)));
}

/// Nine in ten of \p Of are at most this.
double nineInTen(std::vector<double> &Of) {
  if (Of.empty())
    return 0;
  const size_t At = size_t(std::ceil(0.9 * double(Of.size()))) - 1;
  std::nth_element(Of.begin(), Of.begin() + ptrdiff_t(At), Of.end());
  return Of[At];
}

Likeness between(const PhaseWork &Before, const PhaseWork &After) {
  std::vector<double> Cores, Lines;
  for (const auto &[Index, W] : After)
    if (auto Old = Before.find(Index); Old != Before.end()) {
      Cores.push_back(apart(W.Cycles, Old->second.Cycles, LeastCycles));
      Lines.push_back(apart(W.Lines, Old->second.Lines, LeastLines));
    }
  return {nineInTen(Cores), nineInTen(Lines)};
}

Likeness among(const std::map<uint32_t, PhaseWork> &Phases) {
  Likeness Out;
  if (Phases.size() < 2)
    return Out;
  // The first phase of a kind finds cold caches and data that is not there yet.
  auto At = Phases.begin();
  if (Phases.size() > 2)
    ++At;
  for (auto Next = std::next(At); Next != Phases.end(); At = Next++) {
    const Likeness Its = between(At->second, Next->second);
    Out.Core = std::max(Out.Core, Its.Core);
    Out.Lines = std::max(Out.Lines, Its.Lines);
  }
  return Out;
}

} // namespace

double evenkeel::prediction::samplingBound(double Lines, double OneIn) {
  constexpr double NineInTen = 1.645; // standard deviations
  return OneIn > 1 ? NineInTen * std::sqrt(OneIn / std::max(Lines, OneIn)) : 0;
}

std::vector<Likeness> evenkeel::prediction::likenessOf(const Profile &Prefix) {
  std::vector<double> Lines(Prefix.Tasks.size(), 0);
  for (const ek_raw_miss &M : Prefix.Misses)
    Lines[M.task] += double(M.reads);
  std::vector<uint64_t> Before; // by phase
  uint64_t Last = 0;            // serial code ends at no sync point
  for (const ek_raw_phase &H : Prefix.Phases) {
    Before.push_back(Last);
    Last = H.sync ? H.sync : Last;
  }
  auto KindOf = [&](const ek_raw_task &T) {
    return KindKey(Before[T.phase], Prefix.Phases[T.phase].sync, T.region,
                   T.flags & 1);
  };
  std::map<KindKey, std::map<uint32_t, PhaseWork>> Kinds;
  for (size_t I = 0; I < Prefix.Tasks.size(); ++I) {
    const ek_raw_task &T = Prefix.Tasks[I];
    Work &W = Kinds[KindOf(T)][T.phase][T.index];
    W.Cycles += double(T.core_cycles);
    W.Lines += Lines[I];
  }
  std::map<KindKey, Likeness> Of;
  for (const auto &[Kind, Phases] : Kinds)
    Of[Kind] = among(Phases);
  std::vector<Likeness> Out;
  Out.reserve(Prefix.Tasks.size());
  for (const ek_raw_task &T : Prefix.Tasks)
    Out.push_back(Of[KindOf(T)]);
  return Out;
}
