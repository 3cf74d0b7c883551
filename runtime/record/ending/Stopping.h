//===- Stopping.h - stopping the record before the end ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the places where a record may end before its program: ends of phases
// and barriers of a team.
// Makes: the record, written there. Then the process waits until `evenkeel
// record` ends it, or continues unrecorded.
// Not here: the decision (Until.h), writing (Ending.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_STOPPING_H
#define EVENKEEL_RUNTIME_RECORD_STOPPING_H

#include <cstdint>

namespace ekrec {

/// Call on the program's first thread, outside teams, after the end of \p
/// Phase; \p OfAllRanks: in a collective of all ranks. Returns unless the
/// program should stop here.
void phaseEnded(uint32_t Phase, bool OfAllRanks);

/// Call on thread \p Number of \p Width of a team, after its part of \p Phase
/// and before the barrier that ends it. False: the record has ended.
bool barrierReached(uint32_t Phase, uint32_t Number, uint32_t Width);

/// Call on the program's first thread, outside teams or (\p AtBarrier) when all
/// other threads of its team are at the barrier. Switches to plain code if the
/// record has ended and the program should continue.
void continueUnrecorded(bool AtBarrier = false);

} // namespace ekrec

#endif
