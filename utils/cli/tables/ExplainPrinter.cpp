//===- ExplainPrinter.cpp - reasons for an object's placement -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ExplainPrinter.h.
//===----------------------------------------------------------------------===//
#include "ExplainPrinter.h"
#include "cli/common/Cli.h"
#include "format/Identity.h"
#include "planner/Explain.h"
#include "problem/ReachedTiers.h"
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using namespace evenkeel::cli;
using nlohmann::json;

/// The maximum number of phases: those in which the object matters most.
static const size_t MostPhases = 8;

static ObjectExplanation explain(const Problem &Pr, const Plan &P,
                                 const Machine &M, const ObjectName &Which,
                                 bool &Known) {
  ObjectExplanation E;
  auto Mod = orFail(makeModel(P.Model));
  Known = explainObject(Pr, P, withoutUnreachedTiers(M, Pr.PeakBytes), *Mod,
                        Which, E);
  return E;
}

static std::string signedSeconds(double V) {
  return V < 0 ? "-" + secondsText(-V) : "+" + secondsText(V);
}

/// The sentence with the deciding reason.
static std::string verdict(const Facts &F, const Plan &P,
                           const ObjectExplanation &E) {
  if (P.KeepsFirstTouch)
    return "first touch is predicted best for the program: nothing is placed";
  if (E.Phases.empty())
    return "no traffic to memory is predicted for it";
  double Rest = E.Makespan - E.FastMakespan; // what more of it would save
  double Had = E.SlowMakespan - E.Makespan;  // what it saves now
  double MoreMiB = E.Bytes * (1 - E.FastShare) / 1048576;
  char Text[256];
  if (E.FastShare < 1 && Rest <= 0)
    return "more fast memory for it would make no phase shorter";
  if (E.FastShare >= 1)
    return Had > 0 ? "all of it is fast: in slow memory it would hold the "
                     "program up"
                   : "all of it is fast, in room that no slowest task needs";
  if (!E.Full)
    return "fast memory has room; more of it would save " + secondsText(Rest) +
           ", which the planner's search left";
  std::snprintf(Text, sizeof Text,
                "binding: fast memory is full; a MiB more for it would save "
                "%s%s",
                secondsText(MoreMiB > 0 ? Rest / MoreMiB : 0).c_str(),
                E.Next.Site ? ", taken from " : "");
  std::string Out = Text;
  if (E.Next.Site) {
    Out += placeOf(F, E.Next);
    Out += E.NextGainPerMiB > 0
               ? " it would cost " + secondsText(E.NextGainPerMiB)
               : std::string(" it would cost nothing by itself: several "
                             "objects share the gain");
  }
  return Out;
}

std::string evenkeel::cli::explanationText(const Facts &F, const Problem &Pr,
                                           const Plan &P, const Machine &M,
                                           const ObjectName &Which) {
  bool Known = false;
  ObjectExplanation E = explain(Pr, P, M, Which, Known);
  std::string Out = "\n" + placeOf(F, Which) + " (" + idOf(Which) + ")\n";
  if (!Known)
    return Out + "  the base profile has no such object: it was not allocated "
                 "there, or is small\n";
  char Text[64];
  std::snprintf(Text, sizeof Text, "%.2f", E.Criticality);
  Out += "  " + percentText(E.FastShare) + " of " + bytesText(E.Bytes) +
         " in fast memory\n";
  Out += "  predicted makespan " + secondsText(E.Makespan) +
         "; all of it slow " + signedSeconds(E.SlowMakespan - E.Makespan) +
         ", all of it fast " + signedSeconds(E.FastMakespan - E.Makespan) +
         "\n";
  Out += std::string("  criticality ") + Text +
         ": the fraction of its tasks' waiting that delays the program\n";
  Out += "  " + verdict(F, P, E) + "\n";
  if (E.Phases.empty())
    return Out;
  std::sort(E.Phases.begin(), E.Phases.end(),
            [](const PhaseEffect &A, const PhaseEffect &B) {
              double Of = A.SlowSeconds - A.FastSeconds;
              double Than = B.SlowSeconds - B.FastSeconds;
              return Of != Than ? Of > Than : A.Phase < B.Phase;
            });
  Table T({"  PHASE", "REGION", "WAITS FOR", ">TIME", ">IF SLOW", ">IF FAST",
           ">TASK HIT MOST", ">ITS TIME", ">IF SLOW", ">IF FAST"});
  for (size_t I = 0; I < std::min(MostPhases, E.Phases.size()); ++I) {
    const PhaseEffect &X = E.Phases[I];
    const RegionFact *R = F.region(X.Region);
    const std::string Bound = X.Bound.What == PhaseBound::By::SlowestTask
                                  ? "task " + std::to_string(X.SlowestTask)
                                  : boundText(X.Bound, M);
    T.row({"  " + std::to_string(X.Phase), R ? R->At : "", Bound,
           secondsText(X.Seconds), secondsText(X.SlowSeconds),
           secondsText(X.FastSeconds), std::to_string(X.Task),
           secondsText(X.TaskSeconds), secondsText(X.TaskSlowSeconds),
           secondsText(X.TaskFastSeconds)});
  }
  Out += T.str();
  if (E.Phases.size() > MostPhases)
    Out += "  and " + std::to_string(E.Phases.size() - MostPhases) +
           " more phases; --json shows all\n";
  return Out;
}

json evenkeel::cli::explanationJson(const Facts &F, const Problem &Pr,
                                    const Plan &P, const Machine &M,
                                    const ObjectName &Which) {
  bool Known = false;
  ObjectExplanation E = explain(Pr, P, M, Which, Known);
  json J = {{"site", idToString(Which.Site)},
            {"at", placeOf(F, Which)},
            {"known", Known}};
  if (Which.Context)
    J["context"] = idToString(Which.Context);
  if (!Known)
    return J;
  J["bytes"] = E.Bytes;
  J["fast_share"] = E.FastShare;
  J["makespan_s"] = E.Makespan;
  J["slow_makespan_s"] = E.SlowMakespan;
  J["fast_makespan_s"] = E.FastMakespan;
  J["criticality"] = E.Criticality;
  J["fast_memory_full"] = E.Full;
  J["verdict"] = verdict(F, P, E);
  J["phases"] = json::array();
  for (const PhaseEffect &X : E.Phases)
    J["phases"].push_back({{"phase", X.Phase},
                           {"region", idToString(X.Region)},
                           {"bound", boundText(X.Bound, M)},
                           {"slowest_task", X.SlowestTask},
                           {"seconds", X.Seconds},
                           {"slow_seconds", X.SlowSeconds},
                           {"fast_seconds", X.FastSeconds},
                           {"task", X.Task},
                           {"task_seconds", X.TaskSeconds},
                           {"task_slow_seconds", X.TaskSlowSeconds},
                           {"task_fast_seconds", X.TaskFastSeconds}});
  return J;
}
