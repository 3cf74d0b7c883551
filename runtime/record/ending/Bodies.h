//===- Bodies.h - which bodies of functions run -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: recorded functions have further bodies beside the recorded one, and
// choose where they are entered (passes/record/bodies/SideBodies.h). The
// threads of a team share work by what their code says, so all of them have to
// run bodies of one kind: the choice changes only while no team runs.
// Not here: why and when it changes (its callers).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_BODIES_H
#define EVENKEEL_RUNTIME_RECORD_BODIES_H

namespace ekrec {

/// Functions that are entered from now on run their plain bodies, for good. For
/// the first thread, once the record is closed, in serial code; \p AtBarrier:
/// or where all other threads of its team are at the barrier that it comes to.
/// False: not now, a team runs on another thread, or around code that was not
/// recorded; the next phase end is a chance again.
bool goOnPlain(bool AtBarrier = false);

/// A thread that is neither the first nor in a team of ours begins a team of
/// its own, and ends it.
void otherTeamBegins();
void otherTeamEnds();
bool otherTeamRuns();

} // namespace ekrec

#endif
