//===- FirstThread.h - the first thread is held at the end ---- -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: any thread may end the process. The first thread's tasks are closed by
// that thread, while the first one waits, be it in the program or where it
// comes by the recorder (pauseForEnd).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_FIRSTTHREAD_H
#define EVENKEEL_RUNTIME_RECORD_FIRSTTHREAD_H

#include <sys/types.h>

namespace ekrec {

/// The calling thread, as the kernel knows it.
pid_t ownThread();

/// Once, at start: the calling thread is the first one.
void watchFirstThread();

/// Closes the first thread's tasks on another thread. The first one is where it
/// does not change them, and stays there until it may go on.
void closeFirstThread();
void letFirstThreadGo();

} // namespace ekrec

#endif
