//===- Remaining.cpp - the phases after a hook, for trades ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Remaining.h, and Trade.cpp for the formulas.
//===----------------------------------------------------------------------===//
#include "Remaining.h"
#include "models/Phase.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

using namespace evenkeel;

Remaining::Remaining(const Problem &P, const std::vector<double> &Fast,
                     uint32_t Hook, const Machine &M, const Model &Mod)
    : P(P), Alike(P, Hook + 1) {
  std::vector<double> Lasts; // by group
  for (uint32_t H : Alike.First) {
    const PhaseState S = phaseState(P.Phases[H], Fast, M, Mod);
    Lasts.push_back(S.Seconds);
    addGroup(P.Phases[H], S.TaskSeconds, S.LatencyNs, M, Mod);
  }
  for (uint32_t H = 0; H < P.Phases.size(); ++H)
    if (Alike.Of[H] != AlikePhases::None) {
      Place.push_back(H);
      Start.push_back(End.empty() ? 0 : End.back());
      End.push_back(Start.back() + Lasts[Alike.Of[H]]);
    }
  Worth.assign(Place.size(), 1.0);
  Waits.resize(Alike.First.size());
  Copied.resize(Alike.First.size());
  Made.resize(Alike.First.size());
}

void Remaining::addGroup(const PredictedPhase &H,
                         const std::vector<double> &Seconds,
                         const std::vector<double> &LatencyNs, const Machine &M,
                         const Model &Mod) {
  const bool Explicit =
      std::any_of(H.Tasks.begin(), H.Tasks.end(),
                  [](const PredictedTask &T) { return T.Explicit; });
  std::vector<double> Saved, All;
  std::vector<std::vector<Run>> Its;
  std::vector<Row> Rows;
  size_t Uses = 0;
  for (const PredictedTask &T : H.Tasks)
    Uses += T.Demand.Units.size();
  All.reserve(Uses);
  // Explicit tasks share the workers: their sum counts, not the longest.
  const double Part = Explicit ? 1.0 / std::max(1u, H.Workers) : 1;
  for (size_t T = 0; T < H.Tasks.size(); ++T) {
    const TaskDemand &D = H.Tasks[T].Demand;
    Mod.gains(D, M, LatencyNs, Saved);
    if (!Explicit || T == 0) {
      Rows.emplace_back();
      Its.emplace_back();
    }
    Rows.back().Seconds += Seconds[T] * Part;
    std::vector<Run> &X = Its.back();
    for (size_t U = 0; U < D.Units.size(); ++U) {
      const uint32_t Unit = D.Units[U].Unit;
      const uint32_t Instance = P.Units[Unit].Instance;
      if (U == 0 || X.back().Instance != Instance ||
          X.back().First + X.back().Count != Unit)
        X.push_back({Unit, 0, Instance, All.size()});
      ++X.back().Count;
      All.push_back(Saved[U] * Part);
    }
  }
  FirstRows.push_back(std::move(Rows));
  Runs.push_back(std::move(Its));
  Gains.push_back(std::move(All));
}

/// The units with the largest gains per byte, until these make up most of it.
double Remaining::neededBytes(uint32_t Group,
                              std::vector<double> &ByUnit) const {
  std::fill(ByUnit.begin(), ByUnit.end(), 0.0);
  std::vector<uint32_t> Dense;
  double Sum = 0;
  for (const std::vector<Run> &Row : Runs[Group])
    for (const Run &X : Row) {
      for (uint32_t U = X.First; U < X.First + X.Count; ++U) {
        const double Gain = Gains[Group][X.At + U - X.First];
        if (Gain <= 0 || P.Units[U].Bytes <= 0)
          continue;
        if (ByUnit[U] == 0)
          Dense.push_back(U);
        ByUnit[U] += Gain;
        Sum += Gain;
      }
    }
  std::sort(Dense.begin(), Dense.end(), [&](uint32_t A, uint32_t B) {
    const double X = ByUnit[A] / P.Units[A].Bytes,
                 Y = ByUnit[B] / P.Units[B].Bytes;
    return X > Y || (X == Y && A < B);
  });
  double Bytes = 0, Rest = Sum * figures().NeededGain;
  for (size_t K = 0; K < Dense.size() && Rest > 0; ++K) {
    Rest -= ByUnit[Dense[K]];
    Bytes += P.Units[Dense[K]].Bytes;
  }
  return std::min(Bytes, P.FastBytes);
}

/// The mean share of a phase of \p Length seconds that is over at times from
/// \p From to \p To seconds after its start.
static double meanShareOver(double From, double To, double Length) {
  auto Integral = [&](double T) {
    return T <= 0 ? 0 : T < Length ? T * T / (2 * Length) : T - Length / 2;
  };
  return To > From ? (Integral(To) - Integral(From)) / (To - From)
                   : std::clamp(To / Length, 0.0, 1.0);
}

/// So that alike phases have few different ones: the time of a look grows with
/// their number.
static double roundedWorth(double Its) {
  constexpr double Least = 1e-3, Small = 0.25, Parts = 8;
  return Its < Least   ? 0
         : Its < Small ? std::exp2(std::round(std::log2(Its)))
                       : std::round(Its * Parts) / Parts;
}

void Remaining::findWorth(double PerByte) {
  auto GroupOf = [&](size_t H) { return Alike.Of[Place[H]]; };
  size_t H = 0;
  while (H < Place.size() && P.Phases[Place[H]].Tasks.size() <= 1)
    ++H;
  if (++H >= Place.size()) // the phase that the next hook ends
    return;
  std::vector<double> ByUnit(P.Units.size()), Needs(Alike.First.size(), -1);
  for (size_t K = H; K < Place.size(); ++K)
    if (double &Its = Needs[GroupOf(K)]; Its < 0)
      Its = neededBytes(GroupOf(K), ByUnit);
  // The phases from From to H find room for their data side by side.
  size_t From = H;
  double Held = 0, Free = Start[H];                 // when the copier has time
  std::vector<uint32_t> Phases(Alike.First.size()); // there, by group
  std::vector<double> There(Alike.First.size());    // when its data is
  for (; H < Place.size(); ++H) {
    const uint32_t G = GroupOf(H);
    const double Copying = 2 * Needs[G] * PerByte, Length = End[H] - Start[H];
    if (!Phases[G]++) {
      for (Held += Needs[G]; From < H && Held > P.FastBytes; ++From)
        if (!--Phases[GroupOf(From)])
          Held -= Needs[GroupOf(From)];
      Free = std::max(Free, Start[From]) + Copying;
      There[G] = Free;
      Free = std::min(Free, End[H]); // copies that come later are for nothing
    }
    if (Length > 0)
      Worth[H] = roundedWorth(meanShareOver(There[G] - Copying - Start[H],
                                            There[G] - Start[H], Length));
  }
}

/// Lengths are differences of sums here, so phases whose worth differs only by
/// rounding form one class.
void Remaining::makeClasses() {
  constexpr double Rounding = 1e-6;
  ClassesOf.resize(Alike.First.size());
  for (uint32_t H = 0; H < Place.size(); ++H) {
    const uint32_t G = Alike.Of[Place[H]];
    uint32_t Its = AlikePhases::None;
    for (uint32_t C : ClassesOf[G])
      if (std::fabs(Classes[C].Worth - Worth[H]) <= Rounding * Worth[H])
        Its = C;
    if (Its == AlikePhases::None) {
      Its = uint32_t(Classes.size());
      ClassesOf[G].push_back(Its);
      Classes.push_back({G, H, 0, Worth[H], 1, true, 0, FirstRows[G]});
    }
    ++Classes[Its].Count;
    ClassOf.push_back(Its);
  }
}

/// Moves phase \p Phase from its class \p From, which has several, to a new
/// one.
uint32_t Remaining::part(uint32_t Phase, uint32_t From) {
  const auto New = uint32_t(Classes.size());
  Class Own = Classes[From];
  Own.Count = 1;
  Own.Phase = Phase;
  ClassesOf[Own.Group].push_back(New);
  Classes.push_back(std::move(Own));
  --Classes[From].Count;
  ClassOf[Phase] = New;
  return New;
}

void Remaining::arrive(double Later) {
  if (Classes.empty())
    makeClasses();
  while (Meanwhile < End.size() && End[Meanwhile] <= Later)
    ++Meanwhile;
  std::map<uint32_t, uint32_t> Over; // a class -> its phases that are over
  for (; Begun < Start.size() && Start[Begun] < Later; ++Begun) {
    const auto H = uint32_t(Begun);
    const uint32_t C = ClassOf[H];
    const bool IsOver = End[H] > Start[H] && End[H] <= Later;
    if (Classes[C].Count > 1 && IsOver) {
      if (auto It = Over.find(C); It != Over.end()) {
        --Classes[C].Count;
        ++Classes[It->second].Count;
        ClassOf[H] = It->second;
      } else {
        Over[C] = part(H, C);
        Classes[Over[C]].Left = 0;
      }
      continue;
    }
    const uint32_t Own = Classes[C].Count > 1 ? part(H, C) : C;
    Classes[Own].Phase = H;
    Running.push_back(Own);
  }
  // How much of a phase is left when the page arrives.
  for (uint32_t C : Running) {
    Class &X = Classes[C];
    const double Length = End[X.Phase] - Start[X.Phase];
    X.Left =
        Length > 0 ? std::clamp((End[X.Phase] - Later) / Length, 0.0, 1.0) : 1;
  }
  Running.erase(
      std::remove_if(Running.begin(), Running.end(),
                     [&](uint32_t C) { return Classes[C].Left <= 0; }),
      Running.end());
}

void Remaining::weigh(Class &C) {
  double Longest = 0, Sum = 0, Mean = 0;
  for (const Row &X : C.Rows) {
    Longest = std::max(Longest, X.Seconds);
    Mean += X.Seconds / double(C.Rows.size());
  }
  for (Row &X : C.Rows) {
    X.Weight = Longest > 0 ? std::exp((X.Seconds - Longest) /
                                      (figures().TradeSmoothing * Longest))
                           : 0;
    Sum += X.Weight;
  }
  C.Smoothed = Longest > 0
                   ? Longest * (1 + figures().TradeSmoothing * std::log(Sum)) +
                         figures().MeanWeight * Mean
                   : 0;
  if (Longest > 0)
    for (Row &X : C.Rows)
      X.Weight = X.Weight / Sum + figures().MeanWeight / double(C.Rows.size());
  C.Changed = false;
}

void Remaining::weighRows() {
  for (size_t G = 0; G < Runs.size(); ++G) {
    Copied[G].assign(Runs[G].size(), {});
    Made[G].assign(Runs[G].size(), {});
  }
  for (Class &C : Classes) {
    if (C.Changed)
      weigh(C);
    for (size_t T = 0; T < C.Rows.size(); ++T) {
      const double All = C.Rows[T].Weight * C.Count;
      Made[C.Group][T].add(All, C.Worth);
      Copied[C.Group][T].add(All * C.Left, C.Worth);
    }
  }
}

void Remaining::addValues(const std::vector<char> &Lives,
                          std::vector<double> &Value,
                          std::vector<double> &Whole) {
  weighRows();
  for (size_t G = 0; G < Runs.size(); ++G)
    for (size_t T = 0; T < Runs[G].size(); ++T)
      for (const Run &Y : Runs[G][T]) {
        const Weight &Its = Lives[Y.First] ? Copied[G][T] : Made[G][T];
        if (Its.Whole == 0)
          continue;
        double *V = Value.data() + Y.First, *W = Whole.data() + Y.First;
        const double *Gain = Gains[G].data() + Y.At;
        for (uint32_t K = 0; K < Y.Count; ++K) {
          V[K] += Its.Discounted * Gain[K];
          W[K] += Its.Whole * Gain[K];
        }
      }
}

double Remaining::seconds() const {
  double Sum = 0;
  for (const Class &C : Classes) {
    double Longest = 0;
    for (const Row &X : C.Rows)
      Longest = std::max(Longest, X.Seconds);
    Sum += Longest * C.Count;
  }
  return Sum;
}

double Remaining::smoothed() const {
  double Sum = 0;
  for (const Class &C : Classes)
    Sum += C.Smoothed * C.Count;
  return Sum;
}

/// Only needed if something is traded.
void Remaining::findUsers() {
  constexpr std::pair<uint32_t, uint32_t> Nobody{EK_NO_TASK, EK_NO_TASK};
  std::vector<std::pair<uint32_t, uint32_t>> Last(P.Units.size(), Nobody);
  auto Each = [&](auto &&Use) {
    std::fill(Last.begin(), Last.end(), Nobody);
    for (uint32_t G = 0; G < Runs.size(); ++G)
      for (uint32_t T = 0; T < Runs[G].size(); ++T)
        for (const Run &X : Runs[G][T])
          for (uint32_t U = X.First; U < X.First + X.Count; ++U)
            // In a row of many tasks, several tasks may name the same unit.
            if (std::exchange(Last[U], std::make_pair(G, T)) !=
                std::make_pair(G, T))
              Use(U, G, T);
  };
  UsersOf.assign(P.Units.size() + 1, 0);
  Each([&](uint32_t U, uint32_t, uint32_t) { ++UsersOf[U + 1]; });
  std::partial_sum(UsersOf.begin(), UsersOf.end(), UsersOf.begin());
  Users.resize(UsersOf.back());
  std::vector<size_t> Next = UsersOf;
  Each([&](uint32_t U, uint32_t G, uint32_t T) { Users[Next[U]++] = {G, T}; });
}

void Remaining::shift(uint32_t U, double Share, bool Lives) {
  if (UsersOf.empty())
    findUsers();
  for (size_t I = UsersOf[U]; I < UsersOf[U + 1]; ++I) {
    auto [G, T] = Users[I];
    for (uint32_t Which : ClassesOf[G]) {
      Class &C = Classes[Which];
      const double Left = Lives ? C.Left : 1;
      if (Left <= 0)
        continue;
      for (const Run &Y : Runs[G][T])
        if (U - Y.First < Y.Count)
          C.Rows[T].Seconds -=
              Gains[G][Y.At + U - Y.First] * Share * C.Worth * Left;
      C.Changed = true;
    }
  }
}

/// Needs an exponential per task and unit: only computed if some trade would
/// pay without waits.
const std::vector<double> *Remaining::waits(const Machine &M) {
  if (Meanwhile >= Place.size())
    return nullptr;
  std::vector<double> &Wait = Waits[Alike.Of[Place[Meanwhile]]];
  if (!Wait.empty())
    return &Wait;
  const PredictedPhase &H = P.Phases[Place[Meanwhile]];
  const double Away = M.MigrationPageUs * 1e-6;
  const double Seconds = End[Meanwhile] - Start[Meanwhile];
  Wait.assign(P.Units.size(), 0);
  for (const PredictedTask &T : H.Tasks)
    for (const UnitDemand &D : T.Demand.Units) {
      // As in replay: among fetches at random times and a constant rate, the
      // first one waits for the rest of the time during which the page is
      // inaccessible.
      const double Pages = std::max(1.0, P.Units[D.Unit].Bytes / EK_PAGE);
      const double Rate = D.ReadLines / Pages / Seconds;
      if (Seconds > 0 && Rate > 0)
        Wait[D.Unit] += (Away + std::expm1(-Rate * Away) / Rate) /
                        static_cast<double>(H.Tasks.size());
    }
  for (double &X : Wait)
    X /= EK_PAGE;
  return &Wait;
}

double Remaining::startOf(uint32_t Phase) const {
  const auto At =
      std::partition_point(Place.begin(), Place.end(), [&](uint32_t H) {
        return P.Phases[H].Phase < Phase;
      });
  return At == Place.end() ? std::numeric_limits<double>::infinity()
                           : Start[size_t(At - Place.begin())];
}
