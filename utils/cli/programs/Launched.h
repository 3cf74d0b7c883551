//===- Launched.h - the program in a command --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a command names its program first, or a launcher of it (mpirun -n 4
// ./solver), and what its executable was built for shows which it is.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_LAUNCHED_H
#define EVENKEEL_UTILS_CLI_LAUNCHED_H

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace evenkeel::cli {

/// Whether these are an executable's bytes, or a library's.
bool isElf(const std::string &Bytes);
/// Whether the program was built for recording: it calls the recorder.
bool isRecording(const std::string &Bytes);
/// How many ranks the launcher that started this very process started, by the
/// environment that it made; 0: none did.
unsigned launchedRanks();
/// Whether code of the program was rewritten: allocations refer to ek_abi_v1,
/// calls of functions of other units to what decides about them.
bool isRewritten(const std::string &Bytes);

/// The first word of \p Command behind the first one that names an executable
/// whose bytes \p Fit.
std::optional<size_t>
launchedProgram(const std::vector<std::string> &Command,
                const std::function<bool(const std::string &)> &Fit);

} // namespace evenkeel::cli

#endif
