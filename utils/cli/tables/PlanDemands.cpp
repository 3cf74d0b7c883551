//===- PlanDemands.cpp - predicted accesses by object ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PlanDemands.h.
//===----------------------------------------------------------------------===//
#include "PlanDemands.h"
#include "format/plan/PlanIndex.h"
#include <algorithm>
#include <cmath>
#include <numeric>

namespace evenkeel::cli {

double SiteDemand::sum() const {
  return std::accumulate(Lines.begin(), Lines.end(), 0.0);
}

std::map<ObjectName, std::vector<SiteDemand>>
demandsOf(const Problem &P, const PlannedObjects &Objects) {
  std::map<ObjectName, std::vector<SiteDemand>> Out;
  std::vector<std::vector<SiteDemand> *> OfInstance; // null: no accesses
  OfInstance.resize(P.Instances.size());
  for (size_t Phase = 0; Phase < P.Phases.size(); ++Phase) {
    const std::vector<PredictedTask> &Tasks = P.Phases[Phase].Tasks;
    for (size_t T = 0; T < Tasks.size(); ++T)
      for (const UnitDemand &D : Tasks[T].Demand.Units) {
        const uint32_t I = P.Units[D.Unit].Instance;
        if (!OfInstance[I])
          OfInstance[I] = &Out[Objects.of(P.Instances[I])];
        std::vector<SiteDemand> &All = *OfInstance[I];
        if (All.empty() || All.back().Phase != Phase) {
          All.push_back({Phase, {}, 0});
          All.back().Lines.resize(Tasks.size());
        }
        All.back().Lines[T] += D.ReadLines + D.WriteLines;
      }
    for (const PredictedTask &T : Tasks)
      for (const Estimate &E : T.Estimates) {
        auto *All = OfInstance[E.Instance];
        if (!All)
          if (auto It = Out.find(Objects.of(P.Instances[E.Instance]));
              It != Out.end())
            All = OfInstance[E.Instance] = &It->second;
        if (All && All->back().Phase == Phase && E.Lines > 0)
          All->back().Bound =
              std::max(All->back().Bound, std::expm1(boundOf(E)));
      }
  }
  return Out;
}

std::map<ObjectName, double> bytesOf(const Problem &P,
                                     const PlannedObjects &Objects) {
  std::map<ObjectName, double> Bytes;
  for (const PredictedInstance &I : P.Instances)
    Bytes[Objects.of(I)] += I.Bytes;
  return Bytes;
}

std::map<ObjectName, double> fastShares(const Plan &X, const Problem &P,
                                        const PlannedObjects &Objects) {
  std::map<ObjectName, double> Fast, All = bytesOf(P, Objects);
  const PlanIndex Index(X.Objects);
  for (const PredictedInstance &I : P.Instances)
    if (const PlanObject *O = Index.find(nameOf(I)))
      Fast[Objects.of(I)] += O->Share * I.Bytes;
  for (auto &[Which, Bytes] : Fast)
    Bytes = All[Which] ? Bytes / All[Which] : 0;
  return Fast;
}

SiteShapes::SiteShapes(const Facts &F) : Name(symbolNames(F)) {
  for (const AccessFact &A : F.Accesses)
    for (uint64_t Site : A.Sites)
      if (auto &All = Of[{A.Region, Site}]; All.empty() || All.back() != &A)
        All.push_back(&A);
}

const SiteShape &SiteShapes::of(const ObjectName &Which, uint64_t Region) {
  auto [Known, New] = Made.try_emplace({Region, Which});
  SiteShape &S = Known->second;
  auto Its = Of.find({Region, Which.Site});
  if (!New || Its == Of.end())
    return S;
  std::map<std::string, unsigned> Classes;
  std::vector<std::string> Parts;
  for (const AccessFact *A : Its->second) {
    if (Which.Context && !A->Contexts.empty() &&
        std::find(A->Contexts.begin(), A->Contexts.end(), Which.Context) ==
            A->Contexts.end())
      continue;
    ++Classes[text(A->Class)];
    for (const ExprRef &E : {A->Reads, A->Writes}) {
      std::string Text = exprToText(*E, Name);
      if (Text != "0")
        Parts.push_back(Text);
    }
  }
  for (const auto &[Class, N] : Classes)
    S.Classes += (S.Classes.empty() ? "" : "+") + Class;
  // Equal terms are common (a read and a write in the same loop).
  std::sort(Parts.begin(), Parts.end());
  for (size_t I = 0; I < Parts.size();) {
    const size_t N = size_t(std::upper_bound(Parts.begin() + std::ptrdiff_t(I),
                                             Parts.end(), Parts[I]) -
                            Parts.begin()) -
                     I;
    S.Formula += (S.Formula.empty() ? "" : " + ") +
                 (N > 1 ? std::to_string(N) + "*(" + Parts[I] + ")" : Parts[I]);
    I += N;
  }
  return S;
}

} // namespace evenkeel::cli
