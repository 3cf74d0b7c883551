//===- EcoHmem.cpp - ecoHMEM's advisor with its refinements ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: ecoHMEM (IEEE Cluster 2022), HMem Advisor (repository
// accelcom-bsc/ecoHMEM, core/engine.py and misc/bw_aware.py). Objects are
// sites.
//  1. greedy: value = (loads * load latency + stores * store latency of the
//     slow tier) / pages; what fits, by value, with the sum of peak sizes.
//  2. fit_extra_objects: live bytes over time; objects whose lifetime fits
//     under the limit are added.
//  3. bw_aware: objects of high bandwidth in slow memory change places with
//     objects of low bandwidth in fast memory. The advisor's limits are sampled
//     loads per lifetime (1e5, 3e4); here the same ratio, as a share of the
//     slow tier's bandwidth, so that they do not depend on a sampling rate.
// Parameters: extra (2.) and high (3.; 0 = off).
//===----------------------------------------------------------------------===//
#include "models/Phase.h"
#include "planner/Registry.h"
#include "planner/Rivals.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;

static const std::vector<Tunable> &tunables() {
  static const std::vector<Tunable> T = {
      {"extra", 1, {0, 1}, "1 = fill up by lifetimes"},
      {"high",
       0,
       {0, 0.02, 0.1, 0.3},
       "share of slow bandwidth that is high for an object; 0 = no swaps"}};
  return T;
}

namespace {

class EcoHmem : public Planner {
  const bool Extra;
  const double High;

public:
  EcoHmem(bool Extra, double High) : Extra(Extra), High(High) {}
  std::string name() const override { return "ecohmem"; }

  Placement place(const Problem &P, const Machine &M,
                  const Model &Mod) const override {
    std::vector<SiteObject> Objects = siteObjects(P);
    const Tier &S = M.Tiers.back();
    auto Value = [&](const SiteObject &O) {
      return O.Reads * S.ReadLatencyNs + O.Writes * S.WriteLatencyNs;
    };
    std::sort(Objects.begin(), Objects.end(),
              [&](const SiteObject &A, const SiteObject &B) {
                double VA = Value(A) * B.Bytes, VB = Value(B) * A.Bytes;
                return VA != VB ? VA > VB : A.Site < B.Site;
              });
    std::vector<bool> Fast(Objects.size(), false);
    Room Time(P);
    double Left = P.FastBytes;
    for (size_t I = 0; I < Objects.size(); ++I)
      if (Value(Objects[I]) > 0 && Objects[I].Bytes <= Left &&
          Time.takeAll(Objects[I].Units)) {
        Fast[I] = true;
        Left -= Objects[I].Bytes;
      }
    auto FillUp = [&] {
      for (size_t I = 0; I < Objects.size(); ++I)
        if (!Fast[I] && Value(Objects[I]) > 0 && Time.takeAll(Objects[I].Units))
          Fast[I] = true;
    };
    if (Extra)
      FillUp();
    if (High > 0) {
      swapByBandwidth(P, M, Mod, Objects, Time, Fast);
      if (Extra)
        FillUp();
    }
    Placement Out;
    Out.FastShare.assign(P.Units.size(), 0);
    for (size_t I = 0; I < Objects.size(); ++I)
      for (uint32_t U : Objects[I].Units)
        Out.FastShare[U] = Fast[I];
    return Out;
  }

private:
  void swapByBandwidth(const Problem &P, const Machine &M, const Model &Mod,
                       const std::vector<SiteObject> &Objects, Room &Time,
                       std::vector<bool> &Fast) const {
    // Bandwidth over the lifetime, with everything slow, as profiled.
    std::vector<double> None(P.Units.size(), 0), Seconds;
    for (const PredictedPhase &H : P.Phases)
      Seconds.push_back(phaseSeconds(H, None, M, Mod));
    std::vector<double> Share;
    for (const SiteObject &O : Objects) {
      double Life = 0;
      for (size_t H = 0; H < P.Phases.size(); ++H)
        if (P.Phases[H].Phase >= O.FirstPhase &&
            P.Phases[H].Phase <= O.LastPhase)
          Life += Seconds[H];
      double Bytes = O.Reads * LineBytes;
      Share.push_back(Life > 0 ? Bytes / (Life * 1e9) /
                                     M.Tiers.back().ReadBandwidthGBps
                               : 0);
    }
    const double Low = High * 0.3; // Th_R_L / Th_R
    std::vector<size_t> Wanted, Given;
    for (size_t I = 0; I < Objects.size(); ++I) {
      if (!Fast[I] && Share[I] >= High)
        Wanted.push_back(I);
      if (Fast[I] && Share[I] < Low)
        Given.push_back(I);
    }
    auto By = [&](size_t A, size_t B) {
      return Share[A] != Share[B] ? Share[A] > Share[B] : A < B;
    };
    std::sort(Wanted.begin(), Wanted.end(), By);
    std::sort(Given.rbegin(), Given.rend(), By); // least first
    for (size_t W : Wanted) {
      std::vector<size_t> Out;
      bool Fits = Time.takeAll(Objects[W].Units);
      for (size_t G : Given) {
        if (Fits)
          break;
        if (!Fast[G])
          continue;
        Time.giveBack(Objects[G].Units);
        Out.push_back(G);
        Fits = Time.takeAll(Objects[W].Units);
      }
      if (Fits)
        Fast[W] = true;
      for (size_t G : Out)
        Fast[G] = !Fits && Time.takeAll(Objects[G].Units);
    }
  }
};

} // namespace

static std::unique_ptr<Planner> make(const Settings &S) {
  return std::make_unique<EcoHmem>(settingOf(S, tunables(), "extra") > 0,
                                   settingOf(S, tunables(), "high"));
}

EK_RIVAL(EcoHmem, "ecohmem", nullptr, make, tunables)
