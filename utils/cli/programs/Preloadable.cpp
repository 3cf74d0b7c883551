//===- Preloadable.cpp - programs that take a preloaded library -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Preloadable.h"
#include "Launched.h"
#include "cli/common/Cli.h"
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <sys/stat.h>

using namespace evenkeel;
using namespace evenkeel::cli;

/// Whether the program is dynamically linked.
static bool hasInterpreter(const std::string &Bytes) {
  Elf64_Ehdr H;
  if (Bytes.size() < sizeof H)
    return false;
  std::memcpy(&H, Bytes.data(), sizeof H);
  for (uint64_t I = 0; I < H.e_phnum; ++I) {
    Elf64_Phdr P;
    uint64_t At = H.e_phoff + I * sizeof P;
    if (At > Bytes.size() || Bytes.size() - At < sizeof P)
      return false;
    std::memcpy(&P, Bytes.data() + At, sizeof P);
    if (P.p_type == PT_INTERP)
      return true;
  }
  return false;
}

void evenkeel::cli::checkPreloadable(const std::string &Program,
                                     const std::string &Shown) {
  struct stat S;
  if (stat(Program.c_str(), &S) == 0 && S.st_mode & (S_ISUID | S_ISGID))
    fail("'" + Shown +
         "' runs with its owner's rights; nothing is preloaded into that");
  if (std::string Bytes = readTextFile(Program);
      isElf(Bytes) && !hasInterpreter(Bytes))
    fail("'" + Shown +
         "' is linked statically; nothing can be preloaded into it");
}

std::string evenkeel::cli::preloadFirst(const std::string &Library) {
  const char *Before = std::getenv("LD_PRELOAD");
  return Library + (Before && *Before ? ":" + std::string(Before) : "");
}
