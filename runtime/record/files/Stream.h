//===- Stream.h - writing the raw stream ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: the file of format/ek_raw.h.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_STREAM_H
#define EVENKEEL_RUNTIME_RECORD_STREAM_H

#include "format/ek_raw.h"

namespace ekrec {

/// Writes the stream, when nothing is added any more. \p Ended: how the record
/// ended; null if it could only end with the program.
void writeStream(const char *Path, const ek_raw_ended *Ended);

/// Whether an MPI launcher started this process as a rank.
bool isRank();

} // namespace ekrec

#endif
