//===- Until.h - the decision to end a record early -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: when the record ends (format/ek_until.h): when the relevant kinds of
// phases have been seen (PhaseKinds.h), after a number of phases, or after some
// time; always between two phases, and in an MPI program at the same collective
// in all ranks. A team is left at a barrier, which each of its threads passes.
// Not here: the work of phases (PhaseSums.h), stopping (Stopping.h).
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

/// Call once, at start: reads the environment. An invalid value is reported,
/// and the record then ends with the program.
void startUntil(const Options &O);

/// Evaluates the phases up to \p Last, whose tasks must all have ended.
void lookAtPhases(uint32_t Last);
/// Why the record may end after phase \p Last; EK_ENDED_PROGRAM: it may not.
uint32_t whyEnough(uint32_t Last);
/// Whether all ranks stop at this collective; \p Enough: this rank may.
bool allRanksStop(bool Enough);
/// Whether the process is one of several ranks, which end together.
bool endsWithRanks();
/// Whether the program continues after the end of the record.
bool programContinues();
/// Whether evenkeel record waits for the record, and will end the process.
bool isListenedTo();
/// Tells evenkeel record that the record is written.
void reportWritten();
/// Sets the reason in the record: EK_ENDED_*.
void setWhy(uint32_t Why);

/// The process is being ended from outside, in the middle of a phase.
void cutOff();

/// How the record ended, for the stream.
ek_raw_ended howEnded();

} // namespace ekrec

#endif
