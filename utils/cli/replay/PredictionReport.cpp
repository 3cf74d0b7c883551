//===- PredictionReport.cpp - predicted against replayed times ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PredictionReport.h.
//===----------------------------------------------------------------------===//
#include "PredictionReport.h"
#include "cli/common/Cli.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

using namespace evenkeel;
using namespace evenkeel::cli;

namespace {

constexpr double Shortest = 1e-4; // seconds
/// A share of the time that is worth a line.
constexpr double LeastUnpredicted = 0.005;

struct Errors {
  unsigned Tasks = 0, LeftOut = 0;
  double Mean = 0, Weighted = 0, Worst = 0, Pearson = 0;
  double Predicted = 0, Replayed = 0; // longest task, for phases
  double Unpredicted = 0; // of the tasks' time: in phases without a prediction
  uint64_t Region = 0;
};

/// A replayed task, and the policy of the replay.
using Judged = std::pair<const PredictedPolicy *, const TaskResult *>;

std::vector<Judged> tasksOf(const std::vector<const PredictedPolicy *> &Of) {
  std::vector<Judged> Out;
  for (const PredictedPolicy *P : Of)
    for (const TaskResult &T : P->Replayed->Tasks)
      Out.emplace_back(P, &T);
  return Out;
}

/// Phases of one policy with the same region and number of tasks.
struct PhaseKind {
  std::vector<Judged> Tasks;
  std::set<uint32_t> Phases;
};

/// In the order of their first phases.
std::vector<PhaseKind> phaseKindsOf(const PredictedPolicy &P) {
  std::vector<std::vector<Judged>> ByPhase(P.Replayed->PhaseSeconds.size());
  for (const TaskResult &T : P.Replayed->Tasks)
    if (T.Phase < ByPhase.size())
      ByPhase[T.Phase].emplace_back(&P, &T);
  std::vector<PhaseKind> Kinds;
  std::map<std::pair<uint64_t, size_t>, size_t> Known;
  for (const std::vector<Judged> &Tasks : ByPhase) {
    if (Tasks.empty())
      continue;
    const TaskResult &First = *Tasks.front().second;
    auto [It, New] = Known.insert({{First.Region, Tasks.size()}, Kinds.size()});
    if (New)
      Kinds.emplace_back();
    PhaseKind &K = Kinds[It->second];
    K.Phases.insert(First.Phase);
    K.Tasks.insert(K.Tasks.end(), Tasks.begin(), Tasks.end());
  }
  return Kinds;
}

/// "5", or "5..43 (20)".
std::string phasesText(const std::set<uint32_t> &Phases) {
  const std::string First = std::to_string(*Phases.begin());
  return Phases.size() == 1 ? First
                            : First + ".." + std::to_string(*Phases.rbegin()) +
                                  " (" + std::to_string(Phases.size()) + ")";
}

Errors errorsOf(const std::vector<Judged> &Tasks) {
  Errors E;
  std::vector<std::pair<double, double>> Pairs;
  double Time = 0, All = 0;
  for (const auto &[P, Task] : Tasks) {
    const TaskResult &T = *Task;
    auto It = P->Predicted.find(taskKey(T.Phase, T.Index, T.Explicit));
    All += T.Seconds;
    if (It == P->Predicted.end()) {
      E.Unpredicted += T.Seconds;
      continue;
    }
    if (T.Seconds < Shortest) {
      ++E.LeftOut;
      continue;
    }
    double Off = std::fabs(It->second / T.Seconds - 1);
    E.Mean += Off;
    E.Weighted += Off * T.Seconds;
    E.Worst = std::max(E.Worst, Off);
    E.Predicted = std::max(E.Predicted, It->second);
    E.Replayed = std::max(E.Replayed, T.Seconds);
    E.Region = T.Region;
    Time += T.Seconds;
    Pairs.emplace_back(It->second, T.Seconds);
  }
  if (All > 0)
    E.Unpredicted /= All;
  E.Tasks = static_cast<unsigned>(Pairs.size());
  if (!E.Tasks)
    return E;
  E.Mean /= E.Tasks;
  E.Weighted /= Time;
  double X = 0, Y = 0, XX = 0, YY = 0, XY = 0;
  for (auto [A, B] : Pairs) {
    X += A / E.Tasks;
    Y += B / E.Tasks;
  }
  for (auto [A, B] : Pairs) {
    XX += (A - X) * (A - X);
    YY += (B - Y) * (B - Y);
    XY += (A - X) * (B - Y);
  }
  E.Pearson = XX > 0 && YY > 0 ? XY / std::sqrt(XX * YY) : 0;
  return E;
}

} // namespace

TaskCounts cli::recordedCounts(const MissRecord &Record) {
  TaskCounts Out;
  std::vector<TaskCount *> Of;
  for (const ek_raw_task &T : Record.Tasks)
    Of.push_back(&Out[taskKey(T.phase, T.index, T.flags & 1)]);
  auto Object = [&](uint32_t Task, uint32_t Inst) -> Estimate & {
    return Of[Task]->Objects[keyOf(nameOf(Record.Instances[Inst]))];
  };
  for (const ek_raw_access &A : Record.Accesses) {
    const double N = double(A.reads + A.writes);
    Of[A.task]->Accesses += N;
    Object(A.task, A.inst).Accesses += N;
  }
  for (const ek_raw_miss &M : Record.Misses) {
    Of[M.task]->Lines += double(M.reads + M.writes);
    Object(M.task, M.inst).Lines += double(M.reads);
  }
  return Out;
}

std::string cli::predictionTable(const std::vector<PredictedPolicy> &Rows,
                                 const Facts &F) {
  Table All({"POLICY", "PREDICTED", ">TASKS", ">MEAN ERROR", ">BY TIME",
             ">WORST", ">PEARSON"});
  Table Phases({"POLICY", "PHASES", "REGION", ">TASKS", ">MEAN ERROR", ">WORST",
                ">LONGEST PREDICTED", ">REPLAYED"});
  double Unpredicted = 0;
  for (const PredictedPolicy &P : Rows) {
    Errors E = errorsOf(tasksOf({&P}));
    Unpredicted = std::max(Unpredicted, E.Unpredicted);
    if (!E.Tasks)
      continue;
    char Pearson[32];
    std::snprintf(Pearson, sizeof Pearson, "%.3f", E.Pearson);
    All.row({P.Name, P.When, std::to_string(E.Tasks), percentText(E.Mean),
             percentText(E.Weighted), percentText(E.Worst), Pearson});
    for (const PhaseKind &K : phaseKindsOf(P)) {
      Errors X = errorsOf(K.Tasks);
      if (!X.Tasks)
        continue;
      const RegionFact *R = F.region(X.Region);
      Phases.row({P.Name, phasesText(K.Phases),
                  R ? R->At + " " + R->Function : std::string("?"),
                  std::to_string(X.Tasks), percentText(X.Mean),
                  percentText(X.Worst), secondsText(X.Predicted),
                  secondsText(X.Replayed)});
    }
  }
  return "predicted against replayed task times, tasks of 0.1 ms and more\n" +
         All.str() +
         (Unpredicted < LeastUnpredicted
              ? ""
              : percentText(Unpredicted) +
                    " of the tasks' time is in phases or tasks that the plan "
                    "does not have\n") +
         "\n" + Phases.str();
}

std::string cli::placementTable(const std::vector<PredictedPolicy> &Rows) {
  std::vector<std::string> Names; // placements in order
  std::vector<std::pair<std::string, std::string>> Kinds;
  for (const PredictedPolicy &P : Rows) {
    if (std::find(Names.begin(), Names.end(), P.Name) == Names.end())
      Names.push_back(P.Name);
    std::pair<std::string, std::string> Kind{P.When, P.Model};
    if (std::find(Kinds.begin(), Kinds.end(), Kind) == Kinds.end())
      Kinds.push_back(Kind);
  }
  std::vector<std::pair<std::string, std::string>> Sorted;
  for (const char *When : {"offline", "hook"})
    for (const auto &K : Kinds)
      if (K.first == When)
        Sorted.push_back(K);
  std::vector<std::string> Header = {"PREDICTED",   "MODEL",    ">TASKS",
                                     ">MEAN ERROR", ">BY TIME", ">WORST",
                                     ">PEARSON"};
  for (const std::string &N : Names)
    Header.push_back(">" + N + " FAST");
  Table T(Header);
  for (const auto &[When, Model] : Sorted) {
    std::vector<const PredictedPolicy *> All;
    std::vector<std::string> Means;
    for (const PredictedPolicy &P : Rows)
      if (P.When == When && P.Model == Model) {
        All.push_back(&P);
        Means.push_back(percentText(errorsOf(tasksOf({&P})).Mean));
      }
    Errors E = errorsOf(tasksOf(All));
    char Pearson[32];
    std::snprintf(Pearson, sizeof Pearson, "%.3f", E.Pearson);
    std::vector<std::string> Cells = {When,
                                      Model,
                                      std::to_string(E.Tasks),
                                      percentText(E.Mean),
                                      percentText(E.Weighted),
                                      percentText(E.Worst),
                                      Pearson};
    Cells.insert(Cells.end(), Means.begin(), Means.end());
    T.row(Cells);
  }
  return "errors of predicted task times by model, tasks of 0.1 ms and more\n" +
         T.str();
}

nlohmann::json cli::predictionJson(const std::vector<PredictedPolicy> &Rows,
                                   bool Tasks, const TaskCounts &Recorded) {
  nlohmann::json J = nlohmann::json::array();
  for (const PredictedPolicy &P : Rows) {
    Errors E = errorsOf(tasksOf({&P}));
    J.push_back({{"policy", P.Name},
                 {"predicted", P.When},
                 {"model", P.Model},
                 {"tasks", E.Tasks},
                 {"tasks_too_short", E.LeftOut},
                 {"unpredicted_share", E.Unpredicted},
                 {"mean_error", E.Mean},
                 {"mean_error_by_time", E.Weighted},
                 {"worst_error", E.Worst},
                 {"pearson", E.Pearson}});
    if (P.MakespanSeconds > 0) {
      J.back()["predicted_makespan_s"] = P.MakespanSeconds;
      J.back()["replayed_of_predicted_s"] = P.ReplayedSeconds;
    }
    if (!Tasks)
      continue;
    for (const TaskResult &T : P.Replayed->Tasks) {
      auto It = P.Predicted.find(taskKey(T.Phase, T.Index, T.Explicit));
      if (It == P.Predicted.end())
        continue;
      nlohmann::json Row = {{"phase", T.Phase},
                            {"index", T.Index},
                            {"explicit", T.Explicit},
                            {"predicted", It->second},
                            {"replayed", T.Seconds}};
      auto C = P.Counts.find(It->first), Is = Recorded.find(It->first);
      if (C != P.Counts.end())
        Row["bound"] = C->second.Bound;
      if (C != P.Counts.end() && Is != Recorded.end()) {
        // If another region runs than predicted, its values were not
        // determined.
        Row["determined"] =
            C->second.Determined && C->second.Region == T.Region;
        Row["accesses"] = {{"predicted", C->second.Accesses},
                           {"recorded", Is->second.Accesses}};
        Row["lines"] = {{"predicted", C->second.Lines},
                        {"recorded", Is->second.Lines}};
        Row["same_region"] = C->second.Region == T.Region;
        Row["evidence"] = text(C->second.RestsOn.Of);
        Row["reach"] = text(C->second.RestsOn.How);
        Row["core"] = {{"way", text(C->second.Core)},
                       {"predicted", C->second.CoreSeconds},
                       {"replayed", T.CoreSeconds}};
        Row["objects"] = nlohmann::json::array();
        for (const auto &[Key, E] : C->second.Objects) {
          auto O = Is->second.Objects.find(Key);
          const Estimate True =
              O == Is->second.Objects.end() ? Estimate() : O->second;
          Row["objects"].push_back(
              {{"count", text(E.Count)},
               {"cache", text(E.Cache)},
               {"gathered", E.Gathered},
               {"bound", boundOf(E)},
               {"accesses",
                {{"predicted", E.Accesses}, {"recorded", True.Accesses}}},
               {"lines", {{"predicted", E.Lines}, {"recorded", True.Lines}}}});
        }
      }
      J.back()["task_seconds"].push_back(std::move(Row));
    }
  }
  return J;
}
