//===- Main.cpp - evenkeel-cc, evenkeel-c++: drop-in compilers ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the plugins, folders and libraries that a rewritten or recorded
// program needs. Everything else is done by clang-19, which replaces this
// process, so quoting, exit status and signals are clang's own. Other parts of
// Evenkeel are found relative to this program, so a moved tree works. Under two
// further names, this program is LLVM 19's archiver.
// Not here: how a unit is rewritten (rewriter/plugin/).
//===----------------------------------------------------------------------===//
#include "JoinedUnits.h"
#include "builds/CompilerWords.h"
#include "builds/DriverLine.h"
#include "cli/common/Cli.h"
#include "cli/common/Siblings.h"
#include "format/ProjectRoot.h"
#include "format/builds/BuildNote.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sys/mman.h>
#include <unistd.h>

using namespace evenkeel::cli;
using namespace evenkeel::wrapper;
using evenkeel::DriverLine;
using evenkeel::Stage;
namespace fs = std::filesystem;

static std::string environment(const char *Name) {
  const char *Value = getenv(Name);
  return Value ? Value : "";
}

static std::string compiler(bool CPlusPlus) {
  const char *Variable = CPlusPlus ? "EVENKEEL_CLANGXX" : "EVENKEEL_CLANG";
  std::string Chosen = environment(Variable);
  if (!Chosen.empty())
    return Chosen;
  std::string Name = CPlusPlus ? "clang++" : "clang";
  for (const std::string &Candidate :
       {Name + "-19", "/usr/lib/llvm-19/bin/" + Name})
    if (std::string P = findProgram(Candidate); !P.empty())
      return P;
  fail(Name + "-19 not found; install clang-19 or set " + Variable);
}

[[noreturn]] static void become(const std::string &Program,
                                const std::vector<std::string> &Words) {
  std::vector<char *> Argv{const_cast<char *>(Program.c_str())};
  for (const std::string &W : Words)
    Argv.push_back(const_cast<char *>(W.c_str()));
  Argv.push_back(nullptr);
  execvp(Program.c_str(), Argv.data());
  fail("cannot start '" + Program + "': " + std::strerror(errno));
}

static void printHelp(const std::string &Name, const std::string &Compiler) {
  std::printf(
      R"(How is a program built so that its data can be placed, or recorded?

usage: %s [OPTION | CLANG OPTION]... FILE...

example:
  make CC=evenkeel-cc CXX=evenkeel-c++

This is clang-19. While it compiles, it annotates allocations and sync points
in memory and links libevenkeel; the sources stay as they are. A file that does
not compile annotated is compiled as it is, with a warning that says why. All
other options go to %s; those that only gcc knows and that do not
change the program are dropped with a warning.

options:
  --record=misses       build a program for evenkeel record, not for placement:
                        it passes its accesses through simulated caches and
                        counts those that reach main memory (6 to 30 times the
                        plain time). All source files are recorded as one
                        program if ld.lld-19 links them, else each by itself
  --record=sampled      the same for one cache line of each page (about 2 times
                        the plain time)
  --record=counts       count how often each task accesses each object, without
                        caches (1.05 to 1.6 times the plain time)
  --plan=FILE           write the shares of this plan into the allocation calls
                        (also: EVENKEEL_REWRITE_PLAN); without it, the plan that
                        evenkeel run is given decides
  --root=DIR            the project's root folder, which ids are relative to
                        (default: EVENKEEL_ROOT, else the deepest folder that
                        holds the build, the source and what it includes by
                        name); evenkeel analyze finds the same
  --wrapper=NAME,...    functions of yours that allocate for their callers,
                        where no source file that is built this way shows it
                        (also: EVENKEEL_REWRITE_WRAPPERS)
  --no-rewrite          compile the file as it is; libevenkeel is linked
  --report FILE...      show what was rewritten, left alone and skipped in
                        programs, libraries and object files that were built
                        this way (--json: as a JSON document)

variables:
  EVENKEEL_RECORD=MODE  as --record=, for build systems that test the compiler
  EVENKEEL_REWRITE=off  as --no-rewrite
  EVENKEEL_WRAPPER=off  pass everything on to clang-19 unchanged
  EVENKEEL_CLANG, EVENKEEL_CLANGXX
                        compilers to use instead of clang-19 and clang++-19

Behind MPI's compilers: OMPI_CC=evenkeel-cc mpicc ... (Open MPI), MPICH_CC=
evenkeel-cc mpicc ... (MPICH).
)",
      Name.c_str(), Compiler.c_str());
}

namespace {
/// The compiler's arguments: ours first, libraries last.
struct Words {
  std::vector<std::string> Front, Given, Back;

  std::vector<std::string> all() const {
    std::vector<std::string> Result = Front;
    // After `--`, everything is an input.
    auto Dashes = std::find(Given.begin(), Given.end(), "--");
    Result.insert(Result.end(), Given.begin(), Dashes);
    Result.insert(Result.end(), Back.begin(), Back.end());
    Result.insert(Result.end(), Dashes, Given.end());
    return Result;
  }
  /// Links all of one of our archives into the program.
  void whole(const std::string &Name) {
    for (const std::string &W : {std::string("-Wl,--whole-archive"),
                                 libraryFile("libevenkeel-" + Name + ".a"),
                                 std::string("-Wl,--no-whole-archive")})
      Back.push_back(W);
  }
  void library(const std::string &Name, const char *Keep) {
    fs::path Folder = fs::path(libraryFile("lib" + Name + ".so")).parent_path();
    for (const std::string &W :
         {"-L" + Folder.string(), "-Wl,-rpath," + Folder.string(),
          std::string("-Wl,--push-state,") + Keep, "-l" + Name,
          std::string("-Wl,--pop-state")})
      Back.push_back(W);
  }
};
} // namespace

/// Whether the link line has an MPI library: mpi, mpich, mpi_cxx, libmpi.so.
static bool linksMpi(const DriverLine &L) {
  auto IsMpi = [](const std::string &Name) {
    return Name.compare(0, 3, "mpi") == 0;
  };
  auto IsMpiFile = [&](const std::string &File) {
    const std::string Name = fs::path(File).filename().string();
    return Name.compare(0, 3, "lib") == 0 && IsMpi(Name.substr(3));
  };
  return std::any_of(L.Libraries.begin(), L.Libraries.end(), IsMpi) ||
         std::any_of(L.Files.begin(), L.Files.end(), IsMpiFile);
}

/// Tells the plugin how the units are compiled, for their objects.
static void handCommand(const std::string &Name, const DriverLine &L) {
  std::error_code E;
  evenkeel::CompileLine C{fs::current_path(E).string(), {Name}, L.Root};
  if (C.Root.empty())
    C.Root = environment("EVENKEEL_ROOT");
  C.Words.insert(C.Words.end(), L.Options.begin(), L.Options.end());
  const std::string Text = evenkeel::compileLineText(C);
  constexpr size_t Most = 120000; // of one variable: Linux allows 128 KiB
  if (Text.size() < Most)
    setenv(evenkeel::UnitVariable, Text.c_str(), 1);
  else
    std::fprintf(stderr,
                 "evenkeel: warning: '%s' keeps no record of how it was "
                 "compiled: the command is too long (%zu bytes)\n",
                 L.FirstSource.c_str(), Text.size());
}

/// The directives by which an object says that it does not prevent what the
/// other objects of the link were compiled for: a stack that is not executable,
/// and control-flow protection.
static std::string harmlessMarks(const DriverLine &L) {
  std::string Out = ".section .note.GNU-stack,\"\",@progbits\n";
  std::string Kind = "none";
  for (const std::string &Word : L.Options)
    if (Word == "-fcf-protection")
      Kind = "full";
    else if (const std::string Name = "-fcf-protection=";
             Word.compare(0, Name.size(), Name) == 0)
      Kind = Word.substr(Name.size());
  const int Bits = Kind == "full"     ? 3
                   : Kind == "branch" ? 1
                   : Kind == "return" ? 2
                                      : 0;
  if (Bits) // GNU_PROPERTY_X86_FEATURE_1_AND, of the x86-64 ABI
    Out += ".section .note.gnu.property,\"a\",@note\n.p2align 3\n"
           ".long 4, 16, 5\n.asciz \"GNU\"\n.long 0xc0000002, 4, " +
           std::to_string(Bits) + ", 0\n";
  return Out;
}

/// Links an object with the words of this link: an assembler file without a
/// name, which the compiler reads from this process's descriptor.
static void recordLink(const std::string &Name, const DriverLine &L, Words &W) {
  std::error_code E;
  evenkeel::BuiltLink Link{fs::current_path(E).string(), {Name}};
  for (const DriverLine::Word &Word : L.Expanded)
    Link.Words.push_back(Word.Text);
  const std::string Text =
      evenkeel::assemblyOf(evenkeel::LinkSection, evenkeel::linkLine(Link)) +
      harmlessMarks(L);
  const int File = memfd_create("evenkeel-link", 0);
  if (File < 0)
    return; // without, the program can still be analysed
  for (size_t At = 0; At < Text.size();) {
    const ssize_t N = write(File, Text.data() + At, Text.size() - At);
    if (N <= 0)
      return;
    At += static_cast<size_t>(N);
  }
  for (const std::string &Word : {std::string("-x"), std::string("assembler"),
                                  "/proc/self/fd/" + std::to_string(File),
                                  std::string("-x"), std::string("none")})
    W.Front.push_back(Word);
}

static void rewriteUnits(const std::string &Name, const DriverLine &L,
                         Words &W) {
  if (L.HasIncludes) {
    W.Front.push_back("-idirafter");
    W.Front.push_back(includeDir());
  }
  if (L.Until >= Stage::Assembly && L.HasSources) {
    handCommand(Name, L);
    W.Front.push_back("-fplugin=" + libraryFile("EvenkeelRewrite.so"));
    const std::string Argument = "-fplugin-arg-EvenkeelRewrite-";
    if (!L.Rewrite)
      W.Front.push_back(Argument + "off");
    if (!L.Root.empty())
      W.Front.push_back(Argument + "root=" + L.Root);
    if (!L.Wrappers.empty())
      W.Front.push_back(Argument + "wrapper=" + L.Wrappers);
    if (!L.Plan.empty()) {
      W.Front.push_back(Argument + "plan=" + L.Plan);
      // Recompile units when their plan changes.
      W.Front.push_back("-fdepfile-entry=" + L.Plan);
    }
  }
  // Relocatable links resolve no libraries, and programs without the C library
  // allocate nothing that we know.
  if (L.Until != Stage::Link || L.Relocatable ||
      (L.NoLibraries && !L.NamesLibc))
    return;
  recordLink(Name, L, W);
  if (L.Static && !L.Shared) {
    std::fprintf(stderr,
                 "evenkeel: warning: a static program is not placed: nothing "
                 "can stand before its C library\n");
    W.Back.push_back(libraryFile("libevenkeel-plain.a"));
    return;
  }
  if (L.AddressSanitizer && !L.Shared)
    W.whole("shim");
  if (linksMpi(L) && !L.Shared)
    W.whole("abort");
  W.library("evenkeel", L.Shared ? "--as-needed" : "--no-as-needed");
}

/// Files that may contain units for a link: not the compiler's own libraries
/// and shared libraries.
static std::vector<std::string> filesOfUnits(const DriverLine &L) {
  std::vector<std::string> Files = L.Files;
  std::error_code E;
  for (const std::string &Name : L.Libraries)
    for (const fs::path Folder : L.Folders)
      if (fs::path File = Folder / ("lib" + Name + ".a");
          fs::exists(File, E) &&
          !fs::exists(Folder / ("lib" + Name + ".so"), E))
        Files.push_back(File.string());
  return Files;
}

/// Formulas are those of the linked program, so all units are recorded together
/// if the linker supports that (passes/record/Units.h).
static void linkRecorded(const DriverLine &L, Words &W) {
  const std::vector<std::string> Files = filesOfUnits(L);
  const bool Several = Files.size() > L.Files.size() || Files.size() > 1;
  std::string Why, Lld;
  for (const std::string &Candidate :
       {"ld.lld-19", "/usr/lib/llvm-19/bin/ld.lld"})
    if (Lld = findProgram(Candidate); !Lld.empty())
      break;
  if (!L.Linker.empty() && L.Linker != "lld")
    Why = "the linker is '" + L.Linker + "'";
  else if (L.LinkTime)
    Why = "-flto";
  else if (Lld.empty())
    Why = "no ld.lld-19; install lld-19";
  else if (auto Joined = std::find_if(Files.begin(), Files.end(), joinsUnits);
           Joined != Files.end() && !L.Relocatable)
    Why = "'" + *Joined + "' joins several, by a linker that is not lld";
  if (Several && !L.Relocatable && !Why.empty())
    std::fprintf(stderr,
                 "evenkeel: warning: units are recorded one by one (%s): what "
                 "formulas know from several units together has no value\n",
                 Why.c_str());
  if (!Several || !Why.empty())
    return;
  W.Front.push_back("-fuse-ld=lld");
  W.Front.push_back("--ld-path=" + Lld);
  if (L.Relocatable) // omits the code of units that it cannot join
    return;
  W.Front.push_back("-Wl,--fat-lto-objects");
  W.Front.push_back("-Wl,--load-pass-plugin=" + libraryFile("EvenkeelPass.so"));
  // Units are optimised already; the plugin does the rest. It leaves no debug
  // variables to track for the code generator.
  W.Front.push_back("-Wl,--lto-O1,--lto-CGO2,-mllvm,"
                    "-experimental-debug-variable-locations=false");
}

static void recordUnits(const DriverLine &L, const std::string &Mode,
                        Words &W) {
  if (L.HasSources) {
    // Formulas and instrumentation are both made from optimised code.
    if (!L.Optimised)
      W.Front.push_back("-O2");
    if (!L.Debug)
      W.Front.push_back("-g");
    W.Front.push_back("-fpass-plugin=" + libraryFile("EvenkeelPass.so"));
    W.Front.push_back("-mllvm");
    W.Front.push_back("-experimental-debug-variable-locations=false");
  }
  std::error_code E;
  if (!L.Root.empty())
    setenv("EVENKEEL_ROOT", L.Root.c_str(), 1);
  else if (L.HasSources)
    setenv("EVENKEEL_UNIT_ROOT",
           evenkeel::rootOfUnit(fs::current_path(E).string(), L.FirstSource)
               .c_str(),
           1);
  if (L.HasIncludes) {
    W.Front.push_back("-idirafter");
    W.Front.push_back(includeDir());
  }
  if (L.Until == Stage::Link)
    linkRecorded(L, W);
  if (L.Until == Stage::Link && !L.Relocatable)
    W.library("evenkeel-record", "--no-as-needed");
  setenv("EVENKEEL_PASS", "record", 1);
  setenv("EVENKEEL_RECORD_MODE", Mode.c_str(), 1);
}

/// CMake takes "evenkeel-" for a toolchain prefix and searches for archivers of
/// that name (CMAKE_INTERPROCEDURAL_OPTIMIZATION).
static void becomeArchiver(const std::string &Name,
                           const std::vector<std::string> &Arguments) {
  for (const std::string Tool : {"llvm-ar", "llvm-ranlib"})
    if (Name == "evenkeel-" + Tool)
      become(llvmTool(Tool), Arguments);
}

static int compile(const std::string &Name,
                   const std::vector<std::string> &Arguments) {
  const std::string Compiler = compiler(Name.find("++") != std::string::npos);
  if (environment("EVENKEEL_WRAPPER") == "off" ||
      (!Arguments.empty() && Arguments[0].compare(0, 4, "-cc1") == 0))
    become(Compiler, Arguments);
  if (!Arguments.empty() && Arguments[0] == "--report")
    become(siblingProgram("evenkeel-rewrite"), Arguments);

  std::string Problem;
  DriverLine L = evenkeel::readDriverLine(Arguments, Problem);
  if (!Problem.empty())
    fail(Problem);
  std::string Mode =
      L.Record.empty() ? environment("EVENKEEL_RECORD") : L.Record;
  if (!Mode.empty() && Mode != "misses" && Mode != "sampled" &&
      Mode != "counts")
    fail("--record is misses, sampled or counts, not '" + Mode + "'");
  if (!L.HasInputs && L.Help) {
    printHelp(Name, Compiler);
    return 0;
  }
  for (const std::string &Option : L.Dropped)
    std::fprintf(stderr,
                 "%s: warning: unknown option '%s' is dropped: only "
                 "gcc has it\n",
                 Name.c_str(), Option.c_str());
  Words W;
  W.Given = L.Words;
  const bool AsIs =
      Mode.empty() && (!L.Rewrite || environment("EVENKEEL_REWRITE") == "off");
  std::error_code E;
  if (L.HasSources && !AsIs && !evenkeel::makesHeader(W.Given))
    W.Given = evenkeel::withHeaderText(std::move(W.Given),
                                       fs::current_path(E).string());
  if (L.HasInputs) {
    if (Mode.empty())
      rewriteUnits(Name, L, W);
    else
      recordUnits(L, Mode, W);
  }
  become(Compiler, W.all());
}

int main(int argc, char **argv) {
  const std::string Name =
      argc > 0 ? fs::path(argv[0]).filename().string() : "evenkeel-cc";
  try {
    becomeArchiver(Name, {argv + (argc > 0), argv + argc});
    return compile(Name, {argv + (argc > 0), argv + argc});
  } catch (const Failure &F) {
    std::fprintf(stderr, "%s: error: %s\n", Name.c_str(), F.Line.c_str());
    return 2;
  }
}
