//===- Ending.h - what happens when somebody ends this command --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a signal that would end this command ends the programs that it
// started, whatever those started in turn, then removes its temporary folders,
// then ends the command with status 128 + signal. Signals that were ignored
// when the command began (nohup) stay so.
// Not here: signals of faults, which leave a core as ever; SIGKILL, of which
// only the programs hear that this command started itself (endsWithUs).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_ENDING_H
#define EVENKEEL_UTILS_CLI_ENDING_H

#include <string>
#include <sys/types.h>

namespace evenkeel::cli {

/// To be called before there is any other thread.
void watchSignals();
/// For a process that is about to become another program: signals arrive as
/// they did when this command began. Safe after fork.
void unblockSignals();
/// For a child, before it becomes another program: it is killed when \p Parent,
/// its parent, is gone without a word. Safe after fork.
void endsWithUs(pid_t Parent);
/// Ends all programs that this command started, and the programs that those
/// started: first with \p Signal; with SIGKILL those that ignore it and, after
/// some seconds, all that are left.
void endPrograms(int Signal);
/// Whether an ending goes on; then never returns.
void waitWhileEnding();

/// \p Folder goes with this process, however that ends.
void removeAtEnd(const std::string &Folder);
/// Removes it now.
void removeNow(const std::string &Folder);

} // namespace evenkeel::cli

#endif
