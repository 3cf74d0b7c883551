//===- Unseen.cpp - lines without misses on the base input ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: data that never left the caches on the base input may do so on another
// input, and a small object with very many accesses is worth its few bytes of
// fast memory.
// Makes: the minimum number of misses assumed for a number of accesses.
//===----------------------------------------------------------------------===//
#include "Traffic.h"
#include "tuning/Tuning.h"

using namespace evenkeel;

double prediction::unseenLines(double Accesses) {
  return figures().UnseenShare * Accesses;
}
