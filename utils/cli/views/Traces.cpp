//===- Traces.cpp - tasks over time for other viewers ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Traces.h.
//===----------------------------------------------------------------------===//
#include "Traces.h"
#include "cli/report/Amounts.h"
#include "cli/report/TimeTable.h"
#include <algorithm>
#include <nlohmann/json.hpp>

namespace evenkeel::cli {
namespace {

using json = nlohmann::ordered_json;

/// Something that a lane does from one time to another, in seconds.
struct Slice {
  double From = 0, To = 0;
  std::string Name; // "": it waits
  uint32_t Phase = 0, Task = 0;
};
using Lanes = std::vector<std::vector<Slice>>; // in the order of time

std::string nameOf(const ReportInput &In, uint64_t Region, uint32_t Phase) {
  const RegionFact *R = In.F->region(Region);
  return R ? R->Function + " " + withoutColumn(R->At)
           : "phase " + std::to_string(Phase);
}

/// The regions of the phases, by number.
std::map<uint32_t, uint64_t> regionsOf(const ReportInput &In) {
  std::map<uint32_t, uint64_t> Out;
  for (const PredictedPhase &H : In.Pr->Phases)
    Out[H.Phase] = H.Region;
  if (const PolicyResult *R = replayOf(In, "first-touch"))
    for (const PhaseKey &K : phaseKeys(*R))
      Out[K.Phase] = K.Region;
  return Out;
}

Lanes lanesOf(const ReportInput &In, const TimedRun &Run) {
  const std::map<uint32_t, uint64_t> Regions = regionsOf(In);
  Lanes Out;
  double Now = 0;
  for (const TimedPhase &P : Run.Phases) {
    const LaidOutPhase L = layOut(P);
    const auto At = Regions.find(P.Phase);
    const std::string Name =
        nameOf(In, At == Regions.end() ? 0 : At->second, P.Phase);
    Out.resize(std::max(Out.size(), L.Busy.size()));
    std::vector<double> End(L.Busy.size(), 0); // of what a lane does
    auto Add = [&](uint32_t Lane, double From, double Seconds, uint32_t Task) {
      if (From > End[Lane])
        Out[Lane].push_back({Now + End[Lane], Now + From, "", P.Phase, 0});
      End[Lane] = std::max(End[Lane], From + Seconds);
      Out[Lane].push_back({Now + From, Now + End[Lane], Name, P.Phase, Task});
    };
    if (L.Explicit)
      for (const Bar &B : L.Bars)
        Add(B.Lane, B.From, B.Seconds, B.Longest);
    else
      for (uint32_t I = 0; I < L.Busy.size(); ++I)
        if (L.LastTask[I] != UINT32_MAX)
          Add(I, 0, L.Busy[I], L.LastTask[I]);
    for (uint32_t I = 0; I < L.Busy.size(); ++I)
      if (P.Seconds > End[I] && (L.Explicit || L.LastTask[I] != UINT32_MAX))
        Out[I].push_back({Now + End[I], Now + P.Seconds, "", P.Phase, 0});
    Now += P.Seconds;
  }
  return Out;
}

const char *const RunNames[] = {"first touch", "plan"};

std::vector<Lanes> bothOf(const ReportInput &In) {
  const TimedRuns Runs = timedRuns(In);
  std::vector<Lanes> Out{lanesOf(In, Runs.FirstTouch)};
  if (!In.P->KeepsFirstTouch)
    Out.push_back(lanesOf(In, Runs.Plan));
  return Out;
}

double microseconds(double Seconds) { return sixDigits(Seconds * 1e6); }

std::string textOf(const json &J) {
  return J.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

} // namespace

std::string perfettoTrace(const ReportInput &In) {
  json Events = json::array();
  const std::vector<Lanes> Both = bothOf(In);
  for (size_t R = 0; R < Both.size(); ++R) {
    Events.push_back({{"ph", "M"},
                      {"pid", R + 1},
                      {"name", "process_name"},
                      {"args", {{"name", RunNames[R]}}}});
    for (size_t L = 0; L < Both[R].size(); ++L) {
      Events.push_back({{"ph", "M"},
                        {"pid", R + 1},
                        {"tid", L},
                        {"name", "thread_name"},
                        {"args", {{"name", "lane " + std::to_string(L)}}}});
      for (const Slice &S : Both[R][L]) {
        json E = {{"ph", "X"},
                  {"pid", R + 1},
                  {"tid", L},
                  {"ts", microseconds(S.From)},
                  {"dur", microseconds(S.To - S.From)},
                  {"name", S.Name.empty() ? "waits" : S.Name},
                  {"args", {{"phase", S.Phase}}}};
        if (!S.Name.empty())
          E["args"]["task"] = S.Task;
        Events.push_back(std::move(E));
      }
    }
  }
  return textOf({{"otherData",
                  {{"schema", "evenkeel.trace/1"},
                   {"program", In.Program},
                   {"machine", In.M->Name},
                   {"times", In.Replayed ? "replayed" : "predicted"}}},
                 {"displayTimeUnit", "ms"},
                 {"traceEvents", std::move(Events)}});
}

std::string speedscopeTrace(const ReportInput &In) {
  std::map<std::string, size_t> Frames{{"waits", 0}};
  json Names = json::array({{{"name", "waits"}}}), Profiles = json::array();
  const std::vector<Lanes> Both = bothOf(In);
  for (size_t R = 0; R < Both.size(); ++R)
    for (size_t L = 0; L < Both[R].size(); ++L) {
      json Events = json::array();
      double End = 0;
      for (const Slice &S : Both[R][L]) {
        const std::string Name = S.Name.empty() ? "waits" : S.Name;
        const auto [It, New] = Frames.try_emplace(Name, Frames.size());
        if (New)
          Names.push_back({{"name", Name}});
        // Events may not go back in time, not even by rounding.
        const double From = std::max(End, S.From);
        End = std::max(From, S.To);
        Events.push_back({{"type", "O"}, {"frame", It->second}, {"at", From}});
        Events.push_back({{"type", "C"}, {"frame", It->second}, {"at", End}});
      }
      Profiles.push_back(
          {{"type", "evented"},
           {"name", std::string(RunNames[R]) + ", lane " + std::to_string(L)},
           {"unit", "seconds"},
           {"startValue", 0},
           {"endValue", End},
           {"events", std::move(Events)}});
    }
  return textOf(
      {{"$schema", "https://www.speedscope.app/file-format-schema.json"},
       {"exporter", "evenkeel.trace/1"},
       {"name", In.Program},
       {"activeProfileIndex", 0},
       {"shared", {{"frames", std::move(Names)}}},
       {"profiles", std::move(Profiles)}});
}

} // namespace evenkeel::cli
