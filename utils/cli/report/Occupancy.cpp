//===- Occupancy.cpp - how full fast memory is ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Occupancy.h.
//===----------------------------------------------------------------------===//
#include "Occupancy.h"
#include "models/shares/FirstTouch.h"
#include "models/shares/Planned.h"
#include <algorithm>

namespace evenkeel::cli {
namespace {

/// When an instance takes pages: from its first use on, and not in a phase that
/// frees it unused.
struct Life {
  uint32_t FirstUse = EK_NO_TASK, LastUse = 0;

  bool takesPages(const PredictedInstance &I, uint32_t Phase) const {
    const bool Used = FirstUse != EK_NO_TASK;
    return isLive(I, Phase) && (!Used || FirstUse <= Phase) &&
           !(I.FreePhase == Phase && (!Used || LastUse < Phase));
  }
};

std::vector<Life> livesOf(const Problem &P) {
  std::vector<Life> Out(P.Instances.size());
  for (const PredictedPhase &H : P.Phases)
    for (const PredictedTask &T : H.Tasks)
      for (const UnitDemand &D : T.Demand.Units) {
        Life &L = Out[P.Units[D.Unit].Instance];
        L.FirstUse = std::min(L.FirstUse, H.Phase);
        L.LastUse = std::max(L.LastUse, H.Phase);
      }
  return Out;
}

/// Bytes in fast memory by instance, of those that take the tier's room.
std::vector<double> fastBytes(const Problem &P,
                              const std::vector<double> &Shares) {
  std::vector<double> Out(P.Instances.size(), 0);
  for (uint32_t U = 0; U < P.Units.size(); ++U)
    if (takesRoom(P, U))
      Out[P.Units[U].Instance] += Shares[U] * P.Units[U].Bytes;
  return Out;
}

bool isSame(const PlanObject &A, const PlanObject &B) {
  return A.Site == B.Site && A.Context == B.Context && A.Creator == B.Creator &&
         A.Ordinal == B.Ordinal && A.OfSite == B.OfSite;
}

/// \p P after the moves of \p C.
void apply(const PlanChange &C, Plan &P) {
  for (const PlanObject &O : C.Objects) {
    auto At =
        std::find_if(P.Objects.begin(), P.Objects.end(),
                     [&](const PlanObject &Old) { return isSame(Old, O); });
    if (At == P.Objects.end())
      P.Objects.push_back(O);
    else
      *At = O;
  }
}

} // namespace

void addOccupancy(const ReportInput &In, ReportData &D) {
  const Problem &Pr = *In.Pr;
  const std::vector<Life> Lives = livesOf(Pr);
  const std::vector<double> Touch = fastBytes(Pr, firstTouchShares(Pr));
  Plan Now = *In.P;
  std::vector<double> Planned = fastBytes(Pr, sharesOf(Pr, Now));
  size_t Applied = 0;
  std::map<uint32_t, OccupancyData> ByPhase;
  for (const PredictedPhase &H : Pr.Phases) {
    const size_t Before = Applied;
    while (Applied < In.P->Changes.size() &&
           In.P->Changes[Applied].Phase <= H.Phase)
      apply(In.P->Changes[Applied++], Now);
    if (Applied != Before)
      Planned = fastBytes(Pr, sharesOf(Pr, Now));
    OccupancyData &O = ByPhase[H.Phase];
    for (size_t I = 0; I < Pr.Instances.size(); ++I) {
      if (isLive(Pr.Instances[I], H.Phase))
        O.Allocated += Pr.Instances[I].Bytes;
      if (Lives[I].takesPages(Pr.Instances[I], H.Phase)) {
        O.FirstTouch += Touch[I];
        O.Plan += Planned[I];
      }
    }
  }
  for (const GroupData &G : D.Groups) {
    OccupancyData Most;
    for (const uint32_t Phase : G.Its.Phases)
      if (auto At = ByPhase.find(Phase); At != ByPhase.end()) {
        Most.Allocated = std::max(Most.Allocated, At->second.Allocated);
        Most.FirstTouch = std::max(Most.FirstTouch, At->second.FirstTouch);
        Most.Plan = std::max(Most.Plan, At->second.Plan);
      }
    D.Occupancy.push_back(Most);
  }
}

} // namespace evenkeel::cli
