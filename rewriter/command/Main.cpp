//===- Main.cpp - evenkeel-rewrite: annotate a project's sources ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the command line and the order of steps: parse all units, merge their
// findings, edit in memory, parse the result, then write. An error is one line
// and exit status 2, with nothing written.
// Not here: the steps, each in a file of its own.
//===----------------------------------------------------------------------===//
#include "Check.h"
#include "Embedded.h"
#include "Kept.h"
#include "Library.h"
#include "Output.h"
#include "edits/Paths.h"
#include "format/Machine.h"
#include "library/Groups.h"
#include "report/Report.h"
#include "report/UnitNote.h"
#include "unit/PlanShares.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <chrono>

using namespace evenkeel;
namespace cl = llvm::cl;

static cl::OptionCategory Category("evenkeel-rewrite options");
static cl::opt<std::string>
    BuildPath("p", cl::desc("Directory with compile_commands.json"),
              cl::value_desc("BUILD"), cl::cat(Category));
static cl::opt<std::string>
    RootPath("root",
             cl::desc("Project root; default: EVENKEEL_ROOT, else the deepest "
                      "directory with build, sources and what they include by "
                      "name"),
             cl::value_desc("DIR"), cl::cat(Category));
static cl::opt<std::string>
    PlanPath("plan", cl::desc("Take fast shares from this plan"),
             cl::value_desc("plan.json"), cl::cat(Category));
static cl::opt<bool>
    Inventory("inventory",
              cl::desc("Print sites, regions and sync points; change nothing"),
              cl::cat(Category));
static cl::opt<bool> Diff("diff", cl::desc("Print a diff for patch -p1"),
                          cl::cat(Category));
static cl::opt<std::string>
    OutDir("o", cl::desc("Write a mirrored tree with compile_commands.json"),
           cl::value_desc("DIR"), cl::cat(Category));
static cl::opt<bool> InPlace("in-place", cl::desc("Change the sources"),
                             cl::cat(Category));
namespace {
enum class Style { Numbers, Kept, OpenMP, Memkind };
} // namespace
static cl::opt<std::string> StyleName(
    "style",
    cl::desc("How the edits read: numbers (default): ids as numbers, and every "
             "place keeps its line; kept: names, on lines of their own, in the "
             "project's format, for sources that are kept; omp, memkind: calls "
             "of that library place what the plan places"),
    cl::init("numbers"), cl::value_desc("STYLE"), cl::cat(Category));
static Style OutputStyle = Style::Numbers; // by its name
static cl::opt<std::string>
    MachinePath("machine",
                cl::desc("The plan's machine; default: as the plan says"),
                cl::value_desc("NAME|FILE"), cl::cat(Category));
static cl::opt<std::string> WholePlan(
    "whole-plan",
    cl::desc("Write the plan as the calls of --style omp and memkind have it"),
    cl::value_desc("FILE"), cl::cat(Category));
static cl::list<std::string> WrapperNames(
    "wrapper",
    cl::desc("Functions that allocate for their callers, qualified, where no "
             "unit shows it"),
    cl::value_desc("NAME,..."), cl::CommaSeparated, cl::cat(Category));
static cl::opt<bool> Priorities(
    "priorities",
    cl::desc("Add priority clauses to tasks with depend clauses, so that they "
             "run depth first"),
    cl::cat(Category));
static cl::opt<bool> Acquire(
    "acquire",
    cl::desc("Tasks acquire the data that their depend and map clauses name "
             "while they run, in a tier that must hold it; clauses that name "
             "less than the task accesses are reported"),
    cl::cat(Category));
static cl::opt<bool> Json("json", cl::desc("Report as JSON on stdout"),
                          cl::cat(Category));
static cl::opt<bool>
    KeepGoing("keep-going",
              cl::desc("Work on without the units and places that fail; the "
                       "exit status is still 2 when a unit was refused"),
              cl::cat(Category));
static cl::list<std::string>
    ReportOf("report",
             cl::desc("Say what evenkeel-cc, or the plugin, rewrote, left and "
                      "skipped in programs, libraries, archives and objects"),
             cl::value_desc("FILE"), cl::cat(Category));
static cl::list<std::string> Sources(cl::Positional, cl::ZeroOrMore,
                                     cl::desc("[SOURCES...]"),
                                     cl::cat(Category));

static int fail(const std::string &Line) {
  llvm::errs() << "evenkeel: error: " << Line << '\n';
  return 2;
}

/// Prints progress after two seconds of work.
class Progress {
  std::chrono::steady_clock::time_point Start =
      std::chrono::steady_clock::now();

public:
  void step(const char *What, size_t I, size_t N, const std::string &Unit) {
    if (std::chrono::steady_clock::now() - Start > std::chrono::seconds(2))
      llvm::errs() << "evenkeel: " << What << " " << I + 1 << "/" << N << " "
                   << Unit << '\n';
  }
};

/// A unit that may call wrappers of other units is read again once these are
/// known, and may then turn out to define wrappers itself.
static void readAgain(const Project &P, CollectOptions Options,
                      const Overlay &Texts, Progress &Show,
                      std::map<std::string, UnitResult> &Units) {
  std::set<std::string> Wrappers;
  for (bool More = true; More;) {
    More = false;
    for (const auto &[Path, R] : Units)
      Wrappers.insert(R.Wrappers.begin(), R.Wrappers.end());
    Options.OtherWrappers = &Wrappers;
    size_t I = 0;
    for (auto &[Path, R] : Units) {
      ++I;
      if (std::none_of(
              R.WrappersElsewhere.begin(), R.WrappersElsewhere.end(),
              [&](const std::string &Name) { return Wrappers.count(Name); }))
        continue;
      Show.step("reading again", I - 1, Units.size(), relativeTo(Path, P.Root));
      R = parseUnit(P, Path, Texts, &Options);
      More = true;
    }
  }
}

static int report() {
  std::vector<std::string> Paths(ReportOf.begin(), ReportOf.end());
  Paths.insert(Paths.end(), Sources.begin(), Sources.end());
  Expected<Notes> N = readNotes(Paths);
  if (!N)
    return fail(N.message());
  if (Json) {
    llvm::outs() << summaryJson(N->Found, N->Refused, nullptr);
    return 0;
  }
  llvm::outs() << summaryText(N->Found);
  std::map<std::string, unsigned> Reasons;
  for (const RefusedUnit &U : N->Refused)
    ++Reasons[U.Error];
  llvm::outs() << N->Units << (N->Units == 1 ? " unit" : " units")
               << " with a report, " << N->Refused.size()
               << " compiled as they are";
  const char *Before = " (";
  for (const auto &[Reason, Count] : Reasons) {
    llvm::outs() << Before << Count << ' ' << Reason;
    Before = ", ";
  }
  llvm::outs() << (Reasons.empty() ? "\n" : ")\n");
  for (const RefusedUnit &U : N->Refused)
    llvm::outs() << "  " << U.Error << ": " << U.Path << '\n';
  return 0;
}

static MaybeError parseOptions(int argc, const char **argv) {
  cl::HideUnrelatedOptions(Category);
  cl::SetVersionPrinter([](llvm::raw_ostream &OS) {
    OS << "evenkeel-rewrite " << RewriterVersion << '\n';
  });
  std::string Problem;
  llvm::raw_string_ostream ProblemStream(Problem);
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Annotates allocations and sync points in a project's sources\n",
          &ProblemStream))
    return Error{
        llvm::StringRef(ProblemStream.str()).trim().split('\n').first.str()};
  return std::nullopt;
}

namespace {
struct ReadUnits {
  std::map<std::string, UnitResult> Units; // as Project::Units, sorted
  std::vector<RefusedUnit> Refused;
  std::map<std::string, std::set<std::string>> FilesOf; // by unit
};
} // namespace

/// With \p Texts in place of files.
static ReadUnits readUnits(const Project &P, const CollectOptions &Options,
                           const Overlay &Texts, Progress &Show) {
  ReadUnits Out;
  for (size_t I = 0; I < P.Units.size(); ++I) {
    std::string Name = relativeTo(P.Units[I], P.Root);
    if (Name.empty())
      Name = P.Units[I];
    Show.step("reading", I, P.Units.size(), Name);
    UnitResult R = parseUnit(P, P.Units[I], Texts, &Options);
    if (!R.FirstError.empty()) {
      Out.Refused.push_back({Name, R.FirstError});
      llvm::errs() << "evenkeel: error: " << Name
                   << " does not compile and is skipped: " << R.FirstError
                   << '\n';
      continue;
    }
    Out.FilesOf[P.Units[I]] = R.Files;
    Out.Units.emplace(P.Units[I], std::move(R));
  }
  return Out;
}

static std::vector<UnitResult> takeUnits(ReadUnits &Read) {
  std::vector<UnitResult> Units;
  for (auto &[Path, R] : Read.Units)
    Units.push_back(std::move(R));
  return Units;
}

/// Whether the plan is for these sources; warns about planned sites that are
/// not in them.
static MaybeError checkPlan(const PlanShares &Shares,
                            const std::vector<Finding> &Findings) {
  if (Shares.Percent.empty())
    return std::nullopt;
  std::set<uint64_t> Known;
  for (const Finding &F : Findings)
    if (F.Class == Finding::Group::Site)
      Known.insert(F.Id);
  size_t Missing = std::count_if(
      Shares.Percent.begin(), Shares.Percent.end(),
      [&](const auto &Entry) { return !Known.count(Entry.first); });
  if (Missing == Shares.Percent.size())
    return Error{"'" + PlanPath +
                 "' names no site of these sources; it was made for another "
                 "program, plan again"};
  if (Missing)
    llvm::errs() << "evenkeel: warning: " << Missing << " of "
                 << Shares.Percent.size()
                 << " sites in the plan are not in these sources\n";
  return std::nullopt;
}

/// Edited units must compile, as the originals did.
static MaybeError
checkEdits(const Project &P,
           const std::map<std::string, std::set<std::string>> &FilesOf,
           Progress &Show, Merged &All, EditedFiles &Files) {
  size_t Checked = 0;
  std::vector<LeftUnit> Left = leaveBroken(
      P, FilesOf,
      [&](const std::string &Unit) {
        Show.step("checking", Checked++, std::max(FilesOf.size(), Checked),
                  relativeTo(Unit, P.Root));
      },
      All, Files);
  if (!Left.empty() && Files.empty())
    return Error{relativeTo(Left[0].Unit, P.Root) +
                 " would not compile after the edits, so nothing is written: " +
                 Left[0].Error};
  for (const LeftUnit &L : Left)
    llvm::errs() << "evenkeel: warning: " << relativeTo(L.Unit, P.Root)
                 << " would not compile after the edits and is not changed: "
                 << L.Error << '\n';
  return std::nullopt;
}

/// Edits in memory; the edited units compile.
static MaybeError makeFiles(const Project &P, const ReadUnits &Read,
                            Progress &Show, Merged &M, EditedFiles &Files) {
  Expected<EditedFiles> Made = editFiles(M);
  if (!Made)
    return Made.takeError();
  Files = std::move(*Made);
  return checkEdits(P, Read.FilesOf, Show, M, Files);
}

/// The same with names. The edited sources are read again for the ids of their
/// places.
static MaybeError makeKeptFiles(const Project &P, const CollectOptions &Options,
                                const KeptSources &Kept, ReadUnits &Read,
                                Progress &Show, Merged &M, EditedFiles &Files) {
  if (MaybeError E = Kept.refuseForeign())
    return E;
  if (MaybeError E = Kept.layOut(M))
    return E;
  Expected<EditedFiles> Made = editFiles(M);
  if (!Made)
    return Made.takeError();
  Files = std::move(*Made);
  const bool Any = !Files.empty();
  Kept.addHeader(M, Files);
  for (auto &[Unit, Included] : Read.FilesOf)
    Included.erase(Kept.path());
  if (Any)
    if (MaybeError E = checkEdits(P, Read.FilesOf, Show, M, Files))
      return E;
  Overlay Texts;
  for (const auto &[Path, F] : Files)
    Texts[Path] = F.New;
  ReadUnits Again = readUnits(P, Options, Texts, Show);
  readAgain(P, Options, Texts, Show, Again.Units);
  Kept.finish(takeUnits(Again), M, Files);
  return std::nullopt;
}

/// The same with calls of a library, which need no ids.
static MaybeError
makeLibraryFiles(const Project &P, const LibrarySources &Library,
                 ReadUnits &Read, const std::set<std::string> &WithoutOpenMP,
                 Progress &Show, Merged &M, EditedFiles &Files) {
  if (MaybeError E = Library.checkOpenMP(P, M, Read.FilesOf, WithoutOpenMP))
    return E;
  if (MaybeError E = layOutKept(M, Library.headerPath(P)))
    return E;
  Expected<EditedFiles> Made = editFiles(M);
  if (!Made)
    return Made.takeError();
  Files = std::move(*Made);
  Library.addHeader(P, M, Files);
  for (auto &[Unit, Included] : Read.FilesOf)
    Included.erase(Library.headerPath(P));
  return checkEdits(P, Read.FilesOf, Show, M, Files);
}

/// Prints or writes the results, according to the options.
static MaybeError putEdits(const Project &P, const Merged &M,
                           const EditedFiles &Files,
                           const std::vector<RefusedUnit> &Refused,
                           const std::string &Summary) {
  std::string DiffText;
  if (Diff)
    DiffText = projectDiff(M, Files, P.Root);
  MaybeError Failure;
  std::vector<std::string> Detached;
  if (InPlace)
    Failure = writeInPlace(Files, Detached);
  else if (!OutDir.empty())
    Failure = writeMirror(P, M, Files, OutDir);
  if (Failure)
    return Failure;
  if (Json)
    llvm::outs() << summaryJson(M, Refused, Diff ? &DiffText : nullptr);
  else if (Diff)
    llvm::outs() << DiffText;
  llvm::errs() << Summary;
  for (const std::string &Path : Detached)
    llvm::errs() << "evenkeel: warning: " << relativeTo(Path, P.Root)
                 << " had other hard links; they keep the old text\n";
  if (P.OtherLanguages)
    llvm::errs() << P.OtherLanguages
                 << " entries of the compile database are neither C nor C++\n";
  return std::nullopt;
}

/// One line for each warning.
static void warnAll(const Merged &M) {
  for (const std::string &Line : M.Warnings)
    llvm::errs() << "evenkeel: warning: " << Line << '\n';
}

static bool forLibrary() {
  return OutputStyle == Style::OpenMP || OutputStyle == Style::Memkind;
}

/// Rewrites \p P into sources that call a library.
static int rewriteForLibrary(const Project &P, CollectOptions Options,
                             const PlanShares &Shares) {
  Options.Library = OutputStyle == Style::OpenMP ? LibraryCalls::OpenMP
                                                 : LibraryCalls::Memkind;
  Options.Planned = &Shares.Percent;
  Expected<LibrarySources> Library =
      LibrarySources::read(Options.Library, PlanPath, MachinePath);
  if (!Library)
    return fail(Library.message());
  Progress Show;
  ReadUnits Read = readUnits(P, Options, {}, Show);
  // An unread unit may free what the others allocate.
  if (!Read.Refused.empty())
    return 2;
  if (MaybeError E = Library->check(P, Read.Units))
    return fail(E->Message);
  std::vector<BlockFlow> Flows;
  std::set<std::string> WithoutOpenMP;
  for (auto &[Path, R] : Read.Units) {
    std::move(R.Flows.begin(), R.Flows.end(), std::back_inserter(Flows));
    if (R.WithoutOpenMP)
      WithoutOpenMP.insert(Path);
  }
  MaybeError Foreign;
  auto Decide = [&](std::vector<Finding> &Found) {
    Foreign = checkPlan(Shares, Found);
    keepGroups(Flows, Library->placement().Sites, Options.Library, Found);
  };
  Expected<Merged> All = mergeUnits(takeUnits(Read), KeepGoing, Decide);
  if (!All)
    return fail(All.message());
  if (Foreign)
    return fail(Foreign->Message);
  EditedFiles Files;
  if (MaybeError E =
          makeLibraryFiles(P, *Library, Read, WithoutOpenMP, Show, *All, Files))
    return fail(E->Message);
  Library->takeBack(*All);
  if (!WholePlan.empty())
    if (MaybeError E = Library->writeWhole(WholePlan))
      return fail(E->Message);
  if (MaybeError E =
          putEdits(P, *All, Files, Read.Refused, Library->summary(*All)))
    return fail(E->Message);
  return 0;
}

/// Data is acquired in a tier that must hold it.
static MaybeError checkAcquire() {
  if (!Acquire)
    return std::nullopt;
  if (OutputStyle != Style::Numbers)
    return Error{"--acquire belongs to --style numbers"};
  if (!PlanPath.empty())
    return Error{"--acquire takes no --plan: a plan divides objects between "
                 "tiers, and a required tier holds them as a whole"};
  if (MachinePath.empty())
    return std::nullopt;
  Expected<Machine> M = readMachine(MachinePath);
  if (!M)
    return M.takeError();
  if (!M->hasRequiredTier())
    return Error{"machine '" + M->Name +
                 "' has no required tier, so tasks need not acquire data; omit "
                 "--acquire, or choose another machine"};
  return std::nullopt;
}

static MaybeError checkOptions() {
  if (BuildPath.empty())
    return Error{"no build directory; give -p BUILD, the folder with "
                 "compile_commands.json"};
  int Modes = Inventory + Diff + InPlace + !OutDir.empty();
  if (Modes != 1)
    return Error{"use one of --inventory, --diff, -o DIR and --in-place"};
  if (StyleName.getNumOccurrences() > 1)
    return Error{"give --style once"};
  const std::pair<const char *, Style> Styles[] = {{"numbers", Style::Numbers},
                                                   {"kept", Style::Kept},
                                                   {"omp", Style::OpenMP},
                                                   {"memkind", Style::Memkind}};
  const auto *Found =
      llvm::find_if(Styles, [](const auto &S) { return S.first == StyleName; });
  if (Found == std::end(Styles))
    return Error{"unknown style '" + StyleName +
                 "'; choose numbers, kept, omp or memkind"};
  OutputStyle = Found->second;
  if (OutputStyle == Style::Kept && !PlanPath.empty())
    return Error{"--style kept takes no --plan: a plan is for one input and "
                 "machine, and these sources are for all; give it to "
                 "'evenkeel run'"};
  if (!forLibrary() &&
      (!WholePlan.empty() || (!MachinePath.empty() && !Acquire)))
    return Error{"--machine and --whole-plan belong to --style omp and "
                 "--style memkind"};
  if (forLibrary() && Priorities)
    return Error{"--priorities belongs to --style numbers and --style kept"};
  return checkAcquire();
}

int main(int argc, const char **argv) {
  llvm::InitLLVM Init(argc, argv);
  if (MaybeError E = parseOptions(argc, argv))
    return fail(E->Message);
  if (!ReportOf.empty())
    return report();
  if (MaybeError E = checkOptions())
    return fail(E->Message);

  Expected<Project> Loaded =
      loadProject(BuildPath, RootPath,
                  std::vector<std::string>(Sources.begin(), Sources.end()));
  if (!Loaded)
    return fail(Loaded.message());
  const Project &P = *Loaded;

  PlanShares Shares;
  CollectOptions Options;
  Options.Root = P.Root;
  Options.Beside = !P.RootIsNamed;
  Options.Within = P.Root;
  Options.Priorities = Priorities;
  Options.Acquire = Acquire;
  Options.NamedWrappers.insert(WrapperNames.begin(), WrapperNames.end());
  const std::set<std::string> NoneYet;
  Options.OtherWrappers = &NoneYet;
  if (!PlanPath.empty()) {
    Expected<PlanShares> Read = readPlanShares(PlanPath);
    if (!Read)
      return fail(Read.message());
    Shares = *Read;
  }
  if (forLibrary() && !Inventory)
    return rewriteForLibrary(P, Options, Shares);
  if (!PlanPath.empty())
    usePlan(Shares, Options);

  Progress Show;
  std::optional<KeptSources> Kept;
  Overlay Header;
  if (OutputStyle == Style::Kept) {
    Options.Kept = true;
    Kept.emplace(P);
    Header = Kept->header();
  }
  ReadUnits Read = readUnits(P, Options, Header, Show);
  if (!Read.Refused.empty() && !KeepGoing)
    return 2;
  readAgain(P, Options, Header, Show, Read.Units);
  auto Name = [&](std::vector<Finding> &Found) { Kept->name(Found); };
  Expected<Merged> All = mergeUnits(takeUnits(Read), KeepGoing,
                                    Kept ? NameFunction(Name) : nullptr);
  if (!All)
    return fail(All.message());
  const Merged &M = *All;
  const int Status = Read.Refused.empty() ? 0 : 2;

  if (MaybeError E = checkPlan(Shares, M.Findings))
    return fail(E->Message);
  if (Inventory) {
    warnAll(M);
    llvm::outs() << (Json ? inventoryJson(M) : inventoryText(M));
    return Status;
  }

  EditedFiles Files;
  if (MaybeError E =
          Kept ? makeKeptFiles(P, Options, *Kept, Read, Show, *All, Files)
               : makeFiles(P, Read, Show, *All, Files))
    return fail(E->Message);
  warnAll(M);
  if (MaybeError E = putEdits(P, M, Files, Read.Refused, summaryText(M)))
    return fail(E->Message);
  return Status;
}
