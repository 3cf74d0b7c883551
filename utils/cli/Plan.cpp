//===- Plan.cpp - evenkeel plan -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: hand facts, base profile and machine to the planner; show objects,
// predicted task times and reasons.
// Makes: plan.json, complete or not at all.
// Leaves out: planning; and any file of the target: it opens none.
//===----------------------------------------------------------------------===//
#include "format/Plan.h"
#include "ExplainPrinter.h"
#include "Planning.h"
#include "SymbolNames.h"
#include "format/Identity.h"
#include "format/Machine.h"
#include "models/Events.h"
#include "planner/TaskTypes.h"
#include "planner/Threads.h"
#include "planner/Ungiven.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

using namespace evenkeel;
using namespace evenkeel::cli;

/// Of what `run --json` printed, or of a summary alone.
static Expected<SeenTypes> readSeen(const std::string &Path) {
  nlohmann::json J = nlohmann::json::parse(readTextFile(Path), nullptr, false);
  if (J.is_object() && J.contains("summary"))
    J = nlohmann::json(J["summary"]);
  if (!J.is_object() || !J.contains("balance") || !J["balance"].is_object())
    return Error{"'" + Path +
                 "' is no summary of a run; write one with evenkeel run "
                 "--json --plan plan.json -- PROGRAM > " +
                 Path};
  if (!J["balance"].contains("seen") || J["balance"]["seen"].is_null())
    return SeenTypes();
  return seenTypesFromJson(J["balance"]["seen"], "balance.seen", Path);
}

static std::set<uint64_t> unknownSites(const Profile &Base,
                                       const std::set<uint64_t> &Known) {
  std::set<uint64_t> Unknown;
  for (const ek_raw_inst &X : Base.Instances)
    if (X.site && !Known.count(X.site))
      Unknown.insert(X.site);
  return Unknown;
}

/// Takes the names from objects of \p Base whose site no fact tells about, and
/// returns a note that says so. Fails where all of its sites are such.
static std::string leaveUnnamed(const std::set<uint64_t> &Unknown,
                                const std::set<uint64_t> &Known, const Args &A,
                                Profile &Base) {
  size_t Objects = 0;
  bool Shared = false;
  for (ek_raw_inst &X : Base.Instances) {
    Shared |= Known.count(X.site) != 0;
    if (Unknown.count(X.site)) {
      ++Objects;
      X.site = X.context = 0;
    }
  }
  const std::string First = idToString(*Unknown.begin());
  if (!Shared)
    fail("'" + A.text("--base") + "' and '" + A.text("--facts") +
         "' are of different programs: object site " + First +
         " is in the profile only; analyze the build folder that was recorded, "
         "with the same EVENKEEL_ROOT");
  return "objects that are not planned (site-without-facts): " +
         std::to_string(Objects) + ", of " + std::to_string(Unknown.size()) +
         (Unknown.size() == 1 ? " site" : " sites") + " such as " + First +
         ", only in the profile; analyze the same sources, generated ones in "
         "the folder where they were recorded, and record optimised code";
}

PlanInputs evenkeel::cli::readPlanInputs(const Args &A, bool AllowTarget) {
  PlanInputs I{orFail(readFacts(A.require("--facts"))),
               orFail(readProfile(A.require("--base"))),
               {}};
  if (I.Base.Role == "target" && !AllowTarget)
    fail("'" + A.text("--base") +
         "' is a profile of the target itself; plan "
         "from a base input, or say --allow-target-profile");
  std::set<uint64_t> Known;
  for (const SiteFact &S : I.F.Sites)
    Known.insert(S.Id);
  if (Known.empty())
    fail("'" + A.text("--facts") +
         "' has no site, so no plan can name an object; analyze with the "
         "project's root (--root DIR)");
  if (std::none_of(I.Base.Instances.begin(), I.Base.Instances.end(),
                   [](const ek_raw_inst &X) { return X.site != 0; }))
    fail("no object of '" + A.text("--base") +
         "' has a site, so no plan can name one; build for recording with the "
         "project's root (EVENKEEL_ROOT)");
  const std::set<uint64_t> Unknown = unknownSites(I.Base, Known);
  if (!Unknown.empty())
    I.Notes.push_back(leaveUnnamed(Unknown, Known, A, I.Base));
  if (A.has("--threads")) {
    const std::string Text = A.text("--threads");
    char *End = nullptr;
    const unsigned long Given = std::strtoul(Text.c_str(), &End, 10);
    const unsigned N = *End || Given > MostThreads ? 0 : unsigned(Given);
    const unsigned Old = threadsOf(I.Base);
    I.Base = orFail(withThreads(I.Base, I.F, N));
    if (Old != N)
      I.Notes.push_back("what teams of " + std::to_string(Old) +
                        " threads did in the base profile is dealt out to " +
                        Text);
  }
  for (const std::string &Path : A.all("--seen"))
    addSeenTypes(I.Seen, orFail(readSeen(Path)));
  for (const std::string &Text : A.all("--for"))
    I.For.push_back(orFail(parseGiven(Text)));
  return I;
}

namespace {
/// Main-memory accesses (lines) of one object per task of one phase.
struct SiteDemand {
  std::vector<double> Lines;
  double Bound = 0; // of the task that is least known
};
} // namespace

/// By (phase index in \p P, object).
static std::map<std::pair<size_t, ObjectName>, SiteDemand>
demands(const Problem &P, const PlannedObjects &Objects) {
  std::map<std::pair<size_t, ObjectName>, SiteDemand> Out;
  for (size_t Phase = 0; Phase < P.Phases.size(); ++Phase) {
    const auto &Tasks = P.Phases[Phase].Tasks;
    for (size_t T = 0; T < Tasks.size(); ++T)
      for (const UnitDemand &D : Tasks[T].Demand.Units) {
        SiteDemand &S =
            Out[{Phase, Objects.of(P.Instances[P.Units[D.Unit].Instance])}];
        S.Lines.resize(Tasks.size());
        S.Lines[T] += D.ReadLines + D.WriteLines;
      }
    for (size_t Phase = 0; Phase < P.Phases.size(); ++Phase)
      for (const PredictedTask &T : P.Phases[Phase].Tasks)
        for (const Estimate &E : T.Estimates)
          if (auto S = Out.find({Phase, Objects.of(P.Instances[E.Instance])});
              S != Out.end() && E.Lines > 0)
            S->second.Bound = std::max(S->second.Bound, std::expm1(boundOf(E)));
  }
  return Out;
}

/// A relative bound.
static std::string withinText(double Bound) {
  return Bound > 1 ? "> 100 %" : percentText(Bound);
}

static std::string spread(const std::vector<double> &V, bool All) {
  if (V.empty())
    return "0";
  std::string Out;
  if (All) {
    for (double X : V)
      Out += (Out.empty() ? "" : " ") + countText(std::floor(X + 0.5));
    return Out;
  }
  auto [Low, High] = std::minmax_element(V.begin(), V.end());
  Out = countText(std::floor(*Low + 0.5));
  return *Low == *High ? Out : Out + ".." + countText(std::floor(*High + 0.5));
}

namespace {
/// How the regions of one site's accesses read, for tables and JSON.
struct SiteShape {
  std::string Classes, Formula;
};
} // namespace

using Names = std::function<std::string(uint64_t)>;

static SiteShape shapeOf(const Facts &F, const Names &Name,
                         const ObjectName &Which, uint64_t Region) {
  std::map<std::string, unsigned> Classes;
  std::vector<std::string> Parts;
  for (const AccessFact &A : F.Accesses) {
    if (A.Region != Region ||
        std::find(A.Sites.begin(), A.Sites.end(), Which.Site) ==
            A.Sites.end() ||
        (Which.Context && !A.Contexts.empty() &&
         std::find(A.Contexts.begin(), A.Contexts.end(), Which.Context) ==
             A.Contexts.end()))
      continue;
    ++Classes[A.Class];
    for (const ExprRef &E : {A.Reads, A.Writes}) {
      std::string Text = exprToText(*E, Name);
      if (Text != "0")
        Parts.push_back(Text);
    }
  }
  SiteShape S;
  for (const auto &[Class, N] : Classes)
    S.Classes += (S.Classes.empty() ? "" : "+") + Class;
  // Equal terms are common (a read and a write of the same loop).
  std::sort(Parts.begin(), Parts.end());
  for (size_t I = 0; I < Parts.size();) {
    size_t N = std::upper_bound(Parts.begin() + I, Parts.end(), Parts[I]) -
               (Parts.begin() + I);
    S.Formula += (S.Formula.empty() ? "" : " + ") +
                 (N > 1 ? std::to_string(N) + "*(" + Parts[I] + ")" : Parts[I]);
    I += N;
  }
  return S;
}

static std::map<ObjectName, double> bytesOf(const Problem &P,
                                            const PlannedObjects &Objects) {
  std::map<ObjectName, double> Bytes;
  for (const PredictedInstance &I : P.Instances)
    Bytes[Objects.of(I)] += I.Bytes;
  return Bytes;
}

/// Bytes-weighted share of an object's instances that the plan puts in tier 0.
static std::map<ObjectName, double> fastShares(const Plan &P, const Problem &Pr,
                                               const PlannedObjects &Objects) {
  std::map<ObjectName, double> Fast, All = bytesOf(Pr, Objects);
  for (const PredictedInstance &I : Pr.Instances)
    if (const PlanObject *O = P.find(nameOf(I)))
      Fast[Objects.of(I)] += O->Share * I.Bytes;
  for (auto &[Which, Bytes] : Fast)
    Bytes = All[Which] ? Bytes / All[Which] : 0;
  return Fast;
}

static std::string regionText(const Facts &F, uint64_t Region) {
  const RegionFact *R = F.region(Region);
  return R ? R->Kind + " " + R->At : "unknown region";
}

static void printObjects(const Facts &F, const Plan &P, const Problem &Pr,
                         bool Verbose) {
  const PlannedObjects Objects(Pr);
  auto Bytes = bytesOf(Pr, Objects);
  auto Fast = fastShares(P, Pr, Objects);
  auto Demand = demands(Pr, Objects);
  const Names Name = symbolNames(F);
  std::puts("objects (main-memory accesses are 64-byte lines, per task)");
  Table T({"SITE", "AT", ">SIZE", ">FAST", "REGION", "CLASS",
           Verbose ? "LINES OF EACH TASK" : ">LINES PER TASK", ">WITHIN",
           "COUNT FORMULA (PER TASK)"});
  for (const auto &[Which, Size] : Bytes) {
    const std::string At = F.site(Which.Site) ? placeOf(F, Which) : "";
    const double Share = Fast.count(Which) ? Fast[Which] : 0;
    bool First = true;
    // Phases of one region are the same code: show the heaviest.
    std::map<uint64_t, std::pair<double, const SiteDemand *>> Regions;
    for (const auto &[Key, D] : Demand) {
      if (!(Key.second == Which))
        continue;
      double Sum = 0;
      for (double L : D.Lines)
        Sum += L;
      auto &Best = Regions[Pr.Phases[Key.first].Region];
      if (!Best.second || Sum > Best.first)
        Best = {Sum, &D};
    }
    for (const auto &[Region, D] : Regions) {
      SiteShape Shape = shapeOf(F, Name, Which, Region);
      T.row({First ? idOf(Which) : "", First ? At : "",
             First ? bytesText(Size) : "", First ? percentText(Share) : "",
             regionText(F, Region), Shape.Classes.empty() ? "-" : Shape.Classes,
             spread(D.second->Lines, Verbose), withinText(D.second->Bound),
             Shape.Formula.empty() ? "-" : Shape.Formula});
      First = false;
    }
    if (Regions.empty())
      T.row({idOf(Which), At, bytesText(Size), percentText(Share), "-", "-",
             "0", "", "-"});
  }
  std::fputs(T.str().c_str(), stdout);
}

static void printTasks(const Plan &P) {
  std::puts("\npredicted task times, and how far off nine in ten are at most");
  Table T(
      {"PHASE", "AT", ">TASK", ">SLOW-ONLY", ">FAST-ONLY", ">PLAN", ">WITHIN"});
  // Phases of explicit tasks can hold thousands; the slowest few tell most.
  const size_t Most = 16;
  for (const PlanPhase &Phase : P.Phases) {
    std::vector<PlanTask> Tasks = Phase.Tasks;
    size_t Left = 0;
    if (Tasks.size() > Most) {
      std::sort(Tasks.begin(), Tasks.end(), [](auto &A, auto &B) {
        return A.Seconds != B.Seconds ? A.Seconds > B.Seconds
                                      : A.Index < B.Index;
      });
      Left = Tasks.size() - Most;
      Tasks.resize(Most);
    }
    bool First = true;
    for (const PlanTask &X : Tasks) {
      T.row({First ? std::to_string(Phase.Phase) : "", First ? Phase.At : "",
             std::to_string(X.Index), secondsText(X.SlowOnlySeconds),
             secondsText(X.FastOnlySeconds), secondsText(X.Seconds),
             withinText(X.Seconds > 0 ? X.BoundSeconds / X.Seconds : 0)});
      First = false;
    }
    if (Left)
      T.row(
          {"", "", "... " + std::to_string(Left) + " faster", "", "", "", ""});
  }
  std::fputs(T.str().c_str(), stdout);
}

static std::string valuesText(const UngivenSymbol &S) {
  char Text[80];
  if (S.Low == S.High)
    std::snprintf(Text, sizeof Text, "%.15g", S.Low);
  else
    std::snprintf(Text, sizeof Text, "%.15g..%.15g", S.Low, S.High);
  return Text;
}

/// What else --for could say; \p All as ungivenSymbols sorts them.
static void printUngiven(const std::vector<UngivenSymbol> &All) {
  if (All.empty())
    return;
  std::puts("\nsymbols of the formulas that no --for speaks of");
  Table T(
      {"SYMBOL", "KIND", ">BASE VALUE", "TAKEN FOR THE TARGET", ">FORMULAS"});
  const size_t Most = 10;
  for (size_t I = 0; I < All.size() && I < Most; ++I)
    T.row({All[I].Name, All[I].Kind, valuesText(All[I]),
           All[I].Kept ? "base value" : "estimate",
           std::to_string(All[I].Formulas)});
  std::fputs(T.str().c_str(), stdout);
  if (All.size() > Most)
    std::printf("and %zu more; --json shows all\n", All.size() - Most);
  std::printf("give a value with --for '%s=VALUE', that of one task with "
              "--for '%s@TASK=VALUE'\n",
              All[0].Name.c_str(), All[0].Name.c_str());
}

static void printUnmeasured(const std::vector<std::string> &Names) {
  if (Names.empty())
    return;
  std::string Some;
  const size_t Most = 5;
  for (size_t I = 0; I < Names.size() && I < Most; ++I)
    Some += (I ? ", " : "") + Names[I];
  if (Names.size() > Most)
    Some += " and " + std::to_string(Names.size() - Most) + " more";
  std::printf("no value in the base profile: %zu symbols of its formulas (%s), "
              "which are estimated instead; was the program recorded unit by "
              "unit, or built from other sources?\n",
              Names.size(), Some.c_str());
}

static int listNames(const std::vector<std::string> &Names, bool Json) {
  if (Json)
    printJson(Names);
  else
    for (const std::string &N : Names)
      std::puts(N.c_str());
  return 0;
}

static nlohmann::json toJson(const Facts &F, const Plan &P, const Problem &Pr,
                             const Machine &M,
                             const std::vector<UngivenSymbol> &Ungiven,
                             const std::vector<std::string> &Unmeasured) {
  nlohmann::json J = {{"schema", "evenkeel.prediction/1"},
                      {"machine", P.Machine},
                      {"planner", P.Planner},
                      {"model", P.Model},
                      {"fast_bytes", P.FastBytes},
                      {"peak_bytes", Pr.PeakBytes},
                      {"keeps_first_touch", P.KeepsFirstTouch},
                      {"predicted_makespan_s", P.PredictedMakespan},
                      {"predicted_task_seconds", nlohmann::json::array()},
                      {"objects", nlohmann::json::array()},
                      {"methods", Pr.Methods},
                      {"not_given", nlohmann::json::array()},
                      {"not_measured", Unmeasured},
                      {"assumed", P.Assumed},
                      {"notes", P.Notes}};
  for (const UngivenSymbol &S : Ungiven)
    J["not_given"].push_back({{"symbol", S.Name},
                              {"kind", S.Kind},
                              {"base_low", S.Low},
                              {"base_high", S.High},
                              {"per_task", S.PerTask},
                              {"taken_as", S.Kept ? "base value" : "estimate"},
                              {"formulas", S.Formulas}});
  std::map<std::pair<uint32_t, std::pair<uint32_t, bool>>, const TaskDemand *>
      DemandOf;
  for (const PredictedPhase &Phase : Pr.Phases)
    for (const PredictedTask &T : Phase.Tasks)
      DemandOf[{Phase.Phase, {T.Index, T.Explicit}}] = &T.Demand;
  for (const PlanPhase &Phase : P.Phases)
    for (const PlanTask &T : Phase.Tasks) {
      nlohmann::json Row = {{"phase", Phase.Phase},
                            {"region", idToString(Phase.Region)},
                            {"index", T.Index},
                            {"explicit", T.Explicit},
                            {"seconds", T.Seconds},
                            {"slow_only_s", T.SlowOnlySeconds},
                            {"fast_only_s", T.FastOnlySeconds},
                            {"bound_s", T.BoundSeconds}};
      auto It = DemandOf.find({Phase.Phase, {T.Index, T.Explicit}});
      if (It != DemandOf.end()) {
        std::vector<double> Events = taskEvents(*It->second, M);
        for (size_t I = 0; I < Events.size(); ++I)
          Row["events"][eventNames()[I]] = Events[I];
      }
      J["predicted_task_seconds"].push_back(std::move(Row));
    }
  const PlannedObjects Objects(Pr);
  auto Demand = demands(Pr, Objects);
  const Names Name = symbolNames(F);
  auto Fast = fastShares(P, Pr, Objects);
  for (const auto &[Which, Bytes] : bytesOf(Pr, Objects)) {
    const SiteFact *S = F.site(Which.Site);
    nlohmann::json O = {{"site", idToString(Which.Site)},
                        {"at", S ? S->At : ""},
                        {"bytes", Bytes},
                        {"fast_share", Fast.count(Which) ? Fast[Which] : 0.0},
                        {"accesses", nlohmann::json::array()}};
    if (Which.Context) {
      O["context"] = idToString(Which.Context);
      O["place"] = placeOf(F, Which);
    }
    for (const auto &[Key, D] : Demand)
      if (Key.second == Which) {
        SiteShape Shape = shapeOf(F, Name, Which, Pr.Phases[Key.first].Region);
        O["accesses"].push_back({{"phase", Pr.Phases[Key.first].Phase},
                                 {"class", Shape.Classes},
                                 {"count", Shape.Formula},
                                 {"main_memory_lines", D.Lines},
                                 {"lines_bound", D.Bound}});
      }
    J["objects"].push_back(O);
  }
  return J;
}

static int run(const Args &A) {
  if (A.text("--planner") == "list")
    return listNames(plannerNames(), A.has("--json"));
  if (A.text("--model") == "list")
    return listNames(modelNames(), A.has("--json"));
  if (A.has("--output"))
    refuseInput(A.text("--output"),
                {A.text("--facts"), A.text("--base"), A.text("--machine")});
  PlanInputs In = readPlanInputs(A, A.has("--allow-target-profile"));
  Machine M = orFail(readMachine(A.require("--machine")));
  std::vector<ObjectName> Asked;
  for (const std::string &Text : A.all("--explain"))
    for (const ObjectName &Which : objectsNamed(In.F, Text))
      Asked.push_back(Which);
  PlanRequest R;
  R.F = &In.F;
  R.Base = &In.Base;
  R.M = &M;
  R.Fast = A.require("--fast");
  R.For = In.For;
  R.Seen = In.Seen;
  R.Planner = A.text("--planner");
  R.Model = A.text("--model");
  Problem Pr;
  Plan P = orFail(makePlan(R, &Pr));
  if (MaybeError E = checkFastOn(M, P.FastBytes))
    fail("--fast " + R.Fast + ": " + E->Message);
  P.Notes.insert(P.Notes.end(), In.Notes.begin(), In.Notes.end());
  if (!P.Ranks.empty())
    P.Notes.push_back("for " + std::to_string(P.Ranks.size()) +
                      " ranks, as in the base run: a run with another number "
                      "of them keeps first touch");
  if (A.has("--output")) {
    P.ReplanJson = replanOf(R, P);
    writeFile(A.text("--output"), planToJson(P));
  }
  std::vector<UngivenSymbol> Ungiven = ungivenSymbols(In.F, In.Base, In.For);
  const std::vector<std::string> Unmeasured = unmeasuredSymbols(In.F, In.Base);
  if (A.has("--json")) {
    nlohmann::json J = toJson(In.F, P, Pr, M, Ungiven, Unmeasured);
    for (const ObjectName &Which : Asked)
      J["explanations"].push_back(explanationJson(In.F, Pr, P, M, Which));
    printJson(J);
    return 0;
  }
  std::printf(
      "planner %s, model %s, machine %s: fast %s of %s predicted peak\n",
      P.Planner.c_str(), P.Model.c_str(), P.Machine.c_str(),
      bytesText(double(P.FastBytes)).c_str(), bytesText(Pr.PeakBytes).c_str());
  for (const auto &[Method, N] : Pr.Methods)
    std::printf("estimates: %u by %s\n", N, Method.c_str());
  printUnmeasured(Unmeasured);
  // Without any --for the target is the base input.
  if (!In.For.empty())
    printUngiven(Ungiven);
  std::puts("");
  printObjects(In.F, P, Pr, A.has("--verbose"));
  printTasks(P);
  std::printf("\npredicted makespan: %s%s\n",
              secondsText(P.PredictedMakespan).c_str(),
              P.KeepsFirstTouch
                  ? "; first touch is predicted best, the plan changes nothing"
                  : "");
  for (const std::string &X : P.Notes)
    std::printf("note: %s\n", X.c_str());
  for (const std::string &X : P.Assumed)
    std::printf("assumed: %s\n", X.c_str());
  for (const ObjectName &Which : Asked)
    std::fputs(explanationText(In.F, Pr, P, M, Which).c_str(), stdout);
  if (A.has("--output"))
    std::printf("plan written to %s\n", A.text("--output").c_str());
  return 0;
}

namespace evenkeel::cli {
const Subcommand &planCommand() {
  static const Subcommand C = {
      "plan",
      "predict every task's time and place data for the smallest makespan",
      "plan --facts F --base BASE.ekdb --machine M --fast 25%|SIZE [--for "
      "KEY=VALUE...] [-o plan.json]",
      "evenkeel plan --facts facts.json --base base.ekdb --machine "
      "optane-6252n --fast 12.5% --for n=4000000 -o plan.json",
      {{"--facts", nullptr, "FILE", "facts.json of analyze"},
       {"--base", nullptr, "FILE", "profile of a base input"},
       {"--machine", nullptr, "M", "name of a machine, or a machine file"},
       {"--fast", nullptr, "SHARE",
        "fast memory: a share of the predicted peak, or a size"},
       {"--for", nullptr, "NAME=VALUE",
        "symbol of the target; NAME@TASK=VALUE for one task; repeatable"},
       {"--threads", nullptr, "N",
        "threads of the target's teams (default: those of the base profile)"},
       {"--seen", nullptr, "FILE",
        "what an earlier run printed (run --json): its tasks' times correct "
        "those predicted; repeatable"},
       {"--planner", nullptr, "NAME", "planner, or list", "balanced"},
       {"--model", nullptr, "NAME", "cost model, or list", "overlap"},
       {"--output", "-o", "FILE", "plan to write; without it none is"},
       {"--explain", nullptr, "SITE",
        "why a site's objects, or those of a call of a wrapper, lie "
        "where they do: gain, criticality, the tasks it would cost, what "
        "binds; repeatable"},
       {"--verbose", "-v", nullptr, "accesses of each task, not their span"},
       {"--allow-target-profile", nullptr, nullptr,
        "accept a profile whose role is target"}},
      run};
  return C;
}
} // namespace evenkeel::cli
