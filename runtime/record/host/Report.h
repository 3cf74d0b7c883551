//===- Report.h - one line per kind of problem ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the recorder's messages: one line on stderr per kind of problem, and a
// count per reason in the summary at exit. It never ends its host.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_REPORT_H
#define EVENKEEL_RUNTIME_RECORD_REPORT_H

#include <cstdint>

namespace ekrec {

/// `evenkeel: record: <line>` on stderr, without buffering or allocation.
void report(const char *Format, ...) __attribute__((format(printf, 1, 2)));

/// Why something was not recorded completely.
enum class Why : unsigned {
  ArenaRefused,  // the fixed addresses are in use: the C library serves the
                 // creator
  ArenaFull,     // a creator needs more bytes than its address range has
  ForeignThread, // a thread outside OpenMP teams: only its objects are recorded
  OtherTeam,     // such a thread has a team while the program's runs
  NestedParallel, // inner parallel regions count as part of the outer task
  ImageRefused,   // more images with registered arrays than slots
  ForkedChild,    // a child of fork() is not recorded
  UnfinishedTask, // exit() was called while tasks ran: their rest is missing
  NoMemory,       // the recorder's own arrays could not grow
  MixedUnits,     // units built for counts, and others: nothing is recorded
  NotInterposed,  // the C library precedes us: nothing is recorded
  Number
};

/// Counts a problem; the first of a kind also prints its line. Thread-safe.
void count(Why W);
uint64_t counted(Why W);
const char *reasonName(Why W);

} // namespace ekrec

#endif
