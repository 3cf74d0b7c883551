//===- ReportJson.cpp - the data in a report ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ReportJson.h.
//===----------------------------------------------------------------------===//
#include "ReportJson.h"
#include "format/Identity.h"
#include <nlohmann/json.hpp>

namespace evenkeel::cli {

using json = nlohmann::ordered_json;

static json orNull(const std::optional<double> &V) {
  return V ? json(sixDigits(*V)) : json(nullptr);
}
template <class T> static json orNull(const std::optional<T> &V) {
  return V ? json(*V) : json(nullptr);
}

static json metaJson(const ReportInput &In, const ReportData &D,
                     const Headlines &Says) {
  const AmountUnit &T = Says.timeUnit(), &B = Says.sizeUnit();
  return {{"program", In.Program},
          {"base", In.Base},
          {"machine", In.M->Name},
          {"planner", In.P->Planner},
          {"model", In.P->Model},
          {"replayed", D.Replayed},
          {"keeps_first_touch", In.P->KeepsFirstTouch},
          {"fast", In.FastAsked},
          {"fast_bytes", sixDigits(D.FastBytes)},
          {"peak_bytes", sixDigits(D.PeakBytes)},
          {"lane", Says.lane(false)},
          {"explicit", D.Explicit},
          {"lanes", D.Lanes},
          {"lanes_per_band", D.LanesPerBand},
          {"units",
           {{"time", {{"name", T.Name}, {"factor", T.Factor}}},
            {"size", {{"name", B.Name}, {"factor", B.Factor}}}}}};
}

static json headlinesJson(const Headlines &Says) {
  return {{"gain", plainText(Says.gain())},
          {"amount", plainText(Says.amount())},
          {"objects", plainText(Says.objects())},
          {"tasks", plainText(Says.tasks())},
          {"occupancy", plainText(Says.occupancy())},
          {"memory", plainText(Says.memory())},
          {"belief", plainText(Says.belief())},
          {"assumed", plainText(Says.assumed())}};
}

static json numbers(const std::vector<double> &V) {
  json Out = json::array();
  for (const double X : V)
    Out.push_back(sixDigits(X));
  return Out;
}

static json runJson(const RunData &R) {
  json Groups = json::array(), Unfolded = json::array();
  for (const LaidOutPhase &P : R.Groups) {
    json Task = json::array(), Bars = json::array();
    for (const uint32_t T : P.LastTask)
      Task.push_back(T == UINT32_MAX ? json(nullptr) : json(T));
    for (const Bar &B : P.Bars)
      Bars.push_back({B.Lane, sixDigits(B.From), sixDigits(B.Seconds), B.Tasks,
                      B.Longest});
    Groups.push_back({{"s", sixDigits(P.Seconds)},
                      {"explicit", P.Explicit},
                      {"busy", numbers(P.Busy)},
                      {"task", std::move(Task)},
                      {"bars", std::move(Bars)}});
  }
  for (const LaidOutPhase &P : R.Unfolded) {
    json Row = numbers(P.Busy);
    Row.insert(Row.begin(), sixDigits(P.Seconds));
    Unfolded.push_back(std::move(Row));
  }
  return {{"makespan", sixDigits(R.Makespan)},
          {"waited", sixDigits(R.Waited)},
          {"groups", std::move(Groups)},
          {"unfolded", std::move(Unfolded)}};
}

/// Ranges of parts with the same share in fast memory.
static json rangesJson(const HeatRow &Row) {
  json Out = json::array();
  for (unsigned From = 0; From < EK_CHUNKS;) {
    unsigned To = From + 1;
    while (To < EK_CHUNKS && Row.FastShare[To] == Row.FastShare[From])
      ++To;
    if (Row.FastShare[From] > 0)
      Out.push_back({From, To, sixDigits(std::min(1.0, Row.FastShare[From]))});
    From = To;
  }
  return Out;
}

static json objectJson(const ObjectData &O) {
  json Heat = json::array(), Lines = json::array(), Live = json::array();
  for (const HeatCell &C : O.Heat.Cells) {
    Lines.push_back(sixDigits(C.Lines));
    Live.push_back(C.Live ? 1 : 0);
    if (C.Runs.empty()) {
      Heat.push_back(nullptr);
      continue;
    }
    json Runs = json::array();
    for (const HeatRun &R : C.Runs) {
      Runs.push_back(R.Level);
      Runs.push_back(R.Parts);
    }
    Heat.push_back(std::move(Runs));
  }
  json Out = {
      {"name", O.Name}, {"at", O.At}, {"site", idToString(O.Which.Site)}};
  if (O.Which.Context)
    Out["context"] = idToString(O.Which.Context);
  Out.update({{"bytes", sixDigits(O.Bytes)},
              {"share", sixDigits(O.FastShare)},
              {"gain_s", sixDigits(O.GainSeconds)},
              {"would_gain_s", orNull(O.WouldGain)},
              {"access", O.Classes},
              {"group", orNull(O.Group)},
              {"task", orNull(O.Task)},
              {"bound", O.Bound},
              {"reason", O.Reason},
              {"ranges", rangesJson(O.Heat)},
              {"live", std::move(Live)},
              {"lines", std::move(Lines)},
              {"heat", std::move(Heat)}});
  return Out;
}

static json answerJson(const Answer &A) {
  return {{"all_slow", sixDigits(A.AllSlow)},
          {"first_touch", sixDigits(A.FirstTouch)},
          {"plan", sixDigits(A.Plan)},
          {"all_fast", sixDigits(A.AllFast)},
          {"limit", orNull(A.Limit)},
          {"best_found", orNull(A.BestFound)},
          {"predicted", orNull(A.Predicted)},
          {"at_hooks", orNull(A.AtHooks)},
          {"with_moves", orNull(A.Moving)},
          {"moved_at_hooks_bytes", sixDigits(A.MovedAtHooks)},
          {"within", sixDigits(A.Within)}};
}

static json groupsJson(const ReportData &D) {
  json Out = json::array();
  for (const GroupData &G : D.Groups)
    Out.push_back({{"name", G.Named},
                   {"first", G.Its.Phases[0]},
                   {"count", G.Its.Phases.size()},
                   {"loop", G.Its.Loop},
                   {"serial", G.Serial}});
  return Out;
}

/// For each phase of the unfolded chart, its group.
static json unfoldedJson(const ReportData &D) {
  std::map<uint32_t, size_t> Of;
  for (size_t G = 0; G < D.Groups.size(); ++G)
    for (const uint32_t Phase : D.Groups[G].Its.Phases)
      Of[Phase] = G;
  json Out = json::array();
  if (!D.FirstTouch.Unfolded.empty() && !D.Plan.Unfolded.empty())
    for (const auto &Entry : Of)
      Out.push_back(Entry.second);
  return Out;
}

json reportJson(const ReportInput &In, const ReportData &D,
                const Headlines &Says) {
  json Amounts = json::array(), Objects = json::array(), Points = json::array(),
       Evidence = json::array(), Moves = json::array(),
       Occupancy = json::array();
  for (const AmountPoint &X : D.Amounts)
    Amounts.push_back({sixDigits(X.Bytes), sixDigits(X.FirstTouch),
                       sixDigits(X.Plan), orNull(X.Limit)});
  for (const ObjectData &O : D.Objects)
    Objects.push_back(objectJson(O));
  for (const TaskPoint &X : D.Belief.Points)
    Points.push_back({sixDigits(X.Predicted),
                      sixDigits(D.Replayed ? X.Replayed : X.Bound), X.Group,
                      X.Task});
  for (const OccupancyData &O : D.Occupancy)
    Occupancy.push_back(
        {sixDigits(O.Allocated), sixDigits(O.FirstTouch), sixDigits(O.Plan)});
  for (const EvidenceRow &R : evidenceOf(*In.Pr))
    Evidence.push_back({R.Kind, R.Way, R.Figures});
  for (const MoveData &M : D.Moves)
    Moves.push_back({{"phase", M.Phase},
                     {"objects", M.Objects},
                     {"bytes", sixDigits(M.Bytes)}});
  json Out = {{"schema", "evenkeel.report/1"},
              {"meta", metaJson(In, D, Says)},
              {"headlines", headlinesJson(Says)},
              {"answer", answerJson(D.Times)},
              {"amounts", std::move(Amounts)},
              {"knee", D.Knee ? json(*D.Knee) : json(nullptr)},
              {"needs", orNull(D.FirstTouchNeeds)},
              {"groups", groupsJson(D)},
              {"unfolded", unfoldedJson(D)},
              {"first_touch", runJson(D.FirstTouch)},
              {"plan", runJson(D.Plan)},
              {"occupancy", std::move(Occupancy)},
              {"objects", std::move(Objects)},
              {"moves", std::move(Moves)},
              {"belief",
               {{"tasks", D.Belief.Tasks},
                {"within_10_percent", D.Belief.Inside},
                {"worst", sixDigits(D.Belief.Worst)},
                {"mean", sixDigits(D.Belief.Mean)},
                {"points", std::move(Points)}}},
              {"evidence", std::move(Evidence)},
              {"assumed", In.M->Assumed},
              {"folded",
               {{"phases", D.AllPhases},
                {"short_phases", D.ShortPhases},
                {"short_s", sixDigits(D.ShortSeconds)},
                {"lanes_per_row", D.LanesPerBand},
                {"joined_bars", D.JoinedBars},
                {"objects", D.AllObjects},
                {"other_objects", D.OtherObjects},
                {"other_bytes", sixDigits(D.OtherBytes)},
                {"tasks_compared", D.Belief.Points.size()}}}};
  if (In.Touched)
    Out["touched"] = json::parse(In.Touched->Json);
  return Out;
}

} // namespace evenkeel::cli
