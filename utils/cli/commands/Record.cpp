//===- Record.cpp - evenkeel record ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to run a program that was built for recording, and to store its
// measurements as a profile with a role and the identity of its input.
// Makes: profile.ekdb, complete or not at all.
// Not here: cache simulation, which the recorded program does with the sizes of
// the machine file in EVENKEEL_RECORD_*.
//===----------------------------------------------------------------------===//
#include "cli/common/Cli.h"
#include "cli/common/Siblings.h"
#include "cli/programs/BuiltProgram.h"
#include "cli/programs/Launched.h"
#include "cli/programs/Process.h"
#include "cli/programs/RecordUntil.h"
#include "cli/programs/StripNotes.h"
#include "cli/programs/Twin.h"
#include "cli/tables/RaceReport.h"
#include "cli/touches/RecordPages.h"
#include "cli/workspace/Workspace.h"
#include "format/File.h"
#include "format/Machine.h"
#include "format/NewFile.h"
#include "format/profile/MergeRanks.h"
#include "format/profile/Profile.h"
#include "format/rows/RowCounts.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

namespace fs = std::filesystem;
using namespace evenkeel;
using namespace evenkeel::cli;

static std::string buildLine(const std::string &Asked) {
  const std::string Mode = Asked.empty() ? "misses" : Asked;
  return "build it with evenkeel-cc --record=" + Mode +
         ", for example: cmake -DCMAKE_C_COMPILER=evenkeel-cc "
         "-DCMAKE_C_FLAGS=--record=" +
         Mode;
}

/// Whether the program leaves a record: instrumented programs call __ek_rec_*.
static bool records(const std::string &Bytes) {
  return isRecording(Bytes) || isRewritten(Bytes);
}

/// The recording mode that a program was built for, as far as its code shows.
static std::string modeOf(const std::string &Bytes) {
  if (!isElf(Bytes))
    return "";
  if (!isRecording(Bytes))
    return records(Bytes) ? "times" : "";
  const bool Full = Bytes.find("__ek_rec_full_units") != std::string::npos,
             Sampled =
                 Bytes.find("__ek_rec_sampled_units") != std::string::npos;
  if (Bytes.find("__ek_rec_counted_units") != std::string::npos)
    return Full || Sampled ? "mixed" : "counts";
  return Sampled ? "sampled" : Full ? "misses" : "";
}

/// The mode that \p A requires; empty: any.
static std::string askedMode(const Args &A) {
  for (const char *Asked : {"misses", "sampled", "counts"})
    if (A.has(std::string("--") + Asked))
      return Asked;
  return "";
}

/// Reports an error if \p Program records in another \p Mode than required.
static void checkMode(const Args &A, const std::string &Mode,
                      const std::string &Program) {
  const std::string Asked = askedMode(A);
  if (Mode == "mixed")
    fail("'" + Program +
         "' has units built with --record=counts and others; build all of them "
         "with evenkeel-cc --record=" +
         (Asked.empty() ? "counts" : Asked));
  if (!Asked.empty() && Mode == "times")
    fail("'" + Program + "' was built without --record; " + buildLine(Asked));
  if (!Asked.empty() && !Mode.empty() && Mode != Asked)
    fail("'" + Program + "' records " + Mode + ", not " + Asked +
         "; build it with evenkeel-cc --record=" + Asked);
}

/// Whether a shell gets its commands in one argument: sh -c './solver 100'.
static bool isShellLine(const std::vector<std::string> &Command) {
  const std::string Name = fs::path(Command[0]).filename().string();
  for (const char *Shell : {"sh", "bash", "dash", "ksh", "zsh", "busybox"})
    if (Name == Shell)
      return std::find(Command.begin() + 1, Command.end(), "-c") !=
             Command.end();
  return false;
}

/// The index of the program in \p Command: the first word, or after a launcher
/// (mpirun -n 4 ./solver) the first that was built for recording.
static size_t programOf(const std::vector<std::string> &Command,
                        const std::string &First, const std::string &Asked) {
  const std::string Bytes = readTextFile(First);
  if (!isElf(Bytes) || records(Bytes) || isShellLine(Command))
    return 0; // a script; its raw files will show what it recorded
  if (std::optional<size_t> Launched = launchedProgram(Command, records))
    return *Launched;
  fail("'" + First + "' is a plain binary, nothing would be recorded; " +
       buildLine(Asked));
}

static std::string cache(uint64_t Bytes, unsigned Ways) {
  return std::to_string(Bytes) + "/" + std::to_string(Ways);
}

static std::vector<std::pair<std::string, std::string>>
recordEnvironment(const Machine &M, const Args &A, const std::string &Prefix) {
  std::vector<std::pair<std::string, std::string>> Env = {
      {"EVENKEEL_RAW", Prefix}};
  auto Default = [&](const char *Name, const std::string &Value) {
    if (const char *Old = getenv(Name); !Old || !*Old)
      Env.push_back({Name, Value});
  };
  Default("EVENKEEL_RECORD_L1", cache(M.L1Bytes, M.L1Ways));
  Default("EVENKEEL_RECORD_L2", cache(M.L2Bytes, M.L2Ways));
  Default("EVENKEEL_RECORD_LLC", cache(M.llcSharePerCore(), M.LlcWays));
  Default("EVENKEEL_RECORD_ROB", std::to_string(M.RobInstructions));
  Default("EVENKEEL_RECORD_PREFETCH", std::to_string(M.PrefetchDepth));
  char GHz[32];
  std::snprintf(GHz, sizeof GHz, "%.6g", M.GHz);
  Default("EVENKEEL_RECORD_GHZ", GHz);
  // The same team on every computer, and no threads that spin.
  Default("OMP_DYNAMIC", "false");
  Default("OMP_WAIT_POLICY", "passive");
  // For programs that scripts start, whose mode is not checked here.
  Env.push_back({"EVENKEEL_RECORD_ASKED", askedMode(A)});
  if (A.has("--threads"))
    Env.push_back({"OMP_NUM_THREADS", A.text("--threads")});
  return Env;
}

/// Reports an error if even the smallest raw record does not fit.
static void checkRoom(const std::string &Dir) {
  const std::string Probe = Dir + "/room";
  constexpr size_t Least = 1 << 20;
  if (MaybeError E = writeWholeFile(Probe, std::string(Least, 'x')))
    fail("no room for the recording in '" +
         fs::path(Dir).parent_path().string() + "' (" + E->Message +
         "); free some, or set TMPDIR");
  fs::remove(Probe);
}

namespace {
struct Collected {
  MissRecord Record;
  RowCounts Rows;
};
} // namespace

/// Joins the look-ups of all ranks' \p Rows, in their order in \p R.
static RowCounts joinRanks(std::vector<RowCounts> Rows, const MissRecord &R) {
  for (size_t Rank = 0; Rank < R.Ranks.size(); ++Rank)
    for (RowTableCounts &T : Rows[Rank].Tables)
      T.Creator += R.Ranks[Rank];
  return joinRows(std::move(Rows));
}

/// Reads the record of the process, or the merged records of all MPI ranks.
static Collected collect(const std::string &Dir) {
  std::vector<std::string> Files;
  size_t Unfinished = 0;
  for (const auto &Entry : fs::directory_iterator(Dir))
    if (isUnfinished(Entry.path().filename().string()))
      ++Unfinished;
    else if (Entry.path().filename() != "until")
      Files.push_back(Entry.path().string());
  std::sort(Files.begin(), Files.end());
  std::vector<MissRecord> Records;
  std::map<uint32_t, RowCounts> Rows; // by rank
  for (const std::string &File : Files) {
    MissRecord R = orFail(readRaw(File));
    if (R.Tasks.empty())
      continue;
    Rows[R.Rank] = orFail(readRawRows(File, R));
    Records.push_back(std::move(R));
  }
  std::error_code EC;
  if (constexpr uint64_t Little = 1 << 20;
      Records.empty() && fs::space(Dir, EC).available < Little && !EC)
    fail("the recording did not fit into '" +
         fs::path(Dir).parent_path().string() +
         "'; free some room there, or set TMPDIR");
  const std::string Lost = std::to_string(Unfinished) +
                           (Unfinished == 1 ? " process" : " processes") +
                           " ended before the record was written";
  if (Records.empty() && Unfinished)
    fail("the program left no record: " + Lost +
         "; a launcher may have killed it");
  if (Unfinished)
    std::fprintf(stderr, "evenkeel: %s; the profile leaves %s out\n",
                 Lost.c_str(), Unfinished == 1 ? "it" : "them");
  if (Records.empty())
    fail("the program left no record; does it run to its end, and did "
         "evenkeel-cc build it?");
  std::sort(Records.begin(), Records.end(),
            [](auto &A, auto &B) { return A.Rank < B.Rank; });
  for (size_t I = 1; I < Records.size(); ++I)
    if (Records[I].Rank == Records[I - 1].Rank)
      fail(std::to_string(Records.size()) +
           " processes were recorded that are not ranks of one MPI program; "
           "record one of them alone");
  if (std::string Early = earlyRanks(Records); !Early.empty())
    std::fprintf(stderr, "evenkeel: %s\n", Early.c_str());
  Collected Out{orFail(mergeRanks(std::move(Records))), {}};
  std::vector<RowCounts> InOrder;
  for (auto &[Rank, R] : Rows)
    InOrder.push_back(std::move(R));
  Out.Rows = joinRanks(std::move(InOrder), Out.Record);
  return Out;
}

static std::string modeText(const MissRecord &R) {
  return R.OneIn == 1
             ? R.Mode
             : R.Mode + " (one line in " + std::to_string(R.OneIn) + ")";
}

/// OMP_NUM_THREADS may be a list with a number for each nested level.
static void checkThreads(const std::string &Text) {
  constexpr unsigned long Most = 65536; // of a process, by the system's limits
  for (const std::string &Level : splitList(Text, ',')) {
    char *End = nullptr;
    const unsigned long N = std::strtoul(Level.c_str(), &End, 10);
    if (Level[0] < '0' || Level[0] > '9' || *End || N < 1 || N > Most)
      fail("--threads must be a number from 1 to " + std::to_string(Most) +
           ", not '" + Text + "'");
  }
}

/// When the record should end, according to \p A.
static RecordEnd endOf(const Args &A) {
  // With --role or --counts, the default is the whole run.
  const bool Beginning = A.has("--sampled") && !A.has("--role");
  RecordEnd End = parseRecordEnd(A.has("--until") ? A.text("--until")
                                 : Beginning      ? "phases"
                                                  : "end");
  End.KeepRunning = A.has("--keep-running");
  if (End.KeepRunning && End.Its == RecordEnd::WithProgram)
    fail("--keep-running is for records that end before the program; name the "
         "end with --until, for example --until phases");
  return End;
}

namespace {
/// The command to record.
struct Recorded {
  std::string Program; // path of the first word, searched in PATH
  size_t Word = 0;     // index of the recorded program
  std::string Input;   // identity of the input
  CommandLine Ran;     // of the recorded program
};
/// How the run ended.
struct EndOfRun {
  int Status = 0;
  bool Written = false; // the record was complete before the program ended
};
} // namespace

/// \p Given with the recording twin in the place of a program that evenkeel-cc
/// built for use.
static Args withTwin(const Args &Given) {
  if (!Given.has("--times"))
    refuseStripped(Given.Command);
  const std::optional<BuiltCommand> Its =
      Given.has("--times") ? std::nullopt : builtIn(Given.Command);
  if (!Its || isRecording(readTextFile(Its->Program)))
    return Given;
  const std::string Asked = askedMode(Given);
  const std::string Mode = Asked.empty() ? "misses" : Asked;
  const Workspace W(Its->Program, Given.text("--workspace"));
  W.refuseForeignFolder();
  const Twin T = makeTwin(Its->Built, Mode, W.twinFolder(Mode));
  W.hide();
  if (T.Units && !Given.has("--json"))
    std::fprintf(stderr,
                 "evenkeel: made %s, which records %s: %zu %s built again, "
                 "%zu %s linked as they are\n",
                 shownPath(T.Program).c_str(), Mode.c_str(), T.Units,
                 T.Units == 1 ? "unit" : "units", T.Plain,
                 T.Plain == 1 ? "object" : "objects");
  Args A = Given;
  A.Command[Its->Word] = T.Program;
  return A;
}

static Recorded findRecorded(const Args &A, const RecordEnd &End) {
  std::string Program = findProgram(A.Command[0]);
  if (Program.empty())
    fail("no program '" + A.Command[0] + "'");
  const size_t Word = programOf(A.Command, Program, askedMode(A));
  if (!Word && launchedRanks() > 1)
    fail("record stands in front of the launcher, so that it can merge what "
         "ranks record; write: evenkeel record ... -- mpirun -n " +
         std::to_string(launchedRanks()) + " " + A.Command[0] + " ...");
  const std::string Bytes =
      readTextFile(Word ? findProgram(A.Command[Word]) : Program);
  const std::string Built = modeOf(Bytes);
  checkMode(A, Built, A.Command[Word]);
  if (Built == "times" && End.Its != RecordEnd::WithProgram)
    fail("'" + A.Command[Word] +
         "' records sizes and times only, to its end; for --until " +
         buildLine("sampled"));
  return {Program, Word, "", commandLineOf(A.Command, Word, Bytes)};
}

/// The launcher's arguments are part of the input; the program's path is not.
static std::string identityOf(const Args &A, size_t Word) {
  std::vector<std::string> Arguments = A.Command;
  if (Word)
    Arguments.erase(Arguments.begin() + static_cast<std::ptrdiff_t>(Word));
  return orFail(inputIdentity(Arguments));
}

/// Whether no process of the program has written to \p Directory.
static bool leftNothing(const std::string &Directory) {
  return std::all_of(
      fs::directory_iterator(Directory), fs::directory_iterator(),
      [](const auto &Entry) { return Entry.path().filename() == "until"; });
}

/// What there is to say with --json of a program that failed unrecorded.
static void tellFailure(const Args &A, int Status) {
  if (A.has("--json"))
    printJson({{"schema", "evenkeel.recording/1"},
               {"recorded", false},
               {"program_status", Status}});
}

/// Runs the command; its processes write raw streams to \p Directory. A program
/// finds its data by the name \p Name with which it was started.
static EndOfRun runRecorded(const Args &A, const std::string &Name,
                            const Recorded &What, const Machine &M,
                            const RecordEnd &End,
                            const std::string &Directory) {
  Job J{A.Command, "", recordEnvironment(M, A, Directory + "/raw"), false,
        true};
  J.Program = What.Program;
  J.Argv[0] = Name;
  // The program's output must not get into our JSON document.
  if (A.has("--json"))
    J.StdoutToStderr = true;
  JobResult Ran;
  bool Stopped = false, Written = false;
  {
    UntilWatch Watch(End, Directory);
    for (auto &Variable : Watch.environment())
      J.Env.push_back(std::move(Variable));
    Ran = runJob(J);
    Stopped = Watch.stopped();
    Written = Watch.written();
  }
  if (Stopped)
    Ran.Status = 0; // we ended the program
  if (Ran.Status != 0)
    std::fprintf(stderr, "evenkeel: the program ended with status %d\n",
                 Ran.Status);
  // Errors after a complete record do not matter.
  if (Ran.Status != 0 && !Written &&
      (Ran.Status >= 126 || leftNothing(Directory))) {
    tellFailure(A, Ran.Status);
    fail("'" + A.Command[0] + "' was not recorded: it ended with status " +
         std::to_string(Ran.Status));
  }
  return {Ran.Status, Written};
}

/// Sets role, input and command of the profile.
static void describe(MissRecord &R, const Args &A, const Recorded &What) {
  const std::string Role = A.text("--role");
  // A complete run is also a base for other inputs.
  R.Role = !Role.empty() ? Role : R.Ended.empty() ? "base" : "prefix";
  if (R.Role == "prefix")
    R.Pages.clear(); // only for replays of whole runs
  R.Input = What.Input;
  R.Ran = What.Ran;
  R.Command = fs::path(A.Command[0]).filename().string();
  for (size_t I = 1; I < A.Command.size(); ++I)
    R.Command += " " + A.Command[I];
}

static void printSummary(const Args &A, const MissRecord &R,
                         const std::vector<Race> &Races, int Status) {
  const bool Counts = R.Mode == "counts"; // of accesses; else lines in memory
  uint64_t Reads = 0, Writes = 0;
  auto Add = [&](const auto &Rows) {
    for (const auto &X : Rows) {
      Reads += X.reads;
      Writes += X.writes;
    }
  };
  if (Counts)
    Add(R.Accesses);
  else
    Add(R.Misses);
  if (A.has("--json"))
    printJson({{"schema", "evenkeel.recording/1"},
               {"recorded", true},
               {"mode", R.Mode},
               {"one_line_in", R.OneIn},
               {"role", R.Role},
               {"ended", R.Ended.empty() ? "program" : R.Ended},
               {"input", R.Input},
               {"program_status", Status},
               {"instances", R.Instances.size()},
               {"phases", R.Phases.size()},
               {"tasks", R.Tasks.size()},
               {Counts ? "reads" : "main_memory_reads", Reads},
               {Counts ? "writes" : "main_memory_writes", Writes},
               {"races", raceJson(Races)},
               {"tracked_accesses", R.Config.tracked_accesses},
               {"untracked_accesses", R.Config.untracked_accesses}});
  else // stdout belongs to the program
    std::fprintf(stderr,
                 "%s: %s of input %s (%s): %zu object instances, %zu phases, "
                 "%zu tasks, %s %s and %s %s\n",
                 A.text("--output").c_str(), modeText(R).c_str(),
                 R.Input.c_str(), R.Role.c_str(), R.Instances.size(),
                 R.Phases.size(), R.Tasks.size(), countText(Reads).c_str(),
                 Counts ? "reads" : "lines read from",
                 countText(Writes).c_str(),
                 Counts ? "writes of objects" : "written to main memory");
}

static int run(const Args &Given) {
  if (Given.Command.empty())
    fail("no program; write it after --, as in: evenkeel record -o "
         "profile.ekdb -- ./solver input");
  if (Given.has("--misses") + Given.has("--sampled") + Given.has("--counts") +
          Given.has("--times") + Given.has("--pages") >
      1)
    fail("choose one of --misses, --sampled, --counts, --times and --pages");
  if (Given.has("--pages"))
    return recordPages(Given);
  for (const char *Name : {"--overhead", "--mechanism", "--chunk", "--window"})
    if (Given.has(Name))
      fail(std::string(Name) + " is for --pages");
  checkThreads(Given.text("--threads"));
  const Args A = withTwin(Given);
  const RecordEnd End = endOf(A);
  const std::string Role = A.text("--role");
  if (!Role.empty() && !isRole(Role))
    fail("--role is base, prefix or target, not '" + Role + "'");
  Recorded What = findRecorded(A, End);
  Machine M = orFail(readMachine(A.text("--machine")));
  std::string Out = A.text("--output");
  refuseInput(Out, A.Command);
  refuseForeign(Out);
  orFail(NewFile::canBeWritten(Out));
  // Before the run, because the program may change its input files.
  What.Input = identityOf(A, What.Word);

  TempDir Temp;
  checkRoom(Temp.path());
  const EndOfRun Ran =
      runRecorded(A, Given.Command[0], What, M, End, Temp.path());
  auto [R, Rows] = collect(Temp.path());
  checkMode(A, R.Mode, A.Command[0]);
  std::error_code EC;
  if (Ran.Status != 0 && !Ran.Written && fs::exists(Out, EC)) {
    std::fprintf(stderr,
                 "evenkeel: '%s' is left as it was; to keep the record of a "
                 "program that failed, name another file with -o\n",
                 Out.c_str());
    tellFailure(A, Ran.Status);
    return Ran.Status;
  }
  describe(R, Given, What);
  orFail(writeProfile(Out, R, Rows));
  if (const std::string Text = endText(End, R); !Text.empty())
    std::fprintf(stderr, "evenkeel: %s\n", Text.c_str());
  const std::vector<Race> Races = racesOf(R);
  std::fputs(raceText(Races, 20).c_str(), stderr);
  printSummary(A, R, Races, Ran.Status);
  return Ran.Status;
}

namespace evenkeel::cli {
const Subcommand &recordCommand() {
  static const Subcommand C = {
      "record",
      "How often does each task access each object in one run, and how long "
      "does it take?",
      "record [--misses|--sampled|--counts|--times|--pages] [--until WHEN] "
      "[--role "
      "base|prefix|target] [-o profile.ekdb] -- CMD...",
      "evenkeel-cc -O2 -fopenmp solver.c -o solver\n"
      "evenkeel record -o base.ekdb -- ./solver 500 10",
      {{"--misses", nullptr, nullptr,
        "count main-memory accesses with simulated caches (the default); a "
        "program that evenkeel-cc built is built again for this, in its "
        "workspace; one built with --record must be of this mode"},
       {"--sampled", nullptr, nullptr,
        "the same for one cache line of each page"},
       {"--counts", nullptr, nullptr,
        "count accesses without simulating caches"},
       {"--times", nullptr, nullptr,
        "record objects, phases and times of the program as it is, which "
        "evenkeel-cc built, and no accesses; to see what it allocates"},
       {"--pages", nullptr, nullptr,
        "record which pages any program touches, as it is: nothing is built or "
        "rewritten; the file (touches.json) is for 'evenkeel touches'"},
       {"--overhead", nullptr, "P%",
        "with --pages: how much of the program's CPU time watching may cost",
        "1%"},
       {"--mechanism", nullptr, "NAME",
        "with --pages: accessed-bits or idle-pages (reads and writes), "
        "write-protect or soft-dirty (writes), accessed-bits+write-protect, "
        "accessed-bits+soft-dirty, loads (what the processor samples: PEBS or "
        "IBS), or auto (the best that the kernel offers)",
        "auto"},
       {"--chunk", nullptr, "SIZE",
        "with --pages: what is told apart within an object (default: chosen "
        "for the overhead)"},
       {"--window", nullptr, "TIME",
        "with --pages: how long a pass watches, as in 10ms (default: chosen so "
        "that hot and cold memory differ)"},
       {"--output", "-o", "FILE", "file to write (touches.json with --pages)",
        "profile.ekdb"},
       {"--until", nullptr, "WHEN",
        "end the record and stop the program before its end: phases (once each "
        "kind of phase that matters was seen three times, or after a minute; "
        "the default with --sampled but not --role), 'phases 20s' (or after "
        "20 s), '20 phases', 30s, or end"},
       {"--keep-running", nullptr, nullptr,
        "with --until: do not stop the program, let it go on unrecorded"},
       {"--role", nullptr, "ROLE",
        "what the profile is for: base (to plan for this and other inputs; the "
        "default), prefix (the beginning of the run to plan for; the default "
        "if the record ended before the program), target (to judge plans by; "
        "plan refuses it)"},
       {"--machine", nullptr, "M",
        "simulate the caches of this machine: a name that 'evenkeel machine "
        "list' shows, or a machine file",
        "optane-6252n"},
       {"--threads", nullptr, "N",
        "run with N OpenMP threads (sets OMP_NUM_THREADS)"},
       {"--workspace", nullptr, "DIR",
        "where to keep the program that is built for recording (default: "
        "EVENKEEL_WORKSPACE, or .evenkeel beside the program)"}},
      run,
      Subcommand::Program};
  return C;
}
} // namespace evenkeel::cli
