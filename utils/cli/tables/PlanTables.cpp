//===- PlanTables.cpp - a plan's tables for display -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PlanTables.h.
//===----------------------------------------------------------------------===//
#include "PlanTables.h"
#include "SymbolNames.h"
#include "cli/common/Cli.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace evenkeel;
using namespace evenkeel::cli;

/// A relative error bound as text.
static std::string withinText(double Bound) {
  return Bound > 1 ? "> 100 %" : percentText(Bound);
}

/// Formulas of C++ containers can have a thousand characters.
static std::string shortened(const std::string &Formula) {
  constexpr size_t Most = 72;
  return Formula.size() <= Most ? Formula : Formula.substr(0, Most - 3) + "...";
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

static std::string leftOut(size_t N, const char *What) {
  return "and " + std::to_string(N) + " more " + What +
         "; --verbose shows all\n";
}

std::string
evenkeel::cli::methodsText(const std::map<std::string, unsigned> &Methods) {
  std::string Out;
  for (const auto &[Method, N] : Methods)
    Out += "estimates: " + std::to_string(N) + " by " + Method + "\n";
  return Out;
}

// --- objects ----------------------------------------------------------------

namespace {
/// One region's use of an object, in the phase with the most accesses.
struct ObjectRow {
  ObjectName Which;
  uint64_t Region = 0;
  const SiteDemand *Heaviest = nullptr; // null: no region accesses it
  double Lines = 0;
};
} // namespace

/// Phases of one region run the same code: the heaviest represents them.
static std::vector<ObjectRow>
objectRows(const Problem &P, const std::map<ObjectName, double> &Bytes,
           const std::map<ObjectName, std::vector<SiteDemand>> &Demands) {
  std::vector<ObjectRow> Rows;
  for (const auto &Object : Bytes) {
    std::map<uint64_t, ObjectRow> Regions;
    if (auto It = Demands.find(Object.first); It != Demands.end())
      for (const SiteDemand &D : It->second) {
        const uint64_t Region = P.Phases[D.Phase].Region;
        ObjectRow &Best = Regions[Region];
        const double Sum = D.sum();
        if (!Best.Heaviest || Sum > Best.Lines)
          Best = {Object.first, Region, &D, Sum};
      }
    for (const auto &Entry : Regions)
      Rows.push_back(Entry.second);
    if (Regions.empty())
      Rows.push_back({Object.first});
  }
  return Rows;
}

/// Keeps the rows with the most lines, in their order. Returns the number of
/// dropped rows.
static size_t keepHeaviest(std::vector<ObjectRow> &Rows) {
  if (Rows.size() <= MostLines)
    return 0;
  const size_t All = Rows.size();
  std::vector<size_t> Order(All);
  for (size_t I = 0; I < All; ++I)
    Order[I] = I;
  std::sort(Order.begin(), Order.end(), [&](size_t A, size_t B) {
    return Rows[A].Lines != Rows[B].Lines ? Rows[A].Lines > Rows[B].Lines
                                          : A < B;
  });
  Order.resize(MostLines - 1);
  std::sort(Order.begin(), Order.end());
  std::vector<ObjectRow> Kept;
  for (size_t I : Order)
    Kept.push_back(Rows[I]);
  Rows = std::move(Kept);
  return All - Rows.size();
}

static std::string regionText(const Facts &F, uint64_t Region) {
  const RegionFact *R = F.region(Region);
  return R ? R->Kind + " " + R->At : "unknown region";
}

std::string evenkeel::cli::objectsText(const Facts &F, const Plan &P,
                                       const Problem &Pr, bool Verbose) {
  const PlannedObjects Objects(Pr);
  const auto Bytes = bytesOf(Pr, Objects);
  auto Fast = fastShares(P, Pr, Objects);
  const auto Demands = demandsOf(Pr, Objects);
  SiteShapes Shapes(F);
  std::vector<ObjectRow> Rows = objectRows(Pr, Bytes, Demands);
  const size_t Left = Verbose ? 0 : keepHeaviest(Rows);
  Table T({"SITE", "ALLOCATED AT", ">SIZE", ">IN FAST", "USED IN", "ACCESS",
           Verbose ? "LINES OF EACH TASK" : ">LINES PER TASK", ">ERROR UP TO",
           "ACCESSES PER TASK"});
  const ObjectRow *Before = nullptr;
  for (const ObjectRow &R : Rows) {
    const bool First = !Before || !(Before->Which == R.Which);
    Before = &R;
    std::vector<std::string> Cells(4);
    if (First)
      Cells = {idOf(R.Which), F.site(R.Which.Site) ? placeOf(F, R.Which) : "",
               bytesText(Bytes.at(R.Which)), percentText(Fast[R.Which])};
    if (!R.Heaviest) {
      Cells.insert(Cells.end(), {"-", "-", "0", "", "-"});
    } else {
      const SiteShape &S = Shapes.of(R.Which, R.Region);
      Cells.insert(Cells.end(), {regionText(F, R.Region),
                                 S.Classes.empty() ? "-" : S.Classes,
                                 spread(R.Heaviest->Lines, Verbose),
                                 withinText(R.Heaviest->Bound),
                                 S.Formula.empty() ? "-"
                                 : Verbose         ? S.Formula
                                                   : shortened(S.Formula)});
    }
    T.row(std::move(Cells));
  }
  return "objects (lines: of 64 bytes, from or to main memory)\n" + T.str() +
         (Left ? leftOut(Left, "rows of objects") : "");
}

// --- tasks ------------------------------------------------------------------

namespace {
/// From the least to the largest value.
struct Range {
  double Low = std::numeric_limits<double>::infinity(), High = -Low;

  void add(double X) {
    Low = std::min(Low, X);
    High = std::max(High, X);
  }
  std::string text(std::string (*Each)(double)) const {
    const std::string From = Each(Low), To = Each(High);
    return From == To ? From : From + ".." + To;
  }
};

/// One task of a phase, or several similar ones.
struct TaskRow {
  std::string At;
  std::set<uint32_t> Phases;
  std::set<std::pair<bool, uint32_t>> Tasks;
  Range Slow, Fast, Planned, Within;
  double Seconds = 0; // sum over its tasks

  void add(const PlanPhase &H, const PlanTask &X) {
    At = H.At;
    Phases.insert(H.Phase);
    Tasks.insert({X.Explicit, X.Index});
    Slow.add(X.SlowOnlySeconds);
    Fast.add(X.FastOnlySeconds);
    Planned.add(X.Seconds);
    Within.add(X.Seconds > 0 ? X.BoundSeconds / X.Seconds : 0);
    Seconds += X.Seconds;
  }
};
} // namespace

static std::string numbers(uint32_t First, uint32_t Last, size_t N) {
  const std::string From = std::to_string(First);
  return N == 1 ? From
                : From + ".." + std::to_string(Last) + " (" +
                      std::to_string(N) + ")";
}

/// Combines phases of one region, with their tasks apart or (\p Together) as
/// one row; ordered by first phase and task.
static std::vector<TaskRow> alikeRows(const Plan &P, bool Together) {
  using Key = std::tuple<uint64_t, std::string, bool, uint32_t>;
  std::map<Key, TaskRow> By;
  for (const PlanPhase &H : P.Phases)
    for (const PlanTask &X : H.Tasks)
      By[Together ? Key(H.Region, H.At, false, 0)
                  : Key(H.Region, H.At, X.Explicit, X.Index)]
          .add(H, X);
  std::vector<TaskRow> Rows;
  for (auto &Entry : By)
    Rows.push_back(std::move(Entry.second));
  std::sort(Rows.begin(), Rows.end(), [](const TaskRow &A, const TaskRow &B) {
    return std::tie(*A.Phases.begin(), *A.Tasks.begin()) <
           std::tie(*B.Phases.begin(), *B.Tasks.begin());
  });
  return Rows;
}

static std::string alikeText(std::vector<TaskRow> Rows) {
  const size_t All = Rows.size();
  if (All > MostLines) {
    std::vector<double> Seconds;
    for (const TaskRow &R : Rows)
      Seconds.push_back(R.Seconds);
    std::sort(Seconds.begin(), Seconds.end(), std::greater<>());
    const double Least = Seconds[MostLines - 2];
    Rows.erase(
        std::remove_if(Rows.begin(), Rows.end(),
                       [&](const TaskRow &R) { return R.Seconds < Least; }),
        Rows.end());
    Rows.resize(MostLines - 1);
  }
  Table T({"PHASES", "REGION", ">TASKS", ">ALL SLOW", ">ALL FAST", ">WITH PLAN",
           ">ERROR UP TO"});
  for (const TaskRow &R : Rows)
    T.row({numbers(*R.Phases.begin(), *R.Phases.rbegin(), R.Phases.size()),
           R.At,
           numbers(R.Tasks.begin()->second, R.Tasks.rbegin()->second,
                   R.Tasks.size()),
           R.Slow.text(secondsText), R.Fast.text(secondsText),
           R.Planned.text(secondsText), R.Within.text(withinText)});
  return T.str() +
         (All > Rows.size() ? leftOut(All - Rows.size(), "regions") : "");
}

/// One row per task; for phases with many tasks, only the slowest.
static std::string eachTaskText(const Plan &P) {
  Table T({"PHASE", "REGION", ">TASK", ">ALL SLOW", ">ALL FAST", ">WITH PLAN",
           ">ERROR UP TO"});
  // Phases of explicit tasks may have thousands; the slowest matter most.
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
  return T.str();
}

std::string evenkeel::cli::tasksText(const Plan &P, bool Verbose) {
  size_t Tasks = 0;
  for (const PlanPhase &H : P.Phases)
    Tasks += H.Tasks.size();
  const std::string Title = "\npredicted task times (nine in ten are off by no "
                            "more than the error)\n";
  if (Verbose || Tasks <= MostLines)
    return Title + eachTaskText(P);
  std::vector<TaskRow> Rows = alikeRows(P, /*Together=*/false);
  if (Rows.size() > MostLines)
    Rows = alikeRows(P, /*Together=*/true);
  return Title + alikeText(std::move(Rows));
}

// --- symbols ----------------------------------------------------------------

static std::string valuesText(const UngivenSymbol &S) {
  char Text[80];
  if (S.Low == S.High)
    std::snprintf(Text, sizeof Text, "%.15g", S.Low);
  else
    std::snprintf(Text, sizeof Text, "%.15g..%.15g", S.Low, S.High);
  return Text;
}

std::string evenkeel::cli::ungivenText(const std::vector<UngivenSymbol> &All) {
  if (All.empty())
    return "";
  Table T({"NAME", "KIND", ">IN BASE RUN", "ASSUMED", ">FORMULAS WITH IT"});
  const size_t Most = 10;
  for (size_t I = 0; I < All.size() && I < Most; ++I)
    T.row({All[I].Name, text(All[I].Kind), valuesText(All[I]),
           All[I].Kept ? "as in base run" : "estimated",
           std::to_string(All[I].Formulas)});
  std::string Out =
      "\ninput sizes you may still give, and what was assumed\n" + T.str();
  if (All.size() > Most)
    Out += "and " + std::to_string(All.size() - Most) +
           " more; --json shows all\n";
  return Out + "to give one: --for '" + All[0].Name +
         "=VALUE', or for one task alone --for '" + All[0].Name +
         "@TASK=VALUE'; or let the run show them, if you can start it:\n"
         "  evenkeel probe -- PROGRAM ARGUMENTS, and plan with --base "
         "probe.ekdb\n";
}

double evenkeel::cli::boundOfMakespan(const Plan &P) {
  double Seconds = 0, Bound = 0;
  for (const PlanPhase &H : P.Phases) {
    auto Last = std::max_element(H.Tasks.begin(), H.Tasks.end(),
                                 [](const PlanTask &A, const PlanTask &B) {
                                   return A.Seconds < B.Seconds;
                                 });
    if (Last == H.Tasks.end())
      continue;
    Seconds += Last->Seconds;
    Bound += Last->BoundSeconds;
  }
  return Seconds > 0 ? Bound / Seconds : 0;
}

std::string evenkeel::cli::answerText(const Plan &P, const Outlook &Ahead,
                                      size_t Phases) {
  std::string Text = "\npredicted makespan";
  if (Phases)
    Text += " of the first " + std::to_string(Phases) + " phases";
  Text += ": all slow " + secondsText(Ahead.AllSlow) + ", first touch " +
          secondsText(Ahead.FirstTouch) + ", plan " +
          secondsText(P.PredictedMakespan) +
          (P.MovingMakespan
               ? " (with its moves " + secondsText(*P.MovingMakespan) + ")"
               : "") +
          ", all fast " + secondsText(Ahead.AllFast) + "\n";
  if (P.KeepsFirstTouch)
    return Text +
           "gain: none; no placement is predicted to be faster than first "
           "touch, so the plan changes nothing\n";
  const double Within = boundOfMakespan(P);
  char Gain[160];
  std::snprintf(
      Gain, sizeof Gain,
      Within > 1 ? "gain: %.1f %% less time than first touch; a guess, as "
                   "times may be off by more than their own length\n"
                 : "gain: %.1f %% less time than first touch (nine in ten "
                   "task times are within %.0f %%)\n",
      100 * (1 - P.makespan() / Ahead.FirstTouch), std::max(1.0, 100 * Within));
  return Text + Gain;
}

std::string evenkeel::cli::nextText(const Plan &P, const std::string &File) {
  const std::string Run = "evenkeel run --plan " + File + " -- PROGRAM\n";
  return P.Ranks.empty()
             ? "next: " + Run
             : "next: mpirun -n " + std::to_string(P.Ranks.size()) + " " + Run;
}

/// A note on objects that keep the base run's size because a symbol is unknown.
static std::string keptSizes(const PlanInputs &In, const Problem &Pr) {
  if (In.For.empty())
    return "";
  struct Kept {
    double Bytes = 0;
    std::string Formula;
  };
  std::map<std::string, Kept> BySite;
  std::map<std::string, double> BySymbol;
  const auto Name = symbolNames(In.F);
  double Bytes = 0;
  for (const PredictedInstance &I : Pr.Instances) {
    const SiteFact *S = In.F.site(I.Site);
    if (!I.SizeNotGiven || !S || !S->Size)
      continue;
    Kept &K = BySite[S->At];
    K.Bytes += I.Bytes;
    Bytes += I.Bytes;
    K.Formula = exprToText(*S->Size, Name);
    for (uint64_t Symbol : symbolsOf(*S->Size))
      BySymbol[Name(Symbol)] += I.Bytes;
  }
  if (BySite.empty())
    return "";
  std::vector<std::pair<std::string, Kept>> Rows(BySite.begin(), BySite.end());
  std::sort(Rows.begin(), Rows.end(), [](const auto &A, const auto &B) {
    return A.second.Bytes != B.second.Bytes ? A.second.Bytes > B.second.Bytes
                                            : A.first < B.first;
  });
  constexpr size_t Most = 3;
  std::string Text = "objects of " + std::to_string(Rows.size()) +
                     (Rows.size() == 1 ? " site" : " sites") +
                     " are taken to be as large as in the base run, " +
                     bytesText(Bytes) + " in all: ";
  for (size_t I = 0; I < Rows.size() && I < Most; ++I)
    Text += (I ? ", " : "") + Rows[I].first + " (" + Rows[I].second.Formula +
            " bytes)";
  if (Rows.size() > Most)
    Text += " and " + std::to_string(Rows.size() - Most) + " more";
  const auto Heaviest = std::max_element(
      BySymbol.begin(), BySymbol.end(),
      [](const auto &A, const auto &B) { return A.second < B.second; });
  if (Heaviest != BySymbol.end())
    Text += "; if they grow, use --for '" + Heaviest->first + "=VALUE'";
  return Text;
}

/// A note if the simulated caches are not those of \p M.
static std::string otherCaches(const Profile &Base, const Machine &M,
                               const std::string &Named) {
  const ek_raw_conf &C = Base.Config;
  if (!C.l2_bytes || Base.Mode == "counts")
    return "";
  // The recorder rounds a task's part of the cache up to whole sets.
  constexpr double Rounding = 0.05;
  auto Alike = [](double A, double B) {
    return A <= B * (1 + Rounding) && B <= A * (1 + Rounding);
  };
  if (Alike(C.l2_bytes, double(M.L2Bytes)) &&
      Alike(C.llc_share_bytes, double(M.llcSharePerCore())))
    return "";
  return "the base profile was recorded with the caches of another machine (" +
         bytesText(C.l2_bytes) + " and " + bytesText(C.llc_share_bytes) +
         " for each task; this one has " + bytesText(double(M.L2Bytes)) +
         " and " + bytesText(double(M.llcSharePerCore())) +
         "); record again with --machine " + Named;
}

std::vector<std::string> evenkeel::cli::doubts(const PlanInputs &In,
                                               const Problem &Pr,
                                               const Machine &M,
                                               const std::string &Named) {
  std::vector<std::string> All;
  for (std::string Text :
       {keptSizes(In, Pr), otherCaches(In.recorded(), M, Named)})
    if (!Text.empty())
      All.push_back(std::move(Text));
  return All;
}
