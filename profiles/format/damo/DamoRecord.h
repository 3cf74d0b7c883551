//===- DamoRecord.h - what damo records -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the files that `damo record` writes, as values: JSON, the same as a
// zlib stream, and the text of `perf script`. A snapshot says of address ranges
// how many of DAMON's samples in an aggregation interval found them accessed.
// Not here: what that means for pages (FromDamo.h). The data of `perf record`
// itself is refused: only perf reads it.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_DAMO_DAMORECORD_H
#define EVENKEEL_PROFILES_FORMAT_DAMO_DAMORECORD_H

#include "DamoTarget.h"
#include "format/Error.h"

namespace evenkeel::damo {

/// The targets of a file with the content \p Bytes; \p Path is for errors.
Expected<std::vector<Target>> parseRecord(const std::string &Bytes,
                                          const std::string &Path);

} // namespace evenkeel::damo

#endif
