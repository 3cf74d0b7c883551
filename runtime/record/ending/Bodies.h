//===- Bodies.h - choosing the bodies of functions --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: recorded functions have further bodies besides the recorded one, and
// choose at entry (passes/record/bodies/SideBodies.h). The threads of a team
// share work according to their code, so all of them have to execute bodies of
// one kind: the choice changes only while no team runs.
// Not here: why and when it changes (its callers).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_BODIES_H
#define EVENKEEL_RUNTIME_RECORD_BODIES_H

namespace ekrec {

/// From now on, functions execute their plain bodies when they are entered.
/// Call it on the first thread, once the record is closed, in serial code or
/// (\p AtBarrier) when all other threads of its team have reached the same
/// barrier. False: not possible now, because a team runs on another thread or
/// around code that was not recorded; try again at the next phase end.
bool switchToPlain(bool AtBarrier = false);

/// A thread that is neither the first nor in a team of ours begins, or ends, a
/// team of its own.
void otherTeamBegins();
void otherTeamEnds();
bool otherTeamRuns();

} // namespace ekrec

#endif
