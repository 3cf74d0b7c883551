//===- Fixed.cpp - objects that no plan moves -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows, makes, leaves out: see Fixed.h.
//===----------------------------------------------------------------------===//
#include "Fixed.h"
#include "../format/Allocators.h"
#include "AlikePhases.h"
#include "FirstTouch.h"
#include "Phase.h"
#include <algorithm>

namespace evenkeel {

static PredictedInstance::FixedType kindOf(const PredictedInstance &I,
                                           const SiteFact *S) {
  if (!I.Site)
    return PredictedInstance::Unnamed;
  if (EK_RAW_IS_SMALL(I.Ordinal))
    return PredictedInstance::Small;
  if (!S)
    return PredictedInstance::Free;
  if (S->Kind == "stack" || S->Kind == "alloca")
    return PredictedInstance::OnStack;
  const Allocator *A = findAllocator(S->Kind);
  return A && A->From == AllocatorOrigin::Chosen ? PredictedInstance::TierChosen
                                                 : PredictedInstance::Free;
}

void fixObjects(Problem &P, const Facts &F, const Machine &M) {
  bool Any = false, Chosen = false;
  for (PredictedInstance &I : P.Instances) {
    I.Fixed = kindOf(I, F.site(I.Site));
    Any |= I.Fixed != PredictedInstance::Free;
    if (I.Fixed == PredictedInstance::TierChosen) {
      Chosen = true;
      ++P.Methods["not placed: the program chose the tier"];
    } else if (I.Fixed == PredictedInstance::OnStack) {
      ++P.Methods["not placed: on the stack"];
    } else if (I.Fixed == PredictedInstance::Unnamed) {
      ++P.Methods["not placed: no site in the sources"];
    } else if (I.Fixed == PredictedInstance::Small) {
      ++P.Methods["not placed: small blocks"];
    }
  }
  if (!Any)
    return;
  const std::vector<double> Falls = firstTouchShares(P);
  const double Nearer =
      (M.Tiers.back().ReadLatencyNs - M.Tiers.front().ReadLatencyNs) * 1e-9;
  editAlike(P, AlikePhases(P), [&](PredictedPhase &H, uint32_t) {
    for (PredictedTask &T : H.Tasks.edit()) {
      auto Moves = [&](const UnitDemand &D) {
        auto Kind = P.Instances[P.Units[D.Unit].Instance].Fixed;
        const Tier &Where = Kind == PredictedInstance::TierChosen
                                ? M.Tiers.front()
                                : M.Tiers.back();
        if (Kind != PredictedInstance::Free)
          T.Demand.CoreSeconds += D.Exposed * Where.ReadLatencyNs * 1e-9;
        if (Kind != PredictedInstance::Free &&
            Kind != PredictedInstance::TierChosen)
          T.FirstTouchSaves += D.Exposed * Falls[D.Unit] * Nearer;
        return Kind != PredictedInstance::Free;
      };
      auto &Units = T.Demand.Units;
      Units.erase(std::remove_if(Units.begin(), Units.end(), Moves),
                  Units.end());
    }
  });
  double Most = 0;
  for (uint32_t H = 0; Chosen && H < P.Phases.size(); ++H) {
    double Live = 0;
    for (const PredictedInstance &I : P.Instances)
      if (I.Fixed == PredictedInstance::TierChosen && isLive(I, H))
        Live += I.Bytes;
    Most = std::max(Most, Live);
  }
  P.FastBytes = std::max(0.0, P.FastBytes - Most);
}

/// The phase as first touch meets it.
static void placeNothing(PredictedPhase &H) {
  for (PredictedTask &T : H.Tasks.edit()) {
    T.Demand.CoreSeconds =
        std::max(0.0, T.Demand.CoreSeconds - T.FirstTouchSaves);
    T.FirstTouchSaves = 0;
  }
}

Problem whereNothingIsPlaced(Problem P) {
  editAlike(P, AlikePhases(P),
            [](PredictedPhase &H, uint32_t) { placeNothing(H); });
  return P;
}

double firstTouchSaves(const Problem &P, const std::vector<double> &Fast,
                       const Machine &M, const Model &Mod) {
  double Saves = 0;
  for (const PredictedPhase &H : P.Phases) {
    if (std::none_of(
            H.Tasks.begin(), H.Tasks.end(),
            [](const PredictedTask &T) { return T.FirstTouchSaves > 0; }))
      continue;
    PredictedPhase Faster = H;
    placeNothing(Faster);
    Saves += phaseSeconds(H, Fast, M, Mod) - phaseSeconds(Faster, Fast, M, Mod);
  }
  return Saves;
}

void leaveFixed(Placement &Place, const Problem &P) {
  auto Leave = [&](std::vector<double> &Shares) {
    for (size_t U = 0; U < Shares.size() && U < P.Units.size(); ++U)
      if (P.Instances[P.Units[U].Instance].Fixed != PredictedInstance::Free)
        Shares[U] = 0;
  };
  Leave(Place.FastShare);
  for (PlacementChange &C : Place.Changes)
    Leave(C.FastShare);
}

} // namespace evenkeel
