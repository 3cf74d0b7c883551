//===- Launched.h - the program in a command --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a command names its program first, or after a launcher (mpirun -n 4
// ./solver); the executable's contents show which word is the program.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_LAUNCHED_H
#define EVENKEEL_UTILS_CLI_LAUNCHED_H

#include "format/inputs/CommandLine.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace evenkeel::cli {

/// Whether \p Bytes are an ELF executable or library.
bool isElf(const std::string &Bytes);
/// Whether the program was built for recording (it calls the recorder).
bool isRecording(const std::string &Bytes);
/// The number of ranks that the launcher of this process started, according to
/// its environment; 0: there was no launcher.
unsigned launchedRanks();
/// Whether the program was rewritten: allocations refer to ek_abi_v1, and calls
/// of other units to their wrapper marks.
bool isRewritten(const std::string &Bytes);

/// The index of the first word of \p Command after the first one that names an
/// executable whose bytes \p Fit.
std::optional<size_t>
launchedProgram(const std::vector<std::string> &Command,
                const std::function<bool(const std::string &)> &Fit);

/// 16 hex digits for the words of a command from its program on: runs of the
/// same command, with whatever launcher and contents of files.
std::string commandId(const std::vector<std::string> &Command, size_t Word);

/// The words of a command for display.
std::string commandText(const std::vector<std::string> &Command);

/// The command line of the program in \p Command, a recorded program's bytes
/// \p Bytes say which environment variables it reads; files that arguments
/// name are read as they are now. Not known if the program is not executable
/// code but a script, which chooses arguments itself.
CommandLine commandLineOf(const std::vector<std::string> &Command, size_t Word,
                          const std::string &Bytes);

/// The command line of the program in \p Command, which need not be built for
/// recording; of the environment, what `env NAME=VALUE` in front of it sets.
CommandLine targetCommandLine(const std::vector<std::string> &Command);

} // namespace evenkeel::cli

#endif
