//===- Ending.h - what happens when somebody ends this command --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: SIGHUP, SIGINT and SIGTERM end the programs that this command started,
// whatever those started in turn, then remove its temporary folders, then end
// the command with status 128 + signal. Signals that were ignored when the
// command began (nohup) stay so.
// Leaves out: signals that cannot be caught.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_ENDING_H
#define EVENKEEL_UTILS_CLI_ENDING_H

#include <string>

namespace evenkeel::cli {

/// To be called before there is any other thread.
void watchSignals();
/// For a process that is about to become another program: signals arrive as
/// they did when this command began. Safe after fork.
void unblockSignals();
/// Whether an ending goes on; then never returns.
void waitWhileEnding();

/// \p Folder goes with this process, however that ends.
void removeAtEnd(const std::string &Folder);
/// Removes it now.
void removeNow(const std::string &Folder);

} // namespace evenkeel::cli

#endif
