//===- PhaseMatch.cpp - which of a plan's phases a run is in --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PhaseMatch.h.
//===----------------------------------------------------------------------===//
#include "format/plan/PhaseMatch.h"
#include <algorithm>
#include <unordered_map>

using namespace evenkeel;

uint32_t PhaseMatch::current(uint32_t Phase) const {
  if (Phase < Current.size())
    return Current[Phase];
  uint32_t After = Phase - uint32_t(Current.size());
  for (size_t I = Ended.size(); I-- > 0;)
    if (Ended[I] != None)
      return Ended[I] + 1 + After;
  return After;
}

PhaseEnds evenkeel::phaseEnds(const Plan &P) {
  PhaseEnds Out;
  for (const PlanPhase &H : P.Phases)
    Out.emplace_back(H.Phase, H.Sync);
  return Out;
}

PhaseEnds evenkeel::phaseEnds(const Profile &P) {
  PhaseEnds Out;
  for (const ek_raw_phase &H : P.Phases)
    Out.emplace_back(uint32_t(Out.size()), H.sync);
  return Out;
}

PhaseMatch evenkeel::matchPhases(const PhaseEnds &Planned,
                                 const PhaseEnds &Run) {
  PhaseMatch Out;
  std::unordered_map<uint64_t, size_t> LastOf; // by hook
  for (size_t I = 0; I < Planned.size(); ++I)
    if (Planned[I].second)
      LastOf[Planned[I].second] = I;
  if (LastOf.empty()) {
    for (const auto &H : Run)
      Out.Ended.push_back(H.first);
    Out.Current = Out.Ended;
    return Out;
  }
  uint32_t Behind = 0;
  for (const auto &[Phase, Hook] : Planned)
    Behind = Hook ? Phase + 1 : Behind;
  size_t Next = 0;
  for (const auto &[Phase, Hook] : Run) {
    size_t At = Next;
    if (Hook) {
      const auto Last = LastOf.find(Hook);
      if (Last == LastOf.end() || Last->second < Next)
        At = Planned.size();
      else
        while (Planned[At].second != Hook)
          ++At;
    } else if (At < Planned.size() && Planned[At].second) {
      At = Planned.size();
    }
    // Serial parts that no hook ends are passed with the next hook.
    size_t Ahead = Next;
    while (Hook && Ahead < Planned.size() && !Planned[Ahead].second)
      ++Ahead;
    Out.Current.push_back(Ahead < Planned.size() ? Planned[Ahead].first
                                                 : Behind);
    Out.Ended.push_back(At < Planned.size() ? Planned[At].first
                                            : PhaseMatch::None);
    if (At < Planned.size())
      Next = At + 1;
  }
  return Out;
}
