//===- Inflate.h - zlib streams -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: RFC 1950 and 1951, as far as reading needs them, without a library.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_DAMO_INFLATE_H
#define EVENKEEL_PROFILES_FORMAT_DAMO_INFLATE_H

#include "format/Error.h"
#include <string>

namespace evenkeel::damo {

/// Whether \p Bytes begin as a zlib stream does.
bool isZlib(const std::string &Bytes);

/// The content of a zlib stream; an error without a path if it is damaged, cut
/// off, or would be larger than \p Most bytes.
Expected<std::string> inflated(const std::string &Bytes, size_t Most);

} // namespace evenkeel::damo

#endif
