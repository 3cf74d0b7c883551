//===- Damo.h - records in damo's format ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the compressed JSON that damo (the tool of the kernel's DAMON) reads:
// snapshots of address ranges, each with how many samples found it accessed. A
// pass becomes a snapshot; of a hundred samples as many found a chunk accessed
// as its touched share in percent.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_DAMO_H
#define EVENKEEL_UTILS_CLI_DAMO_H

#include "format/touches/TouchRecord.h"

namespace evenkeel::cli {

/// The record of one process; an error if it has no pass with rows.
Expected<std::string> damoRecord(const TouchRecord &R, uint32_t Process);

/// \p Text as a zlib stream (RFC 1950) of stored blocks, uncompressed.
std::string zlibStored(const std::string &Text);

} // namespace evenkeel::cli

#endif
