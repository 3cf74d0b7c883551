//===- Until.h - a record that ends before its program ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: when the record ends (format/ek_until.h): where the kinds of phases
// that matter were seen (PhaseKinds.h), after some phases, or after some time;
// always between two phases, in an MPI program at the same collective in all
// ranks. A team is left at a barrier, where each of its threads comes by.
// Makes: the record, written there. Then the process waits for `evenkeel
// record` to end it, or goes on unrecorded.
// Not here: what the phases did (Recorder.cpp tells), writing (Ending.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_UNTIL_H
#define EVENKEEL_RUNTIME_RECORD_UNTIL_H

#include "PhaseKinds.h"
#include "format/ek_raw.h"

namespace ekrec {

struct Options;
struct TaskInfo;

/// Whether the record may end before the program: constant after start.
extern bool MayEndEarly;

/// Once, at start: reads the environment. What makes no sense there is said,
/// and then the record ends with the program.
void startUntil(const Options &O);

/// A task of the present phases is over. \p Waited: latencies of memory that it
/// waited for. Any thread.
void taskEnded(const TaskInfo &Task, double Waited);

/// The program's first thread, outside of teams, behind the end of \p Phase;
/// \p OfAllRanks: in a collective of all of them. Returns unless the program is
/// to stop here.
void phaseEnded(uint32_t Phase, bool OfAllRanks);

/// A team's thread \p Number of \p Width, behind its part of \p Phase and in
/// front of the barrier that ends it. False: the record has ended.
bool barrierReached(uint32_t Phase, uint32_t Number, uint32_t Width);

/// The program's first thread, outside of teams, or \p AtBarrier where all
/// others of its team are: runs plain code from now on if the record has ended
/// and the program goes on.
void goOnUnrecorded(bool AtBarrier = false);

/// The process is being ended from outside, in the middle of a phase.
void cutOff();

/// How the record ended, for the stream.
ek_raw_ended howEnded();

} // namespace ekrec

#endif
