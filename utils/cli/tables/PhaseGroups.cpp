//===- PhaseGroups.cpp - phases that repeat, shown once -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PhaseGroups.h. A loop is a sequence of regions that follows itself
// without a gap. The one that covers most phases is taken first, then those
// before and after it are searched in the same way.
//===----------------------------------------------------------------------===//
#include "PhaseGroups.h"
#include <algorithm>
#include <map>
#include <utility>

namespace evenkeel::cli {
namespace {

/// Length phases from First on, repeated Times times.
struct Repeat {
  size_t First = 0, Length = 0, Times = 0;
  size_t covers() const { return Length * Times; }
};

/// Longer iterations are not searched for: the search takes time in proportion
/// to their length.
constexpr size_t MostLength = 256;

/// The repeat in [\p From, \p To) that covers most; the shortest and first of
/// those that cover as much.
Repeat longestRepeat(const std::vector<PhaseKey> &P, size_t From, size_t To) {
  Repeat Best;
  for (size_t Length = 1; Length <= std::min(MostLength, (To - From) / 2);
       ++Length) {
    size_t Equal = 0; // phases before I that equal the one Length further on
    for (size_t I = From; I + Length <= To; ++I) {
      if (I + Length < To && P[I].Region == P[I + Length].Region) {
        ++Equal;
        continue;
      }
      const size_t Times = Equal / Length + 1;
      if (Times > 1 && Times * Length > Best.covers())
        Best = {I - Equal, Length, Times};
      Equal = 0;
    }
  }
  return Best;
}

class Grouper {
  const std::vector<PhaseKey> &P;
  std::vector<PhaseGroup> Out;
  unsigned Loops = 0;

public:
  explicit Grouper(const std::vector<PhaseKey> &Phases) : P(Phases) {}
  void group(size_t From, size_t To);
  std::vector<PhaseGroup> take() { return std::move(Out); }
};

void Grouper::group(size_t From, size_t To) {
  if (From >= To)
    return;
  const Repeat R = longestRepeat(P, From, To);
  if (!R.Times) {
    for (size_t I = From; I < To; ++I)
      Out.push_back({{P[I].Phase}, 0});
    return;
  }
  group(From, R.First);
  ++Loops;
  for (size_t J = 0; J < R.Length; ++J) {
    PhaseGroup G;
    G.Loop = Loops;
    for (size_t K = 0; K < R.Times; ++K)
      G.Phases.push_back(P[R.First + K * R.Length + J].Phase);
    Out.push_back(std::move(G));
  }
  group(R.First + R.covers(), To);
}

} // namespace

std::vector<PhaseKey> phaseKeys(const Plan &P) {
  std::vector<PhaseKey> Out;
  for (const PlanPhase &H : P.Phases)
    Out.push_back({H.Phase, H.Region, H.Seconds});
  return Out;
}

std::vector<PhaseKey> phaseKeys(const PolicyResult &R) {
  std::vector<PhaseKey> Out;
  for (uint32_t Phase = 0; Phase < R.PhaseSeconds.size(); ++Phase)
    Out.push_back({Phase, 0, R.PhaseSeconds[Phase]});
  // Threads come before explicit tasks.
  for (const TaskResult &T : R.Tasks)
    if (!Out[T.Phase].Region)
      Out[T.Phase].Region = T.Region;
  return Out;
}

std::vector<PhaseGroup> groupPhases(const std::vector<PhaseKey> &Phases) {
  Grouper G(Phases);
  G.group(0, Phases.size());
  return G.take();
}

size_t dropShort(std::vector<PhaseKey> &Phases, double &Seconds) {
  double All = 0;
  for (const PhaseKey &K : Phases)
    All += K.Seconds;
  std::vector<double> Short;
  for (const PhaseKey &K : Phases)
    if (K.Seconds < 1e-4 * All)
      Short.push_back(K.Seconds);
  std::sort(Short.begin(), Short.end());
  // Phases shorter than this one go: together they take too little to matter.
  double Limit = 1e-4 * All, Sum = 0;
  for (const double X : Short)
    if ((Sum += X) >= 0.01 * All) {
      Limit = X;
      break;
    }
  const size_t Before = Phases.size();
  Phases.erase(std::remove_if(Phases.begin(), Phases.end(),
                              [&](const PhaseKey &K) {
                                if (K.Seconds >= Limit)
                                  return false;
                                Seconds += K.Seconds;
                                return true;
                              }),
               Phases.end());
  return Before - Phases.size();
}

static void sortByFirst(std::vector<PhaseGroup> &Groups) {
  for (PhaseGroup &G : Groups)
    std::sort(G.Phases.begin(), G.Phases.end());
  std::sort(Groups.begin(), Groups.end(),
            [](const PhaseGroup &A, const PhaseGroup &B) {
              return A.Phases[0] < B.Phases[0];
            });
}

bool limitGroups(std::vector<PhaseGroup> &Groups,
                 const std::vector<PhaseKey> &Phases, size_t Most) {
  if (Groups.size() <= Most)
    return false;
  std::map<uint32_t, const PhaseKey *> Of;
  for (const PhaseKey &K : Phases)
    Of[K.Phase] = &K;
  std::map<uint64_t, PhaseGroup> Regions;
  for (const PhaseGroup &G : Groups)
    for (const uint32_t Phase : G.Phases)
      Regions[Of.at(Phase)->Region].Phases.push_back(Phase);
  Groups.clear();
  for (auto &Entry : Regions)
    Groups.push_back(std::move(Entry.second));
  sortByFirst(Groups);
  if (Groups.size() <= Most)
    return false;
  auto Seconds = [&](const PhaseGroup &G) {
    double Sum = 0;
    for (const uint32_t Phase : G.Phases)
      Sum += Of.at(Phase)->Seconds;
    return Sum;
  };
  std::vector<std::pair<double, size_t>> Longest; // first
  for (size_t I = 0; I < Groups.size(); ++I)
    Longest.emplace_back(-Seconds(Groups[I]), I);
  std::sort(Longest.begin(), Longest.end());
  std::vector<PhaseGroup> Kept;
  PhaseGroup Rest;
  for (size_t I = 0; I < Longest.size(); ++I) {
    PhaseGroup &G = Groups[Longest[I].second];
    if (I + 1 < Most)
      Kept.push_back(std::move(G));
    else
      Rest.Phases.insert(Rest.Phases.end(), G.Phases.begin(), G.Phases.end());
  }
  sortByFirst(Kept);
  Groups = std::move(Kept);
  std::sort(Rest.Phases.begin(), Rest.Phases.end());
  Groups.push_back(std::move(Rest));
  return true;
}

} // namespace evenkeel::cli
