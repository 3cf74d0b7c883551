//===- HeatMap.cpp - which parts of memory are used when ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See HeatMap.h.
//===----------------------------------------------------------------------===//
#include "HeatMap.h"
#include "format/plan/PlanIndex.h"
#include <algorithm>
#include <cmath>

namespace evenkeel::cli {
namespace {

using Parts = std::array<double, EK_CHUNKS>; // lines of each
constexpr uint32_t None = UINT32_MAX;

class Mapper {
  const ReportInput &In;
  const std::vector<PhaseGroup> &Groups;
  std::vector<uint32_t> GroupOf; // by phase
  std::map<ObjectName, HeatRow> Rows;
  std::map<ObjectName, std::map<uint32_t, Parts>> Lines; // by group

  /// \p Moved lines in parts [From, To); \p Shade: times as many would be, if
  /// pages and parts began together.
  void add(const ObjectName &Which, uint32_t Phase, unsigned From, unsigned To,
           double Moved, double Shade = 1);
  void addLife(const ObjectName &Which, uint32_t First, uint32_t Last);
  void addRecorded(const PlannedObjects &Objects);
  void addPredicted(const PlannedObjects &Objects);
  void addShares(const PlannedObjects &Objects);

public:
  Mapper(const ReportInput &Its, const std::vector<PhaseGroup> &Shown);
  std::map<ObjectName, HeatRow> make(const PlannedObjects &Objects);
};

} // namespace

Mapper::Mapper(const ReportInput &Its, const std::vector<PhaseGroup> &Shown)
    : In(Its), Groups(Shown) {
  for (uint32_t G = 0; G < Groups.size(); ++G)
    for (const uint32_t Phase : Groups[G].Phases) {
      if (GroupOf.size() <= Phase)
        GroupOf.resize(Phase + 1, None);
      GroupOf[Phase] = G;
    }
}

void Mapper::add(const ObjectName &Which, uint32_t Phase, unsigned From,
                 unsigned To, double Moved, double Shade) {
  auto Row = Rows.find(Which);
  if (Row == Rows.end() || From >= To)
    return;
  Row->second.Lines += Moved;
  if (Phase >= GroupOf.size() || GroupOf[Phase] == None)
    return;
  auto [It, New] = Lines[Which].try_emplace(GroupOf[Phase]);
  if (New)
    It->second.fill(0);
  Row->second.Cells[GroupOf[Phase]].Lines += Moved;
  for (unsigned Part = From; Part < To; ++Part)
    It->second[Part] += Moved * Shade / (To - From);
}

void Mapper::addLife(const ObjectName &Which, uint32_t First, uint32_t Last) {
  HeatRow &Row = Rows[Which];
  for (size_t G = 0; G < Groups.size(); ++G)
    for (const uint32_t Phase : Groups[G].Phases)
      Row.Cells[G].Live |=
          First <= Phase && (Last == EK_NO_TASK || Phase <= Last);
}

unsigned endOfPage(unsigned Chunk, double Bytes) {
  const double PartsPerPage =
      EK_CHUNKS * double(EK_PAGE) / std::max(1.0, Bytes);
  const double Page = std::ceil(Chunk / PartsPerPage);
  return unsigned(std::clamp(std::floor((Page + 1) * PartsPerPage), Chunk + 1.0,
                             double(EK_CHUNKS)));
}

double pagesPerPart(unsigned Chunk, double Bytes) {
  const double Ideal = Bytes / EK_CHUNKS / EK_PAGE;
  if (Ideal < 1)
    return 1;
  const double Begin =
      std::ceil((Chunk + 1) * Ideal) - std::ceil(Chunk * Ideal);
  return Begin > 0 ? Ideal / Begin : 1;
}

void Mapper::addRecorded(const PlannedObjects &Objects) {
  const MissRecord &R = In.Replayed->Run->Record;
  std::vector<ObjectName> Of;
  std::map<ObjectName, double> Recorded;
  for (const ek_raw_inst &X : R.Instances) {
    PredictedInstance I;
    I.Site = X.site;
    I.Context = X.context;
    Of.push_back(Objects.of(I));
    Recorded[Of.back()] += double(X.bytes);
  }
  for (const auto &[Which, Bytes] : Recorded)
    if (auto Row = Rows.find(Which); Row != Rows.end())
      Row->second.Bytes = Bytes;
  for (const ek_raw_miss &X : R.Misses)
    if (X.task < R.Tasks.size() && X.inst < Of.size() && X.chunk < EK_CHUNKS)
      add(Of[X.inst], R.Tasks[X.task].phase, X.chunk,
          endOfPage(X.chunk, double(R.Instances[X.inst].bytes)),
          double(X.reads + X.writes),
          pagesPerPart(X.chunk, double(R.Instances[X.inst].bytes)));
}

void Mapper::addPredicted(const PlannedObjects &Objects) {
  for (const PredictedPhase &H : In.Pr->Phases)
    for (const PredictedTask &T : H.Tasks)
      for (const UnitDemand &D : T.Demand.Units) {
        const Unit &U = In.Pr->Units[D.Unit];
        add(Objects.of(In.Pr->Instances[U.Instance]), H.Phase, U.From, U.To,
            D.ReadLines + D.WriteLines);
      }
}

void Mapper::addShares(const PlannedObjects &Objects) {
  const PlanIndex Index(In.P->Objects);
  for (const PredictedInstance &I : In.Pr->Instances) {
    HeatRow &Row = Rows[Objects.of(I)];
    const PlanObject *O = Index.find(nameOf(I));
    const double Bytes = Row.PredictedBytes;
    if (O && Bytes > 0)
      for (const PlanRange &R : O->Ranges)
        for (unsigned Part = R.From; Part < R.To; ++Part)
          Row.FastShare[Part] += R.Share * I.Bytes / Bytes;
  }
}

static std::vector<HeatRun> runsOf(const Parts &Lines, double LinesOfPart) {
  std::vector<HeatRun> Out;
  for (const double Moved : Lines) {
    const unsigned Level = heatLevel(LinesOfPart > 0 ? Moved / LinesOfPart : 0);
    if (Out.empty() || Out.back().Level != Level)
      Out.push_back({Level, 0});
    ++Out.back().Parts;
  }
  return Out;
}

std::map<ObjectName, HeatRow> Mapper::make(const PlannedObjects &Objects) {
  for (const PredictedInstance &I : In.Pr->Instances) {
    HeatRow &Row = Rows[Objects.of(I)];
    Row.Which = Objects.of(I);
    Row.PredictedBytes += I.Bytes;
    Row.Cells.resize(Groups.size());
  }
  for (const PredictedInstance &I : In.Pr->Instances)
    addLife(Objects.of(I), I.AllocPhase, I.FreePhase);
  for (auto &Entry : Rows)
    Entry.second.Bytes = Entry.second.PredictedBytes;
  if (In.Replayed)
    addRecorded(Objects);
  else
    addPredicted(Objects);
  addShares(Objects);
  for (auto &[Which, Cells] : Lines)
    for (auto &[G, Its] : Cells) {
      HeatRow &Row = Rows[Which];
      HeatCell &Cell = Row.Cells[G];
      const double Times = double(Groups[G].Phases.size());
      Cell.Lines /= Times;
      for (double &Moved : Its)
        Moved /= Times;
      Cell.Runs = runsOf(Its, Row.Bytes / EK_CHUNKS / LineBytes);
    }
  return std::move(Rows);
}

std::map<ObjectName, HeatRow> heatRows(const ReportInput &In,
                                       const PlannedObjects &Objects,
                                       const std::vector<PhaseGroup> &Groups) {
  return Mapper(In, Groups).make(Objects);
}

unsigned heatLevel(double Times) {
  return Times <= 0.02    ? 0
         : Times <= 0.375 ? 1
         : Times <= 0.75  ? 2
         : Times <= 1.25  ? 3
         : Times <= 1.75  ? 4
                          : 5;
}

} // namespace evenkeel::cli
