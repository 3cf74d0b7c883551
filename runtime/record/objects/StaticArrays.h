//===- StaticArrays.h - static arrays and their neighbourhoods --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the program's static arrays by canonical address.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_STATICARRAYS_H
#define EVENKEEL_RUNTIME_RECORD_STATICARRAYS_H

#include "Space.h"

namespace ekrec {

/// Registers a static array; repeated registration is harmless.
void registerGlobal(uint64_t Site, void *P, size_t Bytes);

/// The address range around an address with the same result of
/// instanceOfByte().
struct Surroundings {
  uint64_t Low, Size;
};
Surroundings surroundingsOf(uint64_t Canonical);
/// The same for any address.
Surroundings surroundingsAround(uint64_t Address);

} // namespace ekrec

#endif
