//===- ObjectTable.cpp - the objects of a report --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ObjectTable.h.
//===----------------------------------------------------------------------===//
#include "ObjectTable.h"
#include "TimeTable.h"
#include "cli/tables/PlanJson.h"
#include "cli/tables/SourceNames.h"
#include "planner/Explain.h"
#include "problem/ReachedTiers.h"
#include <algorithm>

namespace evenkeel::cli {
namespace {

/// So many objects that stay slow are tried in fast memory: each costs two
/// predictions.
constexpr size_t MostTried = 8;

class Collector {
  const ReportInput &In;
  ReportData &D;
  const PlannedObjects Objects;
  SourceNames Names;
  SiteShapes Shapes;
  std::map<uint32_t, uint32_t> GroupOf;

  void name(ObjectData &O);
  void addUse(ObjectData &O, const std::vector<SiteDemand> *Uses);
  void tryFast(std::vector<ObjectData> &Shown);

public:
  Collector(const ReportInput &Its, ReportData &Data)
      : In(Its), D(Data), Objects(*In.Pr), Names(In.SourcesRoot),
        Shapes(*In.F) {
    for (uint32_t G = 0; G < D.Groups.size(); ++G)
      for (const uint32_t Phase : D.Groups[G].Its.Phases)
        GroupOf[Phase] = G;
  }
  std::vector<ObjectData> collect();
  /// What costs time, for the objects that are shown.
  void finish(std::vector<ObjectData> &Shown) {
    for (ObjectData &O : Shown)
      name(O);
    tryFast(Shown);
  }
};

} // namespace

/// With a context, the innermost call of a wrapper tells most: there stands the
/// variable.
void Collector::name(ObjectData &O) {
  const SiteFact *S = In.F->site(O.Which.Site);
  std::string At = S ? S->At : "";
  for (const SiteFact::Caller &C :
       S ? S->Contexts : std::vector<SiteFact::Caller>())
    if (O.Which.Context && C.Id == O.Which.Context && !C.Calls.empty())
      At = C.Calls[0];
  O.Name = Names.at(At);
  O.At = withoutColumn(At);
  if (O.At.empty())
    O.At = "unknown place";
}

/// Where the object matters most: where its gain says, else where most of its
/// lines are moved.
void Collector::addUse(ObjectData &O, const std::vector<SiteDemand> *Uses) {
  std::optional<uint32_t> Phase;
  uint64_t Region = 0;
  double Most = 0;
  if (Uses)
    for (const SiteDemand &U : *Uses) {
      const PredictedPhase &H = In.Pr->Phases[U.Phase];
      const bool Decides =
          O.Group && GroupOf.count(H.Phase) && GroupOf[H.Phase] == *O.Group;
      if (Decides ? !Phase || U.sum() > Most : !O.Group && U.sum() > Most) {
        Most = U.sum();
        Phase = H.Phase;
        Region = H.Region;
      }
    }
  if (!Phase)
    return;
  if (!O.Group && GroupOf.count(*Phase))
    O.Group = GroupOf[*Phase];
  O.Classes = Shapes.of(O.Which, Region).Classes;
}

void Collector::tryFast(std::vector<ObjectData> &Shown) {
  if (In.P->KeepsFirstTouch)
    return;
  const Machine Reached = withoutUnreachedTiers(*In.M, In.Pr->PeakBytes);
  const auto Mod = orFail(makeModel(In.P->Model));
  size_t Tried = 0;
  for (ObjectData &O : Shown) {
    ObjectExplanation E;
    if (O.FastShare > 0 || !(O.Heat.Lines > 0))
      continue;
    if (++Tried > MostTried)
      return;
    if (explainObject(*In.Pr, *In.P, Reached, *Mod, O.Which, E))
      O.WouldGain = std::max(0.0, E.Makespan - E.FastMakespan);
  }
}

std::vector<ObjectData> Collector::collect() {
  const auto Demands = demandsOf(*In.Pr, Objects);
  const auto Fast = fastShares(*In.P, *In.Pr, Objects);
  const auto Gains = gainsOf(*In.P, *In.Pr, Objects);
  std::vector<PhaseGroup> Groups;
  for (const GroupData &G : D.Groups)
    Groups.push_back(G.Its);
  std::vector<ObjectData> All;
  for (auto &[Which, Row] : heatRows(In, Objects, Groups)) {
    ObjectData O;
    O.Which = Which;
    O.Bytes = Row.Bytes;
    O.Heat = std::move(Row);
    if (auto At = Fast.find(Which); At != Fast.end())
      O.FastShare = At->second;
    O.PlacedBytes = O.Heat.PredictedBytes * O.FastShare;
    if (auto At = Gains.find(Which); At != Gains.end()) {
      O.GainSeconds = At->second.Seconds;
      O.Reason = At->second.Reason;
      if (const auto &E = At->second.Effect) {
        O.Task = E->Task;
        O.Bound = E->Bound;
        if (auto G = GroupOf.find(In.Pr->Phases[E->Phase].Phase);
            G != GroupOf.end())
          O.Group = G->second;
      }
    }
    auto Uses = Demands.find(Which);
    addUse(O, Uses == Demands.end() ? nullptr : &Uses->second);
    All.push_back(std::move(O));
  }
  // Most saved per byte first, then what moves most lines per byte.
  auto Per = [](double X, double Bytes) { return Bytes > 0 ? X / Bytes : 0; };
  std::sort(All.begin(), All.end(),
            [&](const ObjectData &A, const ObjectData &B) {
              const double X = Per(A.GainSeconds, A.PlacedBytes),
                           Y = Per(B.GainSeconds, B.PlacedBytes);
              if (X != Y)
                return X > Y;
              const double U = Per(A.Heat.Lines, A.Bytes),
                           V = Per(B.Heat.Lines, B.Bytes);
              return U != V ? U > V : A.Which < B.Which;
            });
  return All;
}

void addObjects(const ReportInput &In, ReportData &D) {
  Collector C(In, D);
  std::vector<ObjectData> All = C.collect();
  D.AllObjects = All.size();
  // Of too many, those stay that save most, or move most lines.
  std::vector<size_t> Order(All.size());
  for (size_t I = 0; I < Order.size(); ++I)
    Order[I] = I;
  std::sort(Order.begin(), Order.end(), [&](size_t A, size_t B) {
    return std::tie(All[A].GainSeconds, All[A].Heat.Lines, B) >
           std::tie(All[B].GainSeconds, All[B].Heat.Lines, A);
  });
  std::vector<bool> Kept(All.size(), false);
  for (size_t I = 0; I < Order.size() && I < MostObjects; ++I)
    Kept[Order[I]] = true;
  for (size_t I = 0; I < All.size(); ++I) {
    ObjectData &O = All[I];
    const double Placed = O.PlacedBytes;
    D.PlacedObjects += O.FastShare > 0;
    D.PlacedBytes += Placed;
    D.Gain += O.GainSeconds;
    if (Kept[I]) {
      D.Objects.push_back(std::move(O));
      continue;
    }
    ++D.OtherObjects;
    D.OtherBytes += O.Bytes;
    D.OtherPlaced += Placed;
    D.OtherGain += O.GainSeconds;
  }
  C.finish(D.Objects);
}

} // namespace evenkeel::cli
