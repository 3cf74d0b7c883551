//===- Ending.h - how a recorded process ends ----------------- -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the ends of a process.
// Makes: the record, once.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_ENDING_H
#define EVENKEEL_RUNTIME_RECORD_ENDING_H

namespace ekrec {

/// Has the record written when the process ends.
void watchForEnd();

/// Ends the record here, between two phases, and writes it. The process goes
/// on, and records nothing.
void endRecord();
bool recordIsWritten();

} // namespace ekrec

#endif
