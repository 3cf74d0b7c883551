//===- Arbiter.cpp - the placement that does no harm ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Arbiter.h. All candidates are timed on the same draws, so that what an
// error does to all of them cancels out.
//===----------------------------------------------------------------------===//
#include "Arbiter.h"
#include "Draws.h"
#include "models/Phase.h"
#include "problem/AlikePhases.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

using namespace evenkeel;

std::vector<Standing>
evenkeel::standings(const Problem &P, const Machine &M, const Model &Mod,
                    const std::vector<std::vector<double>> &Candidates) {
  const auto Draws = unsigned(figures().Draws);
  const size_t N = Candidates.size();
  std::vector<std::vector<double>> Seconds(N, std::vector<double>(Draws));
  const AlikePhases Alike(P);
  for (size_t G = 0; G < Alike.First.size(); ++G) {
    const PredictedPhase &H = P.Phases[Alike.First[G]];
    const PhaseErrors Errors = drawErrors(P, H, Draws);
    for (size_t C = 0; C < N; ++C) {
      const std::vector<PhaseState> Of =
          statesWith(H, Errors, Candidates[C], M, Mod);
      for (unsigned D = 0; D < Draws; ++D)
        Seconds[C][D] += Alike.Count[G] * orderedSeconds(H, Of[D]);
    }
  }
  std::vector<Standing> Out(N);
  for (size_t C = 1; C < N; ++C) {
    std::vector<double> Ratios;
    for (unsigned D = 0; D < Draws; ++D)
      Ratios.push_back(Seconds[0][D] > 0 ? Seconds[C][D] / Seconds[0][D] : 1);
    Out[C] = standingOf(std::move(Ratios));
  }
  return Out;
}

Standing evenkeel::standingOfChanges(
    const Problem &P, const Machine &M, const Model &Mod,
    const std::vector<double> &Stay, const std::vector<double> &Fast,
    const std::vector<PlacementChange> &Changes, double Seconds) {
  const auto Draws = unsigned(figures().Draws);
  const AlikePhases Alike(P);
  // By group: how many of its phases come after so many changes.
  std::vector<std::map<size_t, unsigned>> After(Alike.First.size());
  size_t Made = 0;
  for (size_t K = 0; K < P.Phases.size(); ++K) {
    while (Made < Changes.size() && Changes[Made].Phase <= P.Phases[K].Phase)
      ++Made;
    ++After[Alike.Of[K]][Made];
  }
  std::vector<double> Before(Draws), Then(Draws);
  for (size_t G = 0; G < Alike.First.size(); ++G) {
    const PredictedPhase &H = P.Phases[Alike.First[G]];
    const PhaseErrors Errors = drawErrors(P, H, Draws);
    auto Add = [&](std::vector<double> &To, const std::vector<double> &Shares,
                   unsigned Count) {
      const std::vector<PhaseState> Of = statesWith(H, Errors, Shares, M, Mod);
      for (unsigned D = 0; D < Draws; ++D)
        To[D] += Count * orderedSeconds(H, Of[D]);
    };
    Add(Before, Stay, Alike.Count[G]);
    for (const auto &[Number, Count] : After[G]) {
      const std::vector<double> &Shares =
          Number ? Changes[Number - 1].FastShare : Fast;
      Add(Then, Shares, Count);
      Seconds -= Count * orderedSeconds(H, phaseState(H, Shares, M, Mod));
    }
  }
  for (unsigned D = 0; D < Draws; ++D)
    Then[D] = Before[D] > 0 ? (Then[D] + Seconds) / Before[D] : 1;
  return standingOf(std::move(Then));
}

Standing evenkeel::standingOf(std::vector<double> Ratios) {
  Standing Out;
  Out.Mean = std::accumulate(Ratios.begin(), Ratios.end(), 0.0) /
             double(Ratios.size());
  const size_t At = size_t(std::ceil(0.95 * double(Ratios.size()))) - 1;
  std::nth_element(Ratios.begin(), Ratios.begin() + ptrdiff_t(At),
                   Ratios.end());
  Out.Bad = Ratios[At];
  return Out;
}

bool evenkeel::isHarmless(const Standing &Of) {
  return Of.Bad <= 1 + figures().MostHarm;
}

size_t evenkeel::leastHarm(const std::vector<Standing> &Of) {
  size_t Best = 0;
  double Mean = 1 - figures().LeastGain;
  for (size_t C = 1; C < Of.size(); ++C)
    if (Of[C].Mean < Mean && isHarmless(Of[C])) {
      Best = C;
      Mean = Of[C].Mean;
    }
  return Best;
}
