//===- FirstThread.h - stopping the first thread at the end -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: any thread may end the process. It closes the first thread's tasks,
// while the first thread waits, in the program or when it next calls the
// recorder (pauseForEnd).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_FIRSTTHREAD_H
#define EVENKEEL_RUNTIME_RECORD_FIRSTTHREAD_H

#include <sys/types.h>

namespace ekrec {

/// The calling thread's id in the kernel.
pid_t ownThread();

/// Call once, at start: the calling thread is the first one.
void watchFirstThread();

/// Closes the first thread's tasks on another thread. The first thread stops
/// where it does not change them, until it may continue.
void closeFirstThread();
void letFirstThreadGo();

} // namespace ekrec

#endif
