//===- Stopping.h - a record stops where it may end ----------- -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the places where a record may end before its program: ends of phases
// and barriers of a team.
// Makes: the record, written there. Then the process waits for `evenkeel
// record` to end it, or goes on unrecorded.
// Not here: whether it ends (Until.h), writing (Ending.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_STOPPING_H
#define EVENKEEL_RUNTIME_RECORD_STOPPING_H

#include <cstdint>

namespace ekrec {

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

} // namespace ekrec

#endif
