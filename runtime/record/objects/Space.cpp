//===- Space.cpp - canonical addresses and whose they are -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: see Space.h.
//===----------------------------------------------------------------------===//
#include "Space.h"
#include "format/ek_raw.h"

using namespace ekrec;

namespace ekrec {
Space TheSpace;
}

/// At most so many rows tell of an object's pages at a time, and at least half
/// of them if it has so many: twice as many as chunks.
constexpr uint64_t MostSpans = 2 * EK_CHUNKS;

uint32_t ekrec::spanOf(uint64_t Bytes) {
  uint32_t Span = 0;
  if (TheSpace.Spans)
    while (Bytes >> PageBits >> Span > MostSpans)
      ++Span;
  return Span;
}
