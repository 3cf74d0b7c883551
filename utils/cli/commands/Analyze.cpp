//===- Analyze.cpp - evenkeel analyze -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: where units come from: all units of a build, or those that a program
// built by evenkeel-cc names, compiled to unoptimised bitcode; or those
// embedded in programs and objects built with the plugin. The plugin links and
// analyses them. Makes: facts.json, complete or not at all. Not here: the
// analysis, which the plugin does; tables of facts (FactsPrinter).
//===----------------------------------------------------------------------===//
#include "builds/CompilerWords.h"
#include "cli/common/Cli.h"
#include "cli/common/Siblings.h"
#include "cli/programs/BuiltProgram.h"
#include "cli/programs/CompileDb.h"
#include "cli/programs/Process.h"
#include "cli/programs/StripNotes.h"
#include "cli/tables/FactsPrinter.h"
#include "format/Allocators.h"
#include "format/FactsCheck.h"
#include "format/Stacks.h"
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

namespace fs = std::filesystem;
using namespace evenkeel;
using namespace evenkeel::cli;

static Job compileJob(const CompileUnit &U,
                      const std::vector<std::string> &Flags,
                      const std::string &Out, const std::string &Root) {
  Job J;
  J.Directory = U.Directory;
  J.Env = {{"EVENKEEL_ROOT", Root}, {"LC_ALL", "C"}};
  J.Argv = {llvmTool(U.IsCxx ? "clang++" : "clang")};
  J.Argv.insert(J.Argv.end(), Flags.begin(), Flags.end());
  // The plugin optimises all units together later.
  for (const char *F :
       {"-O2", "-g", "-Xclang", "-disable-llvm-passes", "-emit-llvm",
        "-fno-color-diagnostics", "-Wno-unknown-warning-option",
        "-Wno-ignored-optimization-argument", "-Qunused-arguments",
        // Errors in clang that are warnings in other compilers.
        "-Wno-int-conversion", "-Wno-implicit-function-declaration",
        "-Wno-implicit-int", "-Wno-incompatible-function-pointer-types", "-w",
        "-c", "-o"})
    J.Argv.push_back(F);
  J.Argv.push_back(Out);
  J.Argv.push_back(U.File);
  return J;
}

/// Removes from \p Flags the arguments that clang reports as unknown. Returns
/// their number.
static unsigned dropUnknown(std::vector<std::string> &Flags,
                            const std::string &Diagnostics) {
  unsigned Dropped = 0;
  for (const char *Marker :
       {"unknown argument: '", "unsupported option '", "unknown argument '"})
    for (size_t At = 0;
         (At = Diagnostics.find(Marker, At)) != std::string::npos;) {
      At += std::string(Marker).size();
      std::string Flag =
          Diagnostics.substr(At, Diagnostics.find('\'', At) - At);
      auto It = std::remove(Flags.begin(), Flags.end(), Flag);
      Dropped += Flags.end() - It;
      Flags.erase(It, Flags.end());
    }
  return Dropped;
}

static std::string relativeTo(const std::string &Root, const std::string &P) {
  return P.compare(0, Root.size() + 1, Root + "/") == 0
             ? P.substr(Root.size() + 1)
             : P;
}

/// Units that are omitted: an error, or with --keep-going a warning and a
/// count.
namespace {
class LeftOut {
  bool KeepGoing, Quiet;

public:
  std::map<std::string, uint64_t> Reasons;
  explicit LeftOut(bool KeepGoing, bool Quiet = false)
      : KeepGoing(KeepGoing), Quiet(Quiet) {}
  void add(const std::string &Reason, const std::string &Line) {
    if (!KeepGoing)
      fail(Line + "; --keep-going analyses the rest");
    if (!Quiet)
      std::fprintf(stderr, "evenkeel: warning: %s\n", Line.c_str());
    ++Reasons[Reason];
  }
};
} // namespace

/// Compiles \p All to files below \p Folder; returns the files that were made.
static std::vector<std::string>
compileUnits(const std::vector<CompileUnit> &All, const std::string &Root,
             unsigned Parallel, const std::string &Folder, LeftOut &Out) {
  std::vector<Job> Jobs;
  std::vector<std::string> Bitcode;
  std::vector<const CompileUnit *> Units;
  std::vector<std::vector<std::string>> Flags;
  for (const CompileUnit &U : All) {
    std::error_code E;
    if (!fs::exists(U.File, E)) {
      Out.add("unit-missing", "unit '" + relativeTo(Root, U.File) +
                                  "' of the compile database is missing");
      continue;
    }
    if (!fs::is_directory(U.Directory, E)) {
      Out.add("unit-missing", "directory of unit '" + relativeTo(Root, U.File) +
                                  "' in the compile database is missing");
      continue;
    }
    Bitcode.push_back(Folder + "/" + std::to_string(Units.size()) + ".bc");
    Units.push_back(&U);
    Flags.push_back(analysisFlags(U));
    for (const std::string &Flag : flagsOfWrapper(U.Words[0], U.Directory))
      Flags.back().push_back(Flag);
    Jobs.push_back(compileJob(U, Flags.back(), Bitcode.back(), Root));
  }
  std::vector<JobResult> Results = runJobs(Jobs, Parallel, "compiling units");
  unsigned Dropped = 0;
  std::vector<std::string> Compiled;
  for (size_t I = 0; I < Results.size(); ++I) {
    // Without gcc-only options, the unit has the same meaning for clang.
    while (Results[I].Status != 0) {
      unsigned N = dropUnknown(Flags[I], Results[I].Err);
      if (!N)
        break;
      Dropped += N;
      Results[I] = runJob(compileJob(*Units[I], Flags[I], Bitcode[I], Root));
    }
    if (Results[I].Status == 0)
      Compiled.push_back(Bitcode[I]);
    else
      Out.add("unit-does-not-compile",
              "unit '" + relativeTo(Root, Units[I]->File) +
                  "' does not compile: " +
                  relativeTo(Root, firstError(Results[I].Err)));
  }
  if (Dropped)
    std::fprintf(stderr,
                 "evenkeel: %u compiler options that clang does not "
                 "know were left out\n",
                 Dropped);
  return Compiled;
}

/// Whether LLVM can read the bitcode \p File: its reader stops the process at
/// some damaged files.
static bool isReadable(const std::string &File) {
  std::ifstream In(File, std::ios::binary);
  char Magic[2] = {};
  if (!In.read(Magic, 2) || Magic[0] != 'B' || Magic[1] != 'C')
    return true;
  Job J{{llvmTool("opt"), "-passes=verify", "-disable-output", File},
        "",
        {},
        true,
        false};
  return runJob(J).Status == 0;
}

/// The plugin's analysis of the program in \p Files. If the user named no root,
/// \p Root is empty, and the units' own roots are used.
static Facts analyzeFiles(const std::vector<std::string> &Files,
                          const std::string &Root,
                          const std::string &Allocators,
                          const std::string &Libraries, bool KeepGoing,
                          const std::string &Dot, const TempDir &Temp,
                          LeftOut &Out) {
  std::string List, Raw = Temp.path() + "/facts.json";
  for (const std::string &F : Files) {
    if (F.find('\n') != std::string::npos)
      fail("file name '" + F + "' contains a line break; rename the file");
    List += F + "\n";
  }
  writeFile(Temp.path() + "/units", List);
  writeFile(Temp.path() + "/empty.ll", "");
  Job Opt{{llvmTool("opt"), "-load-pass-plugin", libraryFile("EvenkeelPass.so"),
           "-passes=ek-program", Temp.path() + "/empty.ll", "-disable-output"},
          "",
          {{"EVENKEEL_ROOT", Root},
           {"EVENKEEL_UNIT_ROOT", ""},
           {"EVENKEEL_UNITS", Temp.path() + "/units"},
           {"EVENKEEL_KEEP_GOING", KeepGoing ? "1" : "0"},
           {"EVENKEEL_FACTS", Raw},
           {"EVENKEEL_DOT", Dot},
           {"EVENKEEL_ALLOCATORS", Allocators},
           {"EVENKEEL_LIBRARIES", Libraries},
           {"EVENKEEL_PASS", "analyze"}},
          true,
          false};
  JobResult R = runJobs({Opt}, 1, "analyzing").at(0);
  if (R.Status != 0) {
    std::string Line = firstError(R.Err);
    if (Line.compare(0, 7, "error: ") == 0)
      fail(Line.substr(7));
    std::vector<std::string> Readable;
    for (const std::string &F : Files)
      if (isReadable(F))
        Readable.push_back(F);
      else
        Out.add("unit-broken", "broken unit '" + F +
                                   "': LLVM cannot read it; compile it again");
    if (Readable.size() == Files.size())
      fail(Line.compare(0, 12, "LLVM ERROR: ") == 0
               ? Line.substr(12)
               : "analysis failed: " + Line);
    if (Readable.empty())
      fail("no source file is left to analyze");
    for (const char *Written : {"/units", "/empty.ll"})
      fs::remove(Temp.path() + Written);
    return analyzeFiles(Readable, Root, Allocators, Libraries, KeepGoing, Dot,
                        Temp, Out);
  }
  for (const std::string &Line : splitList(R.Err, '\n'))
    if (Line.compare(0, 9, "warning: ") == 0)
      std::fprintf(stderr, "evenkeel: %s\n", Line.c_str());
  return orFail(readFacts(Raw));
}

/// --root, or else EVENKEEL_ROOT, or else "".
static std::string namedRoot(const Args &A) {
  const char *FromEnv = getenv("EVENKEEL_ROOT");
  std::string Named = A.has("--root") ? A.text("--root")
                      : FromEnv       ? FromEnv
                                      : "";
  if (Named.empty())
    return "";
  std::error_code E;
  std::string Root = fs::canonical(Named, E).string();
  if (E)
    fail("no directory '" + Named + "' for the project root");
  return Root;
}

/// Checks and joins --allocator and EVENKEEL_ALLOCATORS.
static std::string namedAllocators(const Args &A) {
  const char *FromEnv = getenv("EVENKEEL_ALLOCATORS");
  std::string All = FromEnv ? FromEnv : "";
  for (const std::string &List : A.all("--allocator"))
    All += (All.empty() ? "" : ",") + List;
  AllocatorList Ignored;
  if (std::string Wrong = readAllocators(All, Ignored); !Wrong.empty())
    fail(Wrong);
  return All;
}

/// --library, or else EVENKEEL_LIBRARIES.
static std::string namedLibraries(const Args &A) {
  const char *FromEnv = getenv("EVENKEEL_LIBRARIES");
  std::string Path = A.has("--library") ? A.text("--library")
                     : FromEnv          ? FromEnv
                                        : "";
  std::error_code E;
  if (!Path.empty() && !fs::is_regular_file(Path, E))
    fail("no file '" + Path + "' of library functions");
  return Path;
}

/// Contradictory facts are our own error, and are reported as such.
static int verify(const Facts &F, bool Quiet) {
  size_t Checks = 0;
  std::vector<std::string> Lines = checkFacts(F, Checks);
  for (const std::string &Line : Lines)
    std::fprintf(stderr, "evenkeel: error: facts: %s\n", Line.c_str());
  if (Lines.empty() && !Quiet)
    std::printf("verified: %zu checks hold\n", Checks);
  return Lines.empty() ? 0 : 2;
}

/// "; 40 contexts of wrappers", or nothing.
static std::string contextsText(const Facts &F) {
  size_t N = 0;
  for (const SiteFact &S : F.Sites)
    N += S.Contexts.size();
  return N ? "; " + std::to_string(N) + " contexts of wrappers" : "";
}

/// "; 2 elided, 1 unlinked", or nothing.
static std::string statesText(const Facts &F) {
  std::map<std::string, size_t> States;
  for (const SiteFact &S : F.Sites)
    if (!S.isLive())
      ++States[S.State];
  std::string Text;
  for (const auto &[State, N] : States)
    Text += (Text.empty() ? "; of the sites " : ", ") + std::to_string(N) +
            " " + State;
  return Text;
}

/// Writes stacks.json for the programs and libraries that --binary names.
static void writeStacks(const Args &A, const std::string &FactsPath,
                        const std::string &Root) {
  std::string Path = A.text("--stacks");
  TempDir Temp;
  Job J{{siblingProgram("evenkeel-stacks"), FactsPath, Root,
         Temp.path() + "/stacks.json"},
        "",
        {},
        true,
        false};
  for (const std::string &B : A.all("--binary"))
    J.Argv.push_back(B);
  JobResult R = runJobs({J}, 1, "reading line tables").at(0);
  if (R.Status != 0) {
    std::string Line = firstError(R.Err);
    fail(Line.compare(0, 7, "error: ") == 0
             ? Line.substr(7)
             : "reading line tables failed: " + Line);
  }
  Stacks S = orFail(readStacks(J.Argv[3]));
  writeFile(Path, readTextFile(J.Argv[3]));
  if (A.has("--json"))
    return;
  for (const StackModule &M : S.Modules) {
    std::printf("%s: %s: %zu ranges of code, %zu static arrays", Path.c_str(),
                M.Name.c_str(), M.Ranges.size(), M.Globals.size());
    for (const auto &[Why, N] : M.GiveUps)
      std::printf("; %s %llu", Why.c_str(), static_cast<unsigned long long>(N));
    std::printf("\n");
  }
}

/// For --facts: only makes the table of a program that was analysed before.
static int onlyStacks(const Args &A) {
  if (!A.has("--binary"))
    fail("--facts needs --binary: name the program or library whose call "
         "stacks are to be named");
  for (const char *Option : {"--build", "--link", "--units", "--output",
                             "--print", "--dot", "--verify", "--json"})
    if (A.has(Option))
      fail(std::string(Option) + " cannot be used together with --facts");
  if (!A.Positional.empty())
    fail("both --facts and '" + A.Positional[0] + "'");
  writeStacks(A, A.text("--facts"), namedRoot(A));
  return 0;
}

/// Other programs would wait at a pipe, so pipes are errors.
static void checkFiles(const std::vector<std::string> &Paths) {
  for (const std::string &Path : Paths) {
    std::error_code E;
    if (fs::exists(Path, E) && !fs::is_regular_file(Path, E))
      fail("cannot read '" + Path + "': it is " +
           (fs::is_directory(Path, E) ? "a directory" : "not a regular file"));
  }
}

/// Warns if units are built with different compilers, and counts those that are
/// not built with clang.
static void countCompilers(const CompileDb &Db, LeftOut &Out) {
  const auto Compilers = compilersOf(Db.Units);
  if (Compilers.size() <= 1)
    return;
  std::string List;
  for (const auto &[Name, N] : Compilers)
    List += (List.empty() ? "" : ", ") + std::to_string(N) + " with " + Name;
  std::fprintf(stderr,
               "evenkeel: warning: units are built with different "
               "compilers (%s); all are analysed as clang builds them, so "
               "counts of what others optimise otherwise may differ\n",
               List.c_str());
  for (const auto &[Name, N] : Compilers)
    if (Name != "clang")
      Out.Reasons["unit-of-another-compiler"] += N;
}

/// Compiles the chosen units of \p Db below \p Directory. \p Root is the
/// project's root; it is determined here if the user named none.
static std::vector<std::string>
compileBuild(const Args &A, CompileDb Db, std::string &Root, unsigned Parallel,
             const std::string &Directory, LeftOut &Out,
             unsigned &OtherLanguages) {
  // The root of the whole build, whichever units are analysed.
  if (Root.empty())
    Root = projectRoot(Db);
  if (A.has("--link"))
    keepLinkedUnits(Db, A.text("--link"));
  std::vector<std::string> Names;
  for (const std::string &List : A.all("--units"))
    for (const std::string &N : splitList(List, ','))
      Names.push_back(N);
  if (!Names.empty())
    keepNamedUnits(Db, Names);
  OtherLanguages = Db.OtherLanguages;
  if (OtherLanguages)
    std::fprintf(stderr,
                 "evenkeel: warning: %u units are neither C nor C++ and were "
                 "left out\n",
                 OtherLanguages);
  countCompilers(Db, Out);
  std::vector<std::string> Files =
      compileUnits(Db.Units, Root, Parallel, Directory, Out);
  if (Files.empty())
    fail("no source file is left to analyze");
  // Unlinked units: their sites are listed, but their errors do not matter.
  std::string Apart = Directory + "/unlinked";
  fs::create_directory(Apart);
  LeftOut Quiet(/*KeepGoing=*/true, /*Quiet=*/true);
  for (const std::string &F :
       compileUnits(Db.Unlinked, Root, Parallel, Apart, Quiet))
    Files.push_back("\t" + F);
  for (const auto &[Reason, N] : Quiet.Reasons)
    Out.Reasons["unlinked-" + Reason] += N;
  return Files;
}

/// Writes and prints the requested output.
static void putFacts(const Args &A, const Facts &F, const std::string &Dot,
                     const std::string &Named, const std::string &Root,
                     const TempDir &Temp) {
  const std::string Text = factsToJson(F);
  bool Shown = A.has("--print") || A.has("--json") || A.has("--dot") ||
               A.has("--verify");
  std::string Path = A.text("--output");
  if (Path.empty() && !Shown)
    Path = "facts.json";
  if (!Dot.empty())
    writeFile(A.text("--dot"), readTextFile(Dot));
  if (!Path.empty())
    writeFile(Path, Text);
  if (A.has("--binary")) {
    writeFile(Temp.path() + "/checked.json", Text);
    writeStacks(A, Temp.path() + "/checked.json", Named);
  }
  if (F.Sites.empty())
    std::fprintf(stderr,
                 "evenkeel: warning: no object is created below the project "
                 "root%s; name the project's with --root DIR, or its "
                 "allocation functions with --allocator\n",
                 Root.empty() ? "" : (" '" + Root + "'").c_str());
  if (A.has("--json"))
    std::fwrite(Text.data(), 1, Text.size(), stdout);
  else if (A.has("--print"))
    printFacts(F);
  else if (!Path.empty())
    std::printf("%s: %zu sites, %zu regions, %zu sync points, %zu accesses in "
                "%zu units%s%s\n",
                Path.c_str(), F.Sites.size(), F.Regions.size(), F.Syncs.size(),
                F.Accesses.size(), F.Units.size(), contextsText(F).c_str(),
                statesText(F).c_str());
}

/// Only code that evenkeel-cc makes counts the iterations of loops: another
/// compiler may build the sources of a compile database.
static void forgetTotals(Facts &F) {
  for (SymbolFact &S : F.Symbols)
    if (S.Kind == SymbolFact::Measured)
      S.HandedAs = 0;
}

static unsigned jobsOf(const Args &A) {
  unsigned Parallel = std::max(1u, std::thread::hardware_concurrency());
  if (A.has("--jobs")) {
    Parallel = std::atoi(A.text("--jobs").c_str());
    if (Parallel == 0)
      fail("--jobs must be a positive number, not '" + A.text("--jobs") + "'");
  }
  return Parallel;
}

static int run(const Args &A) {
  checkFiles(A.Positional);
  checkFiles(A.all("--binary"));
  if (A.has("--stacks") && !A.has("--binary"))
    fail("--stacks needs --binary: name the program or library whose call "
         "stacks are to be named");
  if (A.has("--facts"))
    return onlyStacks(A);
  if (A.has("--build") == !A.Positional.empty())
    fail(A.has("--build")
             ? "name either a build (-p) or programs that evenkeel-cc built, "
               "not "
               "both --build and '" +
                   A.Positional[0] + "'"
             : "nothing to analyze; name a build with -p, or programs that "
               "evenkeel-cc built");
  const unsigned Parallel = jobsOf(A);
  std::string Named = namedRoot(A);
  bool KeepGoing = A.has("--keep-going");
  LeftOut Out(KeepGoing);
  TempDir Temp;
  std::vector<std::string> Files;
  unsigned OtherLanguages = 0;
  std::optional<CompileDb> Db;
  if (A.has("--build"))
    Db = readCompileDb(A.text("--build"));
  else if (A.has("--link"))
    fail("--link needs a compile database (-p)");
  bool Counts = !A.has("--build");
  for (const std::string &Program : A.Positional) {
    refuseStrippedFile(Program);
    std::optional<BuiltProgram> P = readBuiltProgram(Program);
    Counts &= P.has_value();
    if (!P) {
      Files.push_back(Program); // has bitcode of its units
      continue;
    }
    noteMove(*P);
    if (Named.empty())
      Named = P->namedRoot();
    CompileDb Its = databaseOf(*P, Program);
    if (!Db)
      Db = std::move(Its);
    else
      Db->Units.insert(Db->Units.end(), Its.Units.begin(), Its.Units.end());
  }
  if (A.has("--units") && !Db)
    fail("--units needs a compile database (-p), or a program that evenkeel-cc "
         "built");
  std::string Root = Named;
  if (Db)
    for (std::string &File : compileBuild(A, std::move(*Db), Root, Parallel,
                                          Temp.path(), Out, OtherLanguages))
      Files.push_back(std::move(File));

  std::string Dot = A.has("--dot") ? Temp.path() + "/objects.dot" : "";
  Facts F = analyzeFiles(Files, Named, namedAllocators(A), namedLibraries(A),
                         KeepGoing, Dot, Temp, Out);
  if (!Counts)
    forgetTotals(F);
  for (const auto &[Reason, N] : Out.Reasons)
    F.GiveUps[Reason] += N;
  if (OtherLanguages)
    F.GiveUps["unit-not-c-or-cxx"] += OtherLanguages;
  putFacts(A, F, Dot, Named, Root, Temp);
  return A.has("--verify") ? verify(F, A.has("--json")) : 0;
}

namespace evenkeel::cli {
const Subcommand &analyzeCommand() {
  static const Subcommand C = {
      "analyze",
      "Which data does the program create, and how does each parallel region "
      "use it?",
      "analyze (PROGRAM... | -p BUILD [--link EXE]) [-o facts.json] [--print]",
      "evenkeel-cc -O2 -fopenmp solver.c -o solver\n"
      "evenkeel analyze solver -o facts.json --print",
      {{"--build", "-p", "BUILD",
        "the build folder, which holds compile_commands.json; for programs "
        "that "
        "evenkeel-cc did not build"},
       {"--link", nullptr, "EXE",
        "only the source files that are linked into this program"},
       {"--units", nullptr, "A,B",
        "only the source files whose path ends in one of these"},
       {"--output", "-o", "FILE",
        "file to write (default: facts.json, unless --print or --json shows "
        "the facts)"},
       {"--print", nullptr, nullptr, "show the facts as tables"},
       {"--root", nullptr, "DIR",
        "the project's root folder, which ids are relative to (default: "
        "EVENKEEL_ROOT, else the deepest folder that holds the build, the "
        "sources and what they include by name)"},
       {"--allocator", nullptr, "LIST",
        "allocation functions of your own that neither their name nor their "
        "declaration tells: NAME[:SIZE[*COUNT]][>OUT],... with the numbers of "
        "the arguments (also: EVENKEEL_ALLOCATORS)"},
       {"--library", nullptr, "FILE",
        "a table of what functions of your libraries read, write and return "
        "(also: EVENKEEL_LIBRARIES)"},
       {"--binary", nullptr, "FILE",
        "also find the allocation sites of this program or library by call "
        "stack, so that it need not be rebuilt; repeatable"},
       {"--stacks", nullptr, "FILE",
        "with --binary: where to write the table of call stacks, for run "
        "--stacks",
        "stacks.json"},
       {"--facts", nullptr, "FILE",
        "with --binary: use these facts instead of analyzing the sources "
        "again"},
       {"--dot", nullptr, "FILE",
        "write a graph of the objects and the regions that use them, for "
        "Graphviz"},
       {"--verify", nullptr, nullptr,
        "check that the facts do not contradict each other"},
       {"--keep-going", nullptr, nullptr,
        "leave out source files that cannot be analyzed, with a warning for "
        "each"},
       {"--jobs", "-j", "N",
        "compile N files at a time (default: as many as there are "
        "processors)"}},
      run,
      Subcommand::Names};
  return C;
}
} // namespace evenkeel::cli
