//===- Until.h - a record that ends before its program ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: when the record ends (format/ek_until.h): where the kinds of phases
// that matter were seen (PhaseKinds.h), after some phases, or after some time;
// always between two phases, in an MPI program at the same collective in all
// ranks. A team is left at a barrier, where each of its threads comes by.
// Not here: what the phases did (PhaseSums.h), ending there (Stopping.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_UNTIL_H
#define EVENKEEL_RUNTIME_RECORD_UNTIL_H

#include "format/ek_raw.h"
#include "format/ek_until.h"
#include <cstdint>

namespace ekrec {

struct Options;

/// Whether the record may end before the program: constant after start.
extern bool MayEndEarly;

/// Once, at start: reads the environment. What makes no sense there is said,
/// and then the record ends with the program.
void startUntil(const Options &O);

/// Looks at the phases up to \p Last, all of whose tasks are over.
void lookAtPhases(uint32_t Last);
/// Why the record may end behind phase \p Last; EK_ENDED_PROGRAM: it may not.
uint32_t whyEnough(uint32_t Last);
/// Whether all ranks stop at this collective; \p Enough: this one may.
bool allRanksStop(bool Enough);
/// Whether the process is one of several ranks, which end together.
bool endsWithRanks();
/// Whether the program goes on behind the record's end.
bool programGoesOn();
/// Whether somebody waits for the record, who ends the process then.
bool isListenedTo();
/// It is written.
void tellWritten();
/// What the record says of its end: EK_ENDED_*.
void setWhy(uint32_t Why);

/// The process is being ended from outside, in the middle of a phase.
void cutOff();

/// How the record ended, for the stream.
ek_raw_ended howEnded();

} // namespace ekrec

#endif
