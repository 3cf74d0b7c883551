//===- ExplainPrinter.cpp - why an object lies there, in words ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows, makes, leaves out: see ExplainPrinter.h.
//===----------------------------------------------------------------------===//
#include "ExplainPrinter.h"
#include "Cli.h"
#include "format/Identity.h"
#include "planner/Explain.h"
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using namespace evenkeel::cli;
using nlohmann::json;

/// Phases shown, those that the object matters most to.
static const size_t MostPhases = 8;

uint64_t evenkeel::cli::siteOf(const Facts &F, const std::string &Text) {
  for (const SiteFact &S : F.Sites)
    if (idToString(S.Id) == Text || S.At == Text)
      return S.Id;
  fail("no site '" + Text + "'; give its id or path:line:col as shown");
}

static SiteExplanation explain(const Problem &Pr, const Plan &P,
                               const Machine &M, uint64_t Site, bool &Known) {
  SiteExplanation E;
  auto Mod = orFail(makeModel(P.Model));
  Known =
      explainSite(Pr, P, withoutUnreachedTiers(M, Pr.PeakBytes), *Mod, Site, E);
  return E;
}

static std::string placeOf(const Facts &F, uint64_t Site) {
  const SiteFact *S = F.site(Site);
  return S && !S->At.empty() ? S->At : idToString(Site);
}

static std::string signedSeconds(double V) {
  return V < 0 ? "-" + secondsText(-V) : "+" + secondsText(V);
}

/// The sentence that says what decided.
static std::string verdict(const Facts &F, const Plan &P,
                           const SiteExplanation &E) {
  if (P.KeepsFirstTouch)
    return "first touch is predicted best for the program: nothing is placed";
  if (E.Phases.empty())
    return "no traffic to memory is predicted for it";
  double Rest = E.Makespan - E.FastMakespan; // what more of it would save
  double Had = E.SlowMakespan - E.Makespan;  // what it saves as it lies
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
                E.NextSite ? ", taken from " : "");
  std::string Out = Text;
  if (E.NextSite) {
    Out += placeOf(F, E.NextSite);
    Out += E.NextGainPerMiB > 0
               ? " it would cost " + secondsText(E.NextGainPerMiB)
               : std::string(" it would cost nothing by itself: several "
                             "objects share the gain");
  }
  return Out;
}

std::string evenkeel::cli::explanationText(const Facts &F, const Problem &Pr,
                                           const Plan &P, const Machine &M,
                                           uint64_t Site) {
  bool Known = false;
  SiteExplanation E = explain(Pr, P, M, Site, Known);
  std::string Out = "\n" + placeOf(F, Site) + " (" + idToString(Site) + ")\n";
  if (!Known)
    return Out + "  the base profile has no object of this site: it was not "
                 "allocated there, or is small\n";
  char Text[64];
  std::snprintf(Text, sizeof Text, "%.2f", E.Criticality);
  Out += "  " + percentText(E.FastShare) + " of " + bytesText(E.Bytes) +
         " in fast memory\n";
  Out += "  predicted makespan " + secondsText(E.Makespan) +
         "; all of it slow " + signedSeconds(E.SlowMakespan - E.Makespan) +
         ", all of it fast " + signedSeconds(E.FastMakespan - E.Makespan) +
         "\n";
  Out += std::string("  criticality ") + Text +
         ": the part of what it costs its tasks that the program feels\n";
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
    std::string Bound = X.Bound;
    if (Bound == "slowest task")
      Bound = "task " + std::to_string(X.SlowestTask);
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
                                    uint64_t Site) {
  bool Known = false;
  SiteExplanation E = explain(Pr, P, M, Site, Known);
  json J = {
      {"site", idToString(Site)}, {"at", placeOf(F, Site)}, {"known", Known}};
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
                           {"bound", X.Bound},
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
