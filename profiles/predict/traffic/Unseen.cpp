//===- Unseen.cpp - lines that the base input did not miss ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what never left the caches on the base input may do so on another, and
// a small object with very many accesses is worth its few bytes.
// Makes: the lines that so many accesses are taken to miss, at least.
//===----------------------------------------------------------------------===//
#include "Traffic.h"
#include "tuning/Tuning.h"

using namespace evenkeel;

double prediction::unseenLines(double Accesses) {
  return figures().UnseenShare * Accesses;
}
