//===- Stream.h - the raw stream that a process leaves behind - -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: the file of format/ek_raw.h.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_STREAM_H
#define EVENKEEL_RUNTIME_RECORD_STREAM_H

#include "format/ek_raw.h"

namespace ekrec {

/// Writes the stream, when nothing is added any more. \p Ended: how the record
/// ended; null where it could only end with the program.
void writeStream(const char *Path, const ek_raw_ended *Ended);

/// Whether a launcher of MPI programs says that this is a rank.
bool isRank();

} // namespace ekrec

#endif
