//===- HmemAdvisor.cpp - ecoHMEM's advisor to the letter ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: ecoHMEM (IEEE Cluster 2022), HMem Advisor (repository
// accelcom-bsc/ecoHMEM). The steps are those of profiles/advisor/, whose output
// equals the original's byte for byte; here is what they get and what becomes
// of the result. EcoHmem.cpp has the method without the original's fixed
// figures. Objects are sites: loads and stores are predicted lines, weights are
// the latencies of the tiers in whole nanoseconds, sizes are peaks of live
// bytes. There is one process, so the step that looks at process 10 finds
// nothing. The thresholds of bandwidth are sampled accesses per time: time is
// stretched so that each task has `hertz` samples in a second, as Extrae takes
// them. An allocation that finds no room at run time goes to slow memory, as
// with FlexMalloc. Parameters: bw (0 = --disable-bw-aware) and hertz.
//===----------------------------------------------------------------------===//
#include "advisor/Advisor.h"
#include "models/Phase.h"
#include "planner/Registry.h"
#include "planner/Rivals.h"
#include <algorithm>
#include <cmath>
#include <map>

using namespace evenkeel;

static const std::vector<Tunable> &tunables() {
  static const std::vector<Tunable> T = {
      {"bw", 1, {0, 1}, "1 = objects change places by bandwidth"},
      {"hertz", 100, {100, 1000}, "samples per second and task"}};
  return T;
}

static int64_t whole(double Figure) {
  return int64_t(std::clamp(std::round(Figure), 0.0, 0x1p52));
}

/// A stack that names \p Site.
static std::string stackOf(uint64_t Site) {
  static const char *const Digits = "0123456789abcdef";
  std::string Out = "site!";
  for (int Shift = 60; Shift >= 0; Shift -= 4)
    Out += Digits[Site >> Shift & 15];
  return Out;
}

/// The start of each phase, and the end of the last, in nanoseconds of a run
/// with all data in slow memory, stretched as the first comment says.
static std::vector<int64_t> timesOf(const Problem &P, const Machine &M,
                                    const Model &Mod, double Hertz) {
  std::vector<double> None(P.Units.size(), 0), Ends(1, 0);
  double Lines = 0, TaskSeconds = 0;
  for (const PredictedPhase &H : P.Phases) {
    double Seconds = phaseSeconds(H, None, M, Mod);
    Ends.push_back(Ends.back() + Seconds);
    TaskSeconds += Seconds * double(H.Tasks.size());
    for (const PredictedTask &T : H.Tasks)
      for (const UnitDemand &D : T.Demand.Units)
        Lines += D.ReadLines + D.WriteLines;
  }
  double Stretch = TaskSeconds > 0 ? Lines / (Hertz * TaskSeconds) : 1;
  std::vector<int64_t> Out;
  for (double End : Ends) // no phase without time
    Out.push_back(
        std::max(whole(End * 1e9 * Stretch), Out.empty() ? 0 : Out.back() + 1));
  return Out;
}

/// The allocations of process 1; objects are numbered as in \p Objects.
static ecohmem::AllocsInfo allocationsOf(const Problem &P,
                                         const std::vector<SiteObject> &Objects,
                                         const std::vector<int64_t> &Times) {
  ecohmem::AllocsInfo Out;
  std::map<uint64_t, int64_t> Number;
  for (const SiteObject &O : Objects) {
    Number[O.Site] = int64_t(Number.size()) + 1;
    Out.Objects[stackOf(O.Site)] = Number[O.Site];
  }
  auto At = [&](uint32_t Phase, bool End) {
    size_t I = 0; // phases of the problem, which may be a part of the run
    while (I < P.Phases.size() &&
           (End ? P.Phases[I].Phase <= Phase : P.Phases[I].Phase < Phase))
      ++I;
    return Times[I];
  };
  for (const PredictedInstance &I : P.Instances) {
    ecohmem::Allocation A;
    A.AllocTime = At(I.AllocPhase, false);
    A.FreeTime = std::max(At(I.FreePhase, true), A.AllocTime + 1);
    A.Bytes = whole(I.Bytes);
    A.Object = Number[I.Site];
    Out.Allocations.push_back(A);
  }
  return Out;
}

namespace {

class HmemAdvisor : public Planner {
  const bool ByBandwidth;
  const double Hertz;

public:
  HmemAdvisor(bool ByBandwidth, double Hertz)
      : ByBandwidth(ByBandwidth), Hertz(Hertz) {}
  std::string name() const override { return "hmem-advisor"; }

  Placement place(const Problem &P, const Machine &M,
                  const Model &Mod) const override {
    const std::vector<SiteObject> Objects = siteObjects(P);
    advisor::Options O;
    O.BandwidthAware = ByBandwidth;
    advisor::Distribution D = inputOf(P, M, Objects, O);
    const ecohmem::AllocsInfo Allocs =
        allocationsOf(P, Objects, timesOf(P, M, Mod, Hertz));
    std::vector<bool> Fast(Objects.size(), false);
    if (!advisor::advise(O, &Allocs, D))
      for (uint32_t I : D.InTier[0])
        Fast[size_t(Allocs.Objects.at(D.Objects[I].Stack)) - 1] = true;
    return inRoom(P, Objects, Fast);
  }

private:
  static advisor::Distribution inputOf(const Problem &P, const Machine &M,
                                       const std::vector<SiteObject> &Objects,
                                       const advisor::Options &O) {
    auto Weight = [](double Ns) { return std::max<int64_t>(1, whole(Ns)); };
    const Tier &F = M.Tiers.front(), &S = M.Tiers.back();
    const int64_t NoLimit = int64_t(1) << 61;
    advisor::Distribution D;
    D.Tiers =
        *advisor::tiersOf({{"DRAM", "posix", Weight(F.ReadLatencyNs),
                            Weight(F.WriteLatencyNs), whole(P.FastBytes)},
                           {"PMEM", "memkind/pmem", Weight(S.ReadLatencyNs),
                            Weight(S.WriteLatencyNs), NoLimit}},
                          O);
    for (const SiteObject &X : Objects) {
      advisor::Object A;
      A.Stack = stackOf(X.Site);
      A.Loads = whole(X.Reads);
      A.Stores = whole(X.Writes);
      A.Bytes = whole(X.Bytes);
      A.Pages = (A.Bytes + O.PageBytes - 1) / O.PageBytes;
      A.SameStack = uint32_t(D.Objects.size());
      if (A.Loads + A.Stores > 0 && A.Bytes > 0)
        D.Objects.push_back(std::move(A));
    }
    return D;
  }

  /// Allocations in the order of the run, each if it finds room.
  static Placement inRoom(const Problem &P,
                          const std::vector<SiteObject> &Objects,
                          const std::vector<bool> &Fast) {
    std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> Wanted;
    for (size_t I = 0; I < Objects.size(); ++I)
      for (uint32_t U : Objects[I].Units)
        if (Fast[I])
          Wanted[{P.Instances[P.Units[U].Instance].AllocPhase,
                  P.Units[U].Instance}]
              .push_back(U);
    Placement Out;
    Out.FastShare.assign(P.Units.size(), 0);
    Room Left(P);
    for (const auto &[When, Units] : Wanted)
      if (Left.takeAll(Units))
        for (uint32_t U : Units)
          Out.FastShare[U] = 1;
    return Out;
  }
};

} // namespace

static std::unique_ptr<Planner> make(const Settings &S) {
  return std::make_unique<HmemAdvisor>(settingOf(S, tunables(), "bw") > 0,
                                       settingOf(S, tunables(), "hertz"));
}

EK_RIVAL(HmemAdvisor, "hmem-advisor", nullptr, make, tunables)
