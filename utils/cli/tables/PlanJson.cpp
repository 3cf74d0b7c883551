//===- PlanJson.cpp - plan --json -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PlanJson.h.
//===----------------------------------------------------------------------===//
#include "PlanJson.h"
#include "PlanTables.h"
#include "format/Identity.h"
#include "format/plan/PlanIndex.h"
#include "models/Events.h"
#include <algorithm>
#include <nlohmann/json.hpp>

namespace evenkeel::cli {

using nlohmann::json;

json ungivenJson(const std::vector<UngivenSymbol> &All) {
  json Out = json::array();
  for (const UngivenSymbol &S : All)
    Out.push_back({{"symbol", S.Name},
                   {"kind", text(S.Kind)},
                   {"base_low", S.Low},
                   {"base_high", S.High},
                   {"per_task", S.PerTask},
                   {"taken_as", S.Kept ? "base value" : "estimate"},
                   {"formulas", S.Formulas}});
  return Out;
}

std::map<ObjectName, ObjectGain> gainsOf(const Plan &P, const Problem &Pr,
                                         const PlannedObjects &Objects) {
  std::map<ObjectName, ObjectGain> Out;
  // An entry may hold for several instances; it counts once.
  std::set<const PlanObject *> Seen;
  const PlanIndex Index(P.Objects);
  for (const PredictedInstance &I : Pr.Instances) {
    const PlanObject *O = Index.find(nameOf(I));
    if (!O || !Seen.insert(O).second)
      continue;
    ObjectGain &G = Out[Objects.of(I)];
    G.Seconds += O->GainSeconds;
    if (O->Effect &&
        (!G.Effect || O->Effect->SavedSeconds > G.Effect->SavedSeconds))
      G.Effect = O->Effect;
    if (G.Reason.empty() || double(O->PredictedBytes) > G.Bytes) {
      G.Reason = O->Reason;
      G.Bytes = double(O->PredictedBytes);
    }
  }
  return Out;
}

static json tasksJson(const Plan &P, const Problem &Pr, const Machine &M) {
  std::map<std::tuple<uint32_t, uint32_t, bool>, const TaskDemand *> DemandOf;
  for (const PredictedPhase &Phase : Pr.Phases)
    for (const PredictedTask &T : Phase.Tasks)
      DemandOf[{Phase.Phase, T.Index, T.Explicit}] = &T.Demand;
  json Out = json::array();
  for (const PlanPhase &Phase : P.Phases)
    for (const PlanTask &T : Phase.Tasks) {
      json Row = {{"phase", Phase.Phase},
                  {"region", idToString(Phase.Region)},
                  {"index", T.Index},
                  {"explicit", T.Explicit},
                  {"seconds", T.Seconds},
                  {"slow_only_s", T.SlowOnlySeconds},
                  {"fast_only_s", T.FastOnlySeconds},
                  {"bound_s", T.BoundSeconds}};
      auto It = DemandOf.find({Phase.Phase, T.Index, T.Explicit});
      if (It != DemandOf.end()) {
        std::vector<double> Events = taskEvents(*It->second, M);
        for (size_t I = 0; I < Events.size(); ++I)
          Row["events"][eventNames()[I]] = Events[I];
      }
      Out.push_back(std::move(Row));
    }
  return Out;
}

static json groupsJson(const Plan &P) {
  std::map<uint32_t, const PlanPhase *> Of;
  for (const PlanPhase &H : P.Phases)
    Of[H.Phase] = &H;
  json Out = json::array();
  for (const PhaseGroup &G : groupPhases(phaseKeys(P))) {
    double Seconds = 0;
    const PlanTask *Last = nullptr;
    for (const uint32_t Phase : G.Phases) {
      Seconds += Of[Phase]->Seconds;
      for (const PlanTask &T : Of[Phase]->Tasks)
        if (!Last || T.Seconds > Last->Seconds)
          Last = &T;
    }
    const PlanPhase &H = *Of[G.Phases[0]];
    json Row = {{"phases", G.Phases},
                {"loop", G.Loop ? json(G.Loop) : json(nullptr)},
                {"region", idToString(H.Region)},
                {"at", H.At},
                {"seconds", Seconds},
                {"slowest_task", nullptr}};
    if (Last)
      Row["slowest_task"] = {{"index", Last->Index},
                             {"explicit", Last->Explicit},
                             {"seconds", Last->Seconds}};
    Out.push_back(std::move(Row));
  }
  return Out;
}

static json whyJson(const Plan &P, const PlanEffect &E) {
  json Out = {{"phase", E.Phase},
              {"saved_s", E.SavedSeconds},
              {"bound", E.Bound},
              {"task", E.Task ? json(*E.Task) : json(nullptr)}};
  for (const PlanPhase &H : P.Phases)
    if (H.Phase == E.Phase)
      Out["at"] = H.At;
  return Out;
}

static json objectsJson(const Facts &F, const Plan &P, const Problem &Pr) {
  const PlannedObjects Objects(Pr);
  const auto Demands = demandsOf(Pr, Objects);
  SiteShapes Shapes(F);
  auto Fast = fastShares(P, Pr, Objects);
  auto Gains = gainsOf(P, Pr, Objects);
  json Out = json::array();
  for (const auto &[Which, Bytes] : bytesOf(Pr, Objects)) {
    const SiteFact *S = F.site(Which.Site);
    json O = {{"site", idToString(Which.Site)},
              {"at", S ? S->At : ""},
              {"bytes", Bytes},
              {"fast_share", Fast.count(Which) ? Fast[Which] : 0.0},
              {"gain_s", Gains[Which].Seconds},
              {"why", nullptr},
              {"reason", Gains[Which].Reason},
              {"accesses", json::array()}};
    if (Gains[Which].Effect && !P.KeepsFirstTouch) // else the reason is another
      O["why"] = whyJson(P, *Gains[Which].Effect);
    if (Which.Context) {
      O["context"] = idToString(Which.Context);
      O["place"] = placeOf(F, Which);
    }
    if (auto Its = Demands.find(Which); Its != Demands.end())
      for (const SiteDemand &D : Its->second) {
        const SiteShape &Shape = Shapes.of(Which, Pr.Phases[D.Phase].Region);
        O["accesses"].push_back({{"phase", Pr.Phases[D.Phase].Phase},
                                 {"class", Shape.Classes},
                                 {"count", Shape.Formula},
                                 {"main_memory_lines", D.Lines},
                                 {"lines_bound", D.Bound}});
      }
    Out.push_back(std::move(O));
  }
  return Out;
}

json planJson(const Facts &F, const Plan &P, const Problem &Pr,
              const Machine &M, const Outlook &Ahead) {
  return {{"schema", "evenkeel.prediction/1"},
          {"machine", P.Machine},
          {"planner", P.Planner},
          {"model", P.Model},
          {"fast_bytes", P.FastBytes},
          {"reserved_bytes", P.ReservedBytes},
          {"peak_bytes", Pr.PeakBytes},
          {"keeps_first_touch", P.KeepsFirstTouch},
          {"predicted_makespan_s", P.PredictedMakespan},
          {"predicted_with_moves_s", P.makespan()},
          {"predicted_within", boundOfMakespan(P)},
          {"predicted_all_slow_s", Ahead.AllSlow},
          {"predicted_first_touch_s", Ahead.FirstTouch},
          {"predicted_all_fast_s", Ahead.AllFast},
          {"predicted_task_seconds", tasksJson(P, Pr, M)},
          {"phase_groups", groupsJson(P)},
          {"objects", objectsJson(F, P, Pr)},
          {"methods", Pr.Methods},
          {"assumed", P.Assumed},
          {"notes", P.Notes}};
}

} // namespace evenkeel::cli
