//===- Target.cpp - the table of targets and what they share --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which targets this build has: those of runtime and command need them.
//===----------------------------------------------------------------------===//
#include "Target.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace ekfuzz;

static const Target Targets[] = {
    {"facts", runFacts},
    {"expression", runExpression},
    {"plan", runPlan},
    {"machine", runMachine},
    {"model", runModel},
    {"given", runGiven},
    {"fast-size", runFastSize},
    {"raw", runRaw},
    {"profile", runProfile},
    {"paramedir", runParamedir},
    {"allocsinfo", runAllocsInfo},
    {"memory-config", runMemoryConfig},
    {"locations", runLocations},
    {"stack-log", runStackLog},
    {"advisor", runAdvisor},
    {"memprof", runMemProf},
    {"damo", runDamo},
    {"mappings", runMappings},
    {"seen", runSeen},
    {"touches", runTouches},
    {"raw-touches", runRawTouches},
#ifdef EK_FUZZ_TOOLS
    {"compile-commands", runCompileDb},
    {"built-program", runBuiltProgram},
#endif
#ifdef EK_FUZZ_RUNTIME
    {"runtime-plan", runRuntimePlan},
    {"sample-ring", runSampleRing},
    {"stacks", runStacks},
    {"environment", runEnvironment},
    {"record-environment", runRecordEnvironment},
#endif
};

const Target *ekfuzz::findTarget(const std::string &Name) {
  for (const Target &T : Targets)
    if (Name == T.Name)
      return &T;
  return nullptr;
}

void ekfuzz::violated(const char *File, int Line, const std::string &What) {
  std::fprintf(stderr, "%s:%d: property does not hold: %s\n", File, Line,
               What.c_str());
  std::abort();
}

void ekfuzz::checkError(const std::string &Message) {
  EK_HOLDS(!Message.empty() && Message.find('\n') == std::string::npos,
           "an error is not one line: " + Message);
}

static const std::string &scratchFolder() {
  // Never destroyed: exit handlers use it.
  static const std::string &Folder = *new std::string([] {
    const char *Base = std::getenv("TMPDIR");
    std::string Path =
        std::string(Base && *Base ? Base : "/tmp") + "/ek-fuzz-XXXXXX";
    if (!::mkdtemp(Path.data())) {
      std::perror(Path.c_str());
      std::exit(2);
    }
    return Path;
  }());
  return Folder;
}

static void removeScratch() {
  for (const char *Name : {"in", "out"})
    ::unlink((scratchFolder() + "/" + Name).c_str());
  ::rmdir(scratchFolder().c_str());
}

static std::string scratchPath(const char *Name) {
  static const bool Registered = std::atexit(removeScratch) == 0;
  (void)Registered;
  return scratchFolder() + "/" + Name;
}

std::string ekfuzz::scratchFile(const char *Name, const std::string &Bytes) {
  // A new file each time: ext4 writes truncated ones to disk at once.
  std::string Path = freshPath(Name);
  std::FILE *F = std::fopen(Path.c_str(), "wb");
  if (!F || std::fwrite(Bytes.data(), 1, Bytes.size(), F) != Bytes.size() ||
      std::fclose(F)) {
    std::perror(Path.c_str());
    std::exit(2);
  }
  return Path;
}

std::string ekfuzz::freshPath(const char *Name) {
  std::string Path = scratchPath(Name);
  ::unlink(Path.c_str());
  return Path;
}

Description &Description::add(const std::string &S) {
  Text += std::to_string(S.size()) + ":" + S + ";";
  return *this;
}

Description &Description::add(uint64_t V) {
  Text += std::to_string(V) + ";";
  return *this;
}

Description &Description::add(double V) {
  char Buffer[64];
  std::snprintf(Buffer, sizeof Buffer, "%a;", V + 0.0);
  Text += Buffer;
  return *this;
}
