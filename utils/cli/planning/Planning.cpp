//===- Planning.cpp - what plan and simulate ask of the planner -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: see Planning.h. Here what is read is checked, one line for each doubt.
//===----------------------------------------------------------------------===//
#include "Planning.h"
#include "cli/programs/BuiltProgram.h"
#include "cli/workspace/SeenInputs.h"
#include "cli/workspace/Tuned.h"
#include "format/Identity.h"
#include "format/inputs/InputNumbers.h"
#include "predict/base/CountedMisses.h"
#include "predict/base/Threads.h"
#include "predict/measured/TaskTypes.h"
#include "predict/symbols/Given.h"
#include "predict/symbols/Ungiven.h"
#include "text/Reasons.h"
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

using namespace evenkeel;
using namespace evenkeel::cli;

static std::set<uint64_t> unknownSites(const Profile &Base,
                                       const std::set<uint64_t> &Known) {
  std::set<uint64_t> Unknown;
  for (const ek_raw_inst &X : Base.Instances)
    if (X.site && !Known.count(X.site))
      Unknown.insert(X.site);
  return Unknown;
}

/// Removes the site from objects of \p Base that the facts do not know, and
/// returns a note. An error if the facts know none of the sites.
static std::string leaveUnnamed(const std::set<uint64_t> &Unknown,
                                const std::set<uint64_t> &Known, const Args &A,
                                const std::string &Path, Profile &Base) {
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
    fail("'" + Path + "' and '" + A.text("--facts") +
         "' are of different programs: the profile has objects of site " +
         First +
         ", the facts have no such site; analyze the build folder that was "
         "recorded, with the same EVENKEEL_ROOT");
  return "objects that are not planned (site-without-facts): " +
         std::to_string(Objects) + ", of " + std::to_string(Unknown.size()) +
         (Unknown.size() == 1 ? " site" : " sites") + " such as " + First +
         ", which the profile has and the facts have not; analyze and record "
         "the same sources, keep generated sources in one folder, and record "
         "optimised code";
}

static std::string numberOf(size_t N, const char *What) {
  return std::to_string(N) + " " + What + (N == 1 ? "" : "s");
}

/// "a.c:3 (1.2 GiB), b.c:9 (size not known) and 2 more".
static std::string placesText(const Unreached &U) {
  constexpr size_t Most = 3;
  std::string Text;
  size_t N = 0;
  for (const Unreached::Site &S : U.Sites)
    if (N++ < Most)
      Text += (Text.empty() ? "" : ", ") + S.Fact->At + " (" +
              (S.Bytes ? bytesText(*S.Bytes) : "size not known") + ")";
  return Text + (N > Most ? " and " + std::to_string(N - Most) + " more" : "");
}

/// Extends a prefix in \p I by the phases that are expected to follow.
static void continuePrefix(PlanInputs &I) {
  const Profile &B = I.Base;
  I.Repeats = iterationOf(B);
  Profile Whole = continued(B);
  if (B.Ended.empty())
    I.Notes.push_back("the base profile covers the whole run");
  else if (!I.Repeats)
    I.Notes.push_back("the base profile holds the first " +
                      numberOf(B.Phases.size(), "phase") +
                      " of the run; none of them repeats, so the plan covers "
                      "only these");
  else
    I.Notes.push_back("the base profile holds the first " +
                      numberOf(B.Phases.size(), "phase") + " of the run; " +
                      (I.Repeats->Length == 1
                           ? "the last one repeats"
                           : "groups of " +
                                 numberOf(I.Repeats->Length, "phase") +
                                 " repeat") +
                      ", and the plan assumes that this continues, for " +
                      numberOf(Whole.Phases.size(), "phase") + " at least");
  constexpr double Steady = 0.05; // change of the work over three iterations
  if (!B.Ended.empty() && I.Repeats &&
      std::fabs(I.Repeats->Growth - 1) > Steady) {
    char Text[200];
    std::snprintf(Text, sizeof Text,
                  "the work of the phases that repeat still %s, by %.0f %% in "
                  "the last three rounds, so later phases may take longer or "
                  "shorter than predicted (record more of the run with "
                  "--until)",
                  I.Repeats->Growth > 1 ? "grew" : "shrank",
                  100 * std::fabs(I.Repeats->Growth - 1));
    I.Notes.push_back(Text);
  }
  const Unreached U = listUnreached(I.F, B);
  if (!B.Ended.empty() && !U.Sites.empty())
    I.Notes.push_back("the record ended before objects of " +
                      numberOf(U.Sites.size(), "allocation site") +
                      " were made: " + placesText(U) +
                      "; the plan leaves them in slow memory until hooks plan "
                      "again where the run reaches them");
  if (!B.Ended.empty() && !U.Regions.empty())
    I.Notes.push_back(
        "the record ended before " + numberOf(U.Regions.size(), "region") +
        " ran, such as " + U.Regions[0]->At +
        "; if the run reaches them, record more of it (record --until)");
  I.Prefix = std::move(I.Base);
  I.Base = std::move(Whole);
}

/// Reads facts and profile, and checks that they belong to one program.
static PlanInputs readFactsAndProfile(const Args &A, const std::string &Base) {
  PlanInputs I{
      orFail(readFacts(A.require("--facts"))), orFail(readProfile(Base)), {}};
  std::set<uint64_t> Known;
  for (const SiteFact &S : I.F.Sites)
    Known.insert(S.Id);
  if (Known.empty())
    fail("'" + A.text("--facts") +
         "' has no allocation site, so a plan can name no object; analyze "
         "again with the project's root (--root DIR)");
  if (std::none_of(I.Base.Instances.begin(), I.Base.Instances.end(),
                   [](const ek_raw_inst &X) { return X.site != 0; }))
    fail("no object of '" + Base +
         "' has an allocation site, so a plan can name none; build for "
         "recording again with the project's root (EVENKEEL_ROOT)");
  const std::set<uint64_t> Unknown = unknownSites(I.Base, Known);
  if (!Unknown.empty())
    I.Notes.push_back(leaveUnnamed(Unknown, Known, A, Base, I.Base));
  if (I.Base.Mode == "counts") {
    I.Base = withEstimatedMisses(std::move(I.Base), I.F);
    I.Notes.push_back(
        "the base profile has access counts, but not which accesses reach main "
        "memory: that is estimated from " +
        std::to_string(I.Base.Accesses.size()) +
        " counts, by access class and footprint");
  }
  return I;
}

/// Divides the work of the base profile among --threads threads.
static void dealToThreads(const Args &A, PlanInputs &I) {
  const std::string Text = A.text("--threads");
  char *End = nullptr;
  const unsigned long Given = std::strtoul(Text.c_str(), &End, 10);
  const unsigned N = *End || Given > MostThreads ? 0 : unsigned(Given);
  const unsigned Old = threadsOf(I.Base);
  I.Base = orFail(withThreads(I.Base, I.F, N));
  if (Old != N)
    I.Notes.push_back("the work of " + std::to_string(Old) +
                      " threads in the base run is divided among " + Text +
                      " threads");
}

std::vector<InputTie> PlanInputs::told() const {
  std::vector<InputTie> Out = Runs;
  for (const InputTie &T : Ties)
    if (std::none_of(Runs.begin(), Runs.end(),
                     [&](const InputTie &R) { return R.Symbol == T.Symbol; }))
      Out.push_back(T);
  return Out;
}

/// What the runs of the workspace say that \p A is planned from; nothing if it
/// is planned from files that were named.
static SeenInputs seenFor(const Args &A) {
  if (!A.has(RunsOf))
    return {};
  const std::vector<std::string> Command = A.all(RunsOf);
  const std::optional<BuiltCommand> Its = builtIn(Command);
  if (!Its)
    return {};
  return seenInputs(Workspace(Its->Program, A.text("--workspace")),
                    Its->Program, Command, Its->Word);
}

/// Adds \p Seen to what is given, and to the table of what the input tells.
static void addSeen(const SeenTarget &Seen, PlanInputs &I) {
  for (const SeenSymbol &S : giveSeen(I.F, Seen.Symbols, I.For, I.SeenSymbols))
    if (!S.Task || *S.Task == 0)
      I.Runs.push_back({S.Symbol, S.From, S.Base, S.Value, ""});
  I.Notes.insert(I.Notes.end(), Seen.Notes.begin(), Seen.Notes.end());
}

/// Notes where the command line and the runs of the same command disagree.
static void noteDisagreement(const CommandLine &Target, const SeenTarget &Seen,
                             PlanInputs &I) {
  for (const InputTie &T : tiesToInput(I.F, I.Base, Target, I.For))
    for (const SeenSymbol &S : Seen.Symbols)
      if (S.Symbol == T.Symbol && !S.Task && T.Target && *T.Target != S.Value) {
        char Text[160];
        std::snprintf(Text, sizeof Text,
                      " is %.15g by the command line (%s), but %.15g was seen "
                      "in runs of it: that is used",
                      *T.Target, T.From.substr(0, 60).c_str(), S.Value);
        I.Notes.push_back(T.Symbol->Name + Text);
      }
}

/// Adds what earlier runs of the target's own input say.
static void addOwnRuns(const CommandLine &Target, const SeenInputs &Runs,
                       PlanInputs &I) {
  I.Notes.insert(I.Notes.end(), Runs.Notes.begin(), Runs.Notes.end());
  if (Runs.Own.empty())
    return;
  SeenTarget Seen = seenOfTarget(I.F, I.Base, Runs.Own);
  noteDisagreement(Target, Seen, I);
  addSeen(Seen, I);
  I.SeenSizes = std::move(Seen.Sizes);
  I.Notes.push_back("seen in earlier runs of this input, and used: " +
                    numberOf(I.Runs.size(), "value") + " and the sizes of " +
                    numberOf(I.SeenSizes.size(), "object"));
  const std::string &Threads = Runs.Own.back().Threads;
  const unsigned Planned = threadsOf(I.Base);
  if (I.Base.Ranks.empty() && !Threads.empty() &&
      Threads != std::to_string(Planned))
    I.Notes.push_back("these runs had OMP_NUM_THREADS=" + Threads +
                      ", the plan is for " + std::to_string(Planned) +
                      " threads: what depends on their number may differ");
}

/// Adds what runs of other inputs say about symbols that have no value yet.
static void addOtherRuns(const SeenInputs &Runs, const CommandLine &Target,
                         PlanInputs &I) {
  if (Runs.Others.empty() || !Target.known())
    return;
  std::set<uint64_t> Known;
  for (const auto *Ties : {&I.Ties, &I.Runs})
    for (const InputTie &T : *Ties)
      if (T.Target)
        Known.insert(T.Symbol->Id);
  addSeen(seenOfOthers(I.F, I.Base, Target.Arguments, Runs.Others, Known), I);
}

/// Adds the values that the target's command line states, and notes why it
/// states no others; then what runs of other inputs say.
static void addInputs(const CommandLine &Target,
                      const std::vector<const Profile *> &Bases,
                      const SeenInputs &Runs, PlanInputs &I) {
  I.Ties = tiesToInput(I.F, I.Base, Target, I.For);
  const std::vector<InputTie> Same =
      tiesBySameNumbers(I.F, Bases, Target, I.Ties);
  for (const InputTie &T : Same) {
    const auto Old =
        std::find_if(I.Ties.begin(), I.Ties.end(),
                     [&](const InputTie &X) { return X.Symbol == T.Symbol; });
    if (Old == I.Ties.end())
      I.Ties.push_back(T);
    else
      *Old = T;
  }
  std::vector<Given> Told = givenByInput(I.F, I.Ties, I.For);
  I.For.insert(I.For.end(), Told.begin(), Told.end());
  addOtherRuns(Runs, Target, I);
  std::map<std::string, size_t> Reasons;
  for (const InputTie &T : I.told())
    if (!T.Why.empty() && Target.known())
      ++Reasons[T.Why];
  for (const auto &[Why, N] : Reasons)
    I.Notes.push_back("of " + numberOf(N, "size") +
                      " that the program takes from its input, the command "
                      "line tells no value (" +
                      Why + ": " + meaningOf(Why, {Reason::Input}) + ")");
}

/// Whether the inputs differ in a number, or in having it.
static bool differInNumbers(const CommandLine &A, const CommandLine &B) {
  auto ByPlace = [](const CommandLine &C) {
    std::map<std::string, double> Out;
    for (const InputNumber &N : numbersOf(C))
      Out.emplace(N.Place, N.Value);
    return Out;
  };
  return ByPlace(A) != ByPlace(B);
}

/// Whether a size is known to differ between the base run and the target, or
/// was given by hand.
static bool knowsAChange(const PlanInputs &I, size_t ByHand) {
  const std::vector<InputTie> Told = I.told();
  return ByHand || !I.SeenSymbols.empty() || !I.SeenSizes.empty() ||
         I.Several || std::any_of(Told.begin(), Told.end(), [](auto &T) {
           return T.Target && T.Base != T.Target;
         });
}

/// Sets I.Blind; \p ByHand: the number of values by --for.
static void findBlind(const CommandLine &Target, size_t ByHand, PlanInputs &I) {
  const std::vector<UngivenSymbol> Open = ungivenSymbols(I.F, I.Base, I.For);
  I.Blind =
      Target.known() && I.Base.Ran.known() && !knowsAChange(I, ByHand) &&
      std::any_of(Open.begin(), Open.end(),
                  [](auto &S) { return S.Kind != SymbolFact::Measured; }) &&
      differInNumbers(I.Base.Ran, Target);
  if (I.Blind)
    I.Notes.insert(I.Notes.begin(),
                   "this input differs from that of the base run, and no size "
                   "of it is known: those of the base run are used; give sizes "
                   "with --for NAME=VALUE, or name another --base");
}

/// Adds what is known of the target besides --for: what its own runs showed
/// comes before what its command line says, and that before other runs.
static void addKnown(const CommandLine &Target,
                     const std::vector<const Profile *> &Bases,
                     const SeenInputs &Runs, PlanInputs &I) {
  addOwnRuns(Target, Runs, I);
  addInputs(Target, Bases, Runs, I);
}

PlanRequest evenkeel::cli::requestOf(const PlanInputs &In, const Machine &M,
                                     const std::string &Fast,
                                     const std::string &Planner,
                                     const std::string &Model) {
  PlanRequest R;
  R.F = &In.F;
  R.Base = &In.Base;
  R.M = &M;
  R.Fast = Fast;
  R.For = In.For;
  R.KnownSizes = In.SeenSizes;
  R.KnownSymbols = In.SeenSymbols;
  R.Seen = In.Seen;
  R.Fitted = In.Fitted;
  R.Planner = Planner;
  R.Model = Model;
  return R;
}

static void checkRole(const Profile &Base, const std::string &Path,
                      bool AllowTarget) {
  if (Base.Role == "target" && !AllowTarget)
    fail("'" + Path +
         "' is a profile of the target itself; plan "
         "from a base input, or use --allow-target-profile");
}

/// The base inputs besides the first one, which is in \p I.
static std::vector<PlanInputs> readOthers(const Args &A, bool AllowTarget,
                                          const PlanInputs &I) {
  std::vector<PlanInputs> Out;
  for (size_t K = 1; K < I.BasePaths.size(); ++K) {
    const std::string &Path = I.BasePaths[K];
    PlanInputs &X = Out.emplace_back(readFactsAndProfile(A, Path));
    checkRole(X.Base, Path, AllowTarget);
    if (X.Base.Role == "prefix")
      fail("'" + Path +
           "' is the beginning of the very run that is planned for, so no "
           "other base input is needed: leave out the others");
    if (X.Base.Input == I.Base.Input)
      fail("'" + Path + "' is a record of the same input as '" +
           I.BasePaths[0] + "'; leave one of them out");
    if (A.has("--threads"))
      dealToThreads(A, X);
  }
  return Out;
}

/// Predicts from the nearest of several base inputs, with fits over all.
static void useSeveral(const Args &A, bool AllowTarget,
                       const CommandLine &Target, const SeenInputs &Runs,
                       PlanInputs &I) {
  std::vector<PlanInputs> Others = readOthers(A, AllowTarget, I);
  const std::vector<Given> Told = I.For; // of --for
  std::vector<const Profile *> Bases{&I.Base};
  for (const PlanInputs &X : Others)
    Bases.push_back(&X.Base);
  addKnown(Target, Bases, Runs, I);
  PlanRequest R;
  R.F = &I.F;
  R.For = I.For;
  const size_t Nearest = orFail(nearestBase(R, Bases, Target));
  if (Nearest) {
    PlanInputs &X = Others[Nearest - 1];
    std::swap(I.Base, X.Base);
    std::swap(I.Notes, X.Notes);
    std::swap(I.BasePaths[0], I.BasePaths[Nearest]);
    I.For = Told;
    I.Runs.clear();
    I.SeenSymbols.clear();
    addKnown(Target, Bases, Runs, I);
  }
  R.For = I.For;
  R.Base = &I.Base;
  I.Several = orFail(fitBases(R, Bases, Target));
  I.Fitted = I.Several->Values;
  if (I.Several->In.Variables.empty())
    I.Notes.push_back("the base inputs differ in no number that is known for "
                      "the target, so only '" +
                      I.BasePaths[0] +
                      "' is used: name one (--for, or the command after --)");
}

PlanInputs evenkeel::cli::readPlanInputs(const Args &A, bool AllowTarget,
                                         CommandLine Target) {
  A.requireAll({"--base"});
  const std::vector<std::string> Paths = A.all("--base");
  PlanInputs I = readFactsAndProfile(A, Paths[0]);
  I.BasePaths = Paths;
  checkRole(I.Base, Paths[0], AllowTarget);
  if (I.Base.Role == "prefix") {
    if (Paths.size() > 1)
      fail("'" + Paths[0] +
           "' is the beginning of the very run that is planned for, so no "
           "other base input is needed: leave out the others");
    for (const char *Option : {"--for", "--threads"})
      if (A.has(Option))
        fail("'" + Paths[0] +
             "' is the beginning of the very run that is planned for, so its "
             "input is known: leave out " +
             Option + ", or record a base input with --role base");
    continuePrefix(I);
  }
  if (A.has("--threads"))
    dealToThreads(A, I);
  const SeenInputs Runs = seenFor(A);
  for (const SeenRun &R : Runs.Own)
    addSeenTypes(I.Seen, R.Types);
  for (const std::string &Text : A.all("--for"))
    I.For.push_back(orFail(parseGiven(Text)));
  if (I.Base.Role == "prefix")
    return I;
  // What is set here is set where the target will be started.
  if (!A.Command.empty())
    for (const std::string &Name : variablesOf(I.F))
      if (const char *Value = std::getenv(Name.c_str()))
        Target.Environment.try_emplace(Name, Value);
  if (Paths.size() > 1)
    useSeveral(A, AllowTarget, Target, Runs, I);
  else
    addKnown(Target, {&I.Base}, Runs, I);
  findBlind(Target, A.all("--for").size(), I);
  return I;
}

PlanInputs evenkeel::cli::readPrefixInputs(const Args &A,
                                           const std::string &Path) {
  PlanInputs I = readFactsAndProfile(A, Path);
  if (I.Base.Role != "prefix")
    fail("'" + Path +
         "' is not the beginning of a run; record it with "
         "evenkeel record --sampled --role prefix --until phases");
  continuePrefix(I);
  return I;
}
