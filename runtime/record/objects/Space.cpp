//===- Space.cpp - canonical addresses and their objects ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Space.h.
//===----------------------------------------------------------------------===//
#include "Space.h"
#include "format/ek_raw.h"

using namespace ekrec;

namespace ekrec {
Space TheSpace;
}

/// The maximum number of rows that describe an object's pages at a time; large
/// objects have at least half as many. Twice the number of chunks.
constexpr uint64_t MostSpans = 2 * EK_CHUNKS;

uint32_t ekrec::spanOf(uint64_t Bytes) {
  uint32_t Span = 0;
  if (TheSpace.Spans)
    while (Bytes >> PageBits >> Span > MostSpans)
      ++Span;
  return Span;
}
