//===- StaticArrays.h - static arrays and their surroundings -- -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which static arrays the program has, by their canonical addresses.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_STATICARRAYS_H
#define EVENKEEL_RUNTIME_RECORD_STATICARRAYS_H

#include "Space.h"

namespace ekrec {

/// A static array; again is harmless.
void registerGlobal(uint64_t Site, void *P, size_t Bytes);

/// Addresses around one for which instanceOfByte() gives the same answer.
struct Surroundings {
  uint64_t Low, Size;
};
Surroundings surroundingsOf(uint64_t Canonical);
/// The same of any address.
Surroundings surroundingsAround(uint64_t Address);

} // namespace ekrec

#endif
