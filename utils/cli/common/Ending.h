//===- Ending.h - ending by a signal ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a signal that would end this command first ends the programs that it
// started, with all their descendants, then removes its temporary folders, and
// then ends the command with status 128 + signal. Signals that were ignored
// from the start (nohup) stay ignored.
// Not here: signals of faults, which still dump core; SIGKILL, after which only
// direct children are ended (endsWithUs).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_ENDING_H
#define EVENKEEL_UTILS_CLI_ENDING_H

#include <string>
#include <sys/types.h>

namespace evenkeel::cli {

/// Call before starting other threads.
void watchSignals();
/// Call in a process that is about to execute another program: restores the
/// signals as they were when this command began. Safe after fork.
void unblockSignals();
/// Call in a child before it executes another program: the child is killed when
/// its parent \p Parent dies. Safe after fork.
void endsWithUs(pid_t Parent);
/// Ends all programs that this command started, and their descendants: first
/// with \p Signal; with SIGKILL those that ignore it and, after some seconds,
/// all that are left.
void endPrograms(int Signal);
/// If the command is being ended, never returns.
void waitWhileEnding();

/// \p Folder is removed when this process ends, however it ends.
void removeAtEnd(const std::string &Folder);
/// Removes \p Folder now.
void removeNow(const std::string &Folder);

} // namespace evenkeel::cli

#endif
