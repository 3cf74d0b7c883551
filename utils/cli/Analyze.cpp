//===- Analyze.cpp - evenkeel analyze -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: compile every unit of a build to unoptimised bitcode, link, and run
// the pass plugin once over the whole program; show what it found.
// Makes: facts.json, complete or not at all.
// Leaves out: the analysis, which is the plugin's.
//===----------------------------------------------------------------------===//
#include "Cli.h"
#include "CompileDb.h"
#include "Process.h"
#include "Siblings.h"
#include "SymbolNames.h"
#include "format/Facts.h"
#include "format/Identity.h"
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
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
  // Optimised later, as a whole; vectorised loops have lost their counts.
  for (const char *F :
       {"-O2", "-g", "-Xclang", "-disable-llvm-passes", "-fno-vectorize",
        "-fno-slp-vectorize", "-fno-unroll-loops", "-emit-llvm",
        "-fno-color-diagnostics", "-Wno-unknown-warning-option",
        "-Wno-ignored-optimization-argument", "-Qunused-arguments", "-w", "-c",
        "-o"})
    J.Argv.push_back(F);
  J.Argv.push_back(Out);
  J.Argv.push_back(U.File);
  return J;
}

/// Takes the arguments that clang said it does not know out of \p Flags.
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

/// Several programs in one build share no image; someone has to choose.
static void refuseSeveralMains(const CompileDb &Db,
                               const std::vector<std::string> &Bitcode,
                               const std::string &Root) {
  std::vector<Job> Jobs;
  for (const std::string &B : Bitcode)
    Jobs.push_back({{llvmTool("llvm-nm"), "--defined-only", "--no-weak", B},
                    "",
                    {},
                    true,
                    false});
  std::vector<JobResult> Results = runJobs(Jobs, 2, "listing symbols");
  std::string Mains;
  unsigned N = 0;
  for (size_t I = 0; I < Results.size(); ++I)
    if (Results[I].Out.find(" T main\n") != std::string::npos) {
      Mains += (N++ ? ", " : "") + relativeTo(Root, Db.Units[I].File);
    }
  if (N > 1)
    fail(std::to_string(N) + " units define main (" + Mains +
         "); choose a program with --link EXE or its units with --units A,B");
}

static void printFacts(const Facts &F) {
  auto Name = symbolNames(F);
  std::printf("%zu units, %zu sites, %zu regions, %zu sync points, %zu "
              "symbols\n",
              F.Units.size(), F.Sites.size(), F.Regions.size(), F.Syncs.size(),
              F.Symbols.size());
  if (!F.Sites.empty()) {
    std::puts("");
    Table T({"SITE", "AT", "KIND", "FUNCTION", "BYTES", "STATE"});
    for (const SiteFact &S : F.Sites) {
      std::string Size = S.Size ? exprToText(*S.Size, Name) : "";
      for (const ExprRef &E : S.Sizes)
        Size += (Size.empty() ? "" : " or ") + exprToText(*E, Name);
      T.row({idToString(S.Id), S.At, S.Kind, S.Function,
             Size.empty() ? "unknown" : Size, S.State});
    }
    std::fputs(T.str().c_str(), stdout);
  }
  for (const RegionFact &R : F.Regions) {
    std::printf("\nregion %s at %s in %s (%s)\n", R.Kind.c_str(), R.At.c_str(),
                R.Function.c_str(), idToString(R.Id).c_str());
    Table T({"  OBJECT", "CLASS", ">STRIDE", "READS", "WRITES", "CERTAIN"});
    bool Any = false;
    for (const AccessFact &A : F.Accesses) {
      if (A.Region != R.Id)
        continue;
      Any = true;
      std::string Objects;
      for (uint64_t Id : A.Sites) {
        const SiteFact *S = F.site(Id);
        Objects += (Objects.empty() ? "" : " or ") + (S ? S->At : "?");
      }
      T.row({"  " + (Objects.empty() ? "unknown" : Objects), A.Class,
             A.Stride ? std::to_string(*A.Stride) + " B" : "-",
             exprToText(*A.Reads, Name), exprToText(*A.Writes, Name),
             A.Exact && A.Why.empty() ? "exact"
                                      : (A.Why.empty() ? "estimate" : A.Why)});
    }
    std::fputs(Any ? T.str().c_str() : "  no access to a known object\n",
               stdout);
  }
  if (!F.GiveUps.empty()) {
    std::puts("\ngiven up, by reason");
    Table T({"  REASON", ">TIMES"});
    for (const auto &[Reason, N] : F.GiveUps)
      T.row({"  " + Reason, std::to_string(N)});
    std::fputs(T.str().c_str(), stdout);
  }
}

static int run(const Args &A) {
  CompileDb Db = readCompileDb(A.require("--build"));
  if (A.has("--link"))
    keepLinkedUnits(Db, A.text("--link"));
  std::vector<std::string> Names;
  for (const std::string &List : A.all("--units"))
    for (const std::string &N : splitList(List, ','))
      Names.push_back(N);
  if (!Names.empty())
    keepNamedUnits(Db, Names);

  const char *FromEnv = getenv("EVENKEEL_ROOT");
  std::error_code E;
  std::string Root = A.has("--root")
                         ? fs::canonical(A.text("--root"), E).string()
                     : FromEnv && *FromEnv ? fs::canonical(FromEnv, E).string()
                                           : commonRoot(Db);
  if (E)
    fail("no directory '" + (A.has("--root") ? A.text("--root") : FromEnv) +
         "' for the project root");

  unsigned Parallel = std::max(1u, std::thread::hardware_concurrency());
  if (A.has("--jobs")) {
    Parallel = std::atoi(A.text("--jobs").c_str());
    if (Parallel == 0)
      fail("--jobs must be a positive number, not '" + A.text("--jobs") + "'");
  }

  TempDir Temp;
  std::vector<Job> Jobs;
  std::vector<std::string> Bitcode;
  std::vector<std::vector<std::string>> Flags;
  for (size_t I = 0; I < Db.Units.size(); ++I) {
    Bitcode.push_back(Temp.path() + "/" + std::to_string(I) + ".bc");
    Flags.push_back(analysisFlags(Db.Units[I]));
    Jobs.push_back(compileJob(Db.Units[I], Flags[I], Bitcode[I], Root));
  }
  std::vector<JobResult> Results = runJobs(Jobs, Parallel, "compiling units");
  unsigned Dropped = 0;
  for (size_t I = 0; I < Results.size(); ++I) {
    // gcc-only options stop clang; without them the unit is the same program.
    if (Results[I].Status != 0)
      if (unsigned N = dropUnknown(Flags[I], Results[I].Err)) {
        Dropped += N;
        Results[I] =
            runJob(compileJob(Db.Units[I], Flags[I], Bitcode[I], Root));
      }
    if (Results[I].Status != 0)
      fail("unit '" + relativeTo(Root, Db.Units[I].File) +
           "' does not compile: " +
           relativeTo(Root, firstError(Results[I].Err)));
  }
  if (Dropped)
    std::fprintf(stderr,
                 "evenkeel: %u compiler options that clang does not "
                 "know were left out\n",
                 Dropped);
  refuseSeveralMains(Db, Bitcode, Root);

  std::string Linked = Temp.path() + "/linked.bc";
  Job Link{{llvmTool("llvm-link"), "-o", Linked}, "", {}, true, false};
  Link.Argv.insert(Link.Argv.end(), Bitcode.begin(), Bitcode.end());
  if (JobResult R = runJobs({Link}, 1, "linking").at(0); R.Status != 0)
    fail("units do not link: " + firstError(R.Err) +
         "; choose a program with --link EXE or --units");

  std::string Raw = Temp.path() + "/facts.json";
  std::string Plugin = libraryFile("EvenkeelPass.so");
  Job Opt{{llvmTool("opt"), "-load-pass-plugin", Plugin, "-passes=default<O2>",
           Linked, "-o", "/dev/null"},
          "",
          {{"EVENKEEL_ROOT", Root},
           {"EVENKEEL_FACTS", Raw},
           {"EVENKEEL_PASS", "analyze"}},
          true,
          false};
  if (JobResult R = runJobs({Opt}, 1, "analyzing").at(0); R.Status != 0)
    fail("analysis failed: " + firstError(R.Err));
  Facts F = orFail(readFacts(Raw));
  if (F.Units.empty())
    for (const CompileUnit &U : Db.Units)
      F.Units.push_back(relativeTo(Root, U.File));
  if (Db.OtherLanguages)
    F.GiveUps["unit-not-c-or-cxx"] += Db.OtherLanguages;
  std::string Text = factsToJson(F);

  bool Shown = A.has("--print") || A.has("--json");
  std::string Out = A.text("--output");
  if (Out.empty() && !Shown)
    Out = "facts.json";
  if (!Out.empty())
    writeFile(Out, Text);
  if (A.has("--json"))
    std::fwrite(Text.data(), 1, Text.size(), stdout);
  else if (A.has("--print"))
    printFacts(F);
  else
    std::printf("%s: %zu sites, %zu regions, %zu sync points, %zu accesses in "
                "%zu units\n",
                Out.c_str(), F.Sites.size(), F.Regions.size(), F.Syncs.size(),
                F.Accesses.size(), F.Units.size());
  return 0;
}

namespace evenkeel::cli {
const Subcommand &analyzeCommand() {
  static const Subcommand C = {
      "analyze",
      "find objects, regions, sync points, access classes and counts",
      "analyze -p BUILD [--link EXE] [-o facts.json] [--print]",
      "evenkeel analyze -p build --link solver -o facts.json --print",
      {{"--build", "-p", "BUILD", "folder with compile_commands.json"},
       {"--link", nullptr, "EXE", "only the units linked into this program"},
       {"--units", nullptr, "A,B", "only the units whose path ends so"},
       {"--root", nullptr, "DIR",
        "project root for relative paths; else EVENKEEL_ROOT, else the deepest "
        "folder with build and sources"},
       {"--output", "-o", "FILE",
        "facts file; facts.json unless --print or "
        "--json shows them"},
       {"--print", nullptr, nullptr, "show the facts for people"},
       {"--jobs", "-j", "N", "compilations at a time; as many as processors"}},
      run};
  return C;
}
} // namespace evenkeel::cli
