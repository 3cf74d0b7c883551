//===- Ending.h - the end of a recorded process -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the ways in which a process ends.
// Makes: the record, once.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_ENDING_H
#define EVENKEEL_RUNTIME_RECORD_ENDING_H

namespace ekrec {

/// Arranges that the record is written when the process ends.
void watchForEnd();

/// Ends the record here, between two phases, and writes it. The process
/// continues, and records nothing.
void endRecord();
bool recordIsWritten();

} // namespace ekrec

#endif
