//===- Rivals.cpp - code shared by the papers' planners -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Rivals.h.
//===----------------------------------------------------------------------===//
#include "Rivals.h"
#include "models/Phase.h"
#include <algorithm>
#include <cmath>
#include <map>

using namespace evenkeel;

std::vector<SiteObject> evenkeel::siteObjects(const Problem &P) {
  std::map<uint64_t, SiteObject> Sites;
  for (const PredictedInstance &I : P.Instances) {
    SiteObject &O = Sites[I.Site];
    O.Site = I.Site;
    ++O.Instances;
    O.FirstPhase = std::min(O.FirstPhase, I.AllocPhase);
    O.LastPhase = std::max(O.LastPhase, I.FreePhase);
  }
  // For peaks: add bytes at the start of a lifetime, subtract them after its
  // end.
  std::map<uint64_t, std::map<uint64_t, double>> Change;
  for (const PredictedInstance &I : P.Instances) {
    Change[I.Site][I.AllocPhase] += I.Bytes;
    if (I.FreePhase != EK_NO_TASK)
      Change[I.Site][uint64_t(I.FreePhase) + 1] -= I.Bytes;
  }
  for (auto &[Site, At] : Change) {
    double Live = 0;
    for (auto [Phase, Bytes] : At)
      Sites[Site].Bytes = std::max(Sites[Site].Bytes, Live += Bytes);
  }
  for (uint32_t U = 0; U < P.Units.size(); ++U)
    Sites[P.Instances[P.Units[U].Instance].Site].Units.push_back(U);
  for (const PredictedPhase &H : P.Phases)
    for (const PredictedTask &T : H.Tasks)
      for (const UnitDemand &D : T.Demand.Units) {
        SiteObject &O = Sites[P.Instances[P.Units[D.Unit].Instance].Site];
        O.Reads += D.ReadLines;
        O.Writes += D.WriteLines;
        O.Exposed += D.Exposed;
      }
  std::vector<SiteObject> Out;
  for (auto &Entry : Sites)
    Out.push_back(std::move(Entry.second));
  return Out;
}

Room::Room(const Problem &P) : P(P) {
  Borders.push_back(0);
  for (const PredictedInstance &I : P.Instances) {
    Borders.push_back(I.AllocPhase);
    if (I.FreePhase != EK_NO_TASK)
      Borders.push_back(I.FreePhase + 1);
  }
  std::sort(Borders.begin(), Borders.end());
  Borders.erase(std::unique(Borders.begin(), Borders.end()), Borders.end());
  Free.assign(Borders.size(), P.FastBytes);
}

std::pair<size_t, size_t> Room::life(uint32_t Unit) const {
  const PredictedInstance &I = P.Instances[P.Units[Unit].Instance];
  auto At = [&](uint32_t Phase) {
    return size_t(std::lower_bound(Borders.begin(), Borders.end(), Phase) -
                  Borders.begin());
  };
  return {At(I.AllocPhase),
          I.FreePhase == EK_NO_TASK ? Borders.size() : At(I.FreePhase + 1)};
}

double Room::of(uint32_t Unit) const {
  auto [From, To] = life(Unit);
  double Least = P.FastBytes;
  for (size_t K = From; K < To; ++K)
    Least = std::min(Least, Free[K]);
  return std::max(0.0, Least);
}

void Room::take(uint32_t Unit, double Bytes) {
  auto [From, To] = life(Unit);
  for (size_t K = From; K < To; ++K)
    Free[K] -= Bytes;
}

bool Room::takeAll(const std::vector<uint32_t> &Units) {
  for (size_t N = 0; N < Units.size(); ++N) {
    double Bytes = P.Units[Units[N]].Bytes;
    if (of(Units[N]) < Bytes) {
      giveBack({Units.begin(), Units.begin() + long(N)});
      return false;
    }
    take(Units[N], Bytes);
  }
  return true;
}

void Room::giveBack(const std::vector<uint32_t> &Units) {
  for (uint32_t U : Units)
    take(U, -P.Units[U].Bytes);
}

Placement evenkeel::wholeObjects(const Problem &P,
                                 const std::vector<SiteObject> &Objects,
                                 const std::vector<double> &Worth,
                                 double LeastBytes) {
  std::vector<size_t> Order;
  for (size_t I = 0; I < Objects.size(); ++I)
    if (Worth[I] > 0 && Objects[I].Bytes >= LeastBytes)
      Order.push_back(I);
  std::sort(Order.begin(), Order.end(), [&](size_t A, size_t B) {
    double VA = Worth[A] * Objects[B].Bytes, VB = Worth[B] * Objects[A].Bytes;
    return VA != VB ? VA > VB : A < B;
  });
  Placement Out;
  Out.FastShare.assign(P.Units.size(), 0);
  Room Time(P);
  for (size_t I : Order)
    if (Time.takeAll(Objects[I].Units))
      for (uint32_t U : Objects[I].Units)
        Out.FastShare[U] = 1;
  return Out;
}

Placement evenkeel::scheduleOf(const Problem &P,
                               const std::vector<std::vector<double>> &Wishes) {
  const size_t N = P.Units.size();
  Placement Out;
  Out.FastShare.assign(N, 0);
  std::vector<double> X(N, 0);
  std::vector<uint64_t> Since(N, 0); // when a unit came in: first in, first out
  std::vector<bool> Known(N, false);
  uint64_t Clock = 0;
  for (size_t H = 0; H < P.Phases.size(); ++H) {
    const uint32_t Phase = P.Phases[H].Phase;
    const std::vector<double> &Wish = Wishes[H];
    if (Wish.empty())
      continue;
    double Used = 0;
    std::vector<uint32_t> Leaving;
    bool Changed = false;
    for (uint32_t U = 0; U < N; ++U) {
      const PredictedInstance &I = P.Instances[P.Units[U].Instance];
      if (I.AllocPhase > Phase)
        continue;
      if (!isLive(I, Phase)) {
        X[U] = 0;
        continue;
      }
      if (Wish[U] > X[U]) {
        if (!Known[U])
          Out.FastShare[U] = Wish[U]; // new: lies there from the start
        else
          Changed = true;
        X[U] = Wish[U];
        Since[U] = ++Clock;
      } else if (Wish[U] < X[U]) {
        Leaving.push_back(U);
      }
      Known[U] = true;
      Used += X[U] * P.Units[U].Bytes;
    }
    std::sort(Leaving.begin(), Leaving.end(), [&](uint32_t A, uint32_t B) {
      return Since[A] != Since[B] ? Since[A] < Since[B] : A < B;
    });
    for (uint32_t U : Leaving) {
      if (Used <= P.FastBytes)
        break;
      double Part =
          std::min(X[U] - Wish[U], (Used - P.FastBytes) / P.Units[U].Bytes);
      X[U] -= Part;
      Used -= Part * P.Units[U].Bytes;
      Changed = true;
    }
    if (Changed)
      Out.Changes.push_back({Phase, X});
  }
  return Out;
}

double evenkeel::moveSeconds(const Machine &M, double Bytes) {
  double Ns = Bytes / EK_PAGE * M.MigrationPageUs * 1e3;
  if (M.MigrationBandwidthGBps > 0)
    Ns += Bytes / M.MigrationBandwidthGBps;
  return Ns * 1e-9;
}

PredictedPhase evenkeel::wholeRun(const Problem &P) {
  std::map<std::pair<bool, uint32_t>, PredictedTask> Sum;
  std::map<std::pair<bool, uint32_t>, std::map<uint32_t, UnitDemand>> Units;
  PredictedPhase Out;
  for (const PredictedPhase &H : P.Phases) {
    Out.Workers = std::max(Out.Workers, H.Workers);
    for (const PredictedTask &T : H.Tasks) {
      std::pair<bool, uint32_t> Key{T.Explicit, T.Index};
      PredictedTask &S = Sum[Key];
      S.Region = T.Region;
      S.Index = T.Index;
      S.Explicit = T.Explicit;
      S.Demand.CoreSeconds += T.Demand.CoreSeconds;
      for (const UnitDemand &D : T.Demand.Units) {
        UnitDemand &X = Units[Key][D.Unit];
        X.Unit = D.Unit;
        X.ReadLines += D.ReadLines;
        X.WriteLines += D.WriteLines;
        X.Exposed += D.Exposed;
      }
    }
  }
  for (auto &[Key, T] : Sum) {
    for (auto &Entry : Units[Key])
      T.Demand.Units.push_back(Entry.second);
    Out.Tasks.push_back(std::move(T));
  }
  return Out;
}
