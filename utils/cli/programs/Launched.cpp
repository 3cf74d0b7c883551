//===- Launched.cpp - the program in a command ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Launched.h.
//===----------------------------------------------------------------------===//
#include "Launched.h"
#include "cli/common/Cli.h"
#include "cli/common/Siblings.h"
#include "format/ek_mpi.h"
#include <cstdlib>

namespace evenkeel::cli {

bool isElf(const std::string &Bytes) {
  return Bytes.compare(0, 4,
                       "\x7f"
                       "ELF") == 0;
}

bool isRecording(const std::string &Bytes) {
  return Bytes.find("__ek_rec_") != std::string::npos;
}

unsigned launchedRanks() {
  constexpr long MostRanks = 1 << 24; // larger values are not a number of ranks
  for (const char *Name : {EK_RANK_COUNT_VARIABLES})
    if (const char *Text = std::getenv(Name); Text && *Text) {
      char *End = nullptr;
      const long Ranks = std::strtol(Text, &End, 10);
      if (!*End && Ranks > 0 && Ranks <= MostRanks)
        return unsigned(Ranks);
    }
  return 0;
}

bool isRewritten(const std::string &Bytes) {
  return Bytes.find("ek_abi_v1") != std::string::npos ||
         Bytes.find("ek_context_push_if") != std::string::npos;
}

std::optional<size_t>
launchedProgram(const std::vector<std::string> &Command,
                const std::function<bool(const std::string &)> &Fit) {
  for (size_t I = 1; I < Command.size(); ++I) {
    const std::string Program = findProgram(Command[I]);
    if (Program.empty())
      continue;
    const std::string Bytes = readTextFile(Program);
    if (isElf(Bytes) && Fit(Bytes))
      return I;
  }
  return std::nullopt;
}

} // namespace evenkeel::cli
