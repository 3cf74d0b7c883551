//===- ZlibStream.h - a zlib stream in memory -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how zlib decompresses a stream that is in memory, up to a limit.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_DAMO_ZLIBSTREAM_H
#define EVENKEEL_PROFILES_FORMAT_DAMO_ZLIBSTREAM_H

#include "format/Error.h"
#include <string>

namespace evenkeel::damo {

/// Whether \p Bytes begin with the header of a zlib stream (RFC 1950).
bool isZlib(const std::string &Bytes);

/// The content of the zlib stream \p Bytes. An error without a path if the
/// stream is damaged, cut off, or its content is larger than \p Most bytes.
Expected<std::string> inflated(const std::string &Bytes, size_t Most);

} // namespace evenkeel::damo

#endif
