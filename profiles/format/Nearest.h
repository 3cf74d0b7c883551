//===- Nearest.h - names like a mistyped one --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how far two names are apart.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_NEAREST_H
#define EVENKEEL_PROFILES_FORMAT_NEAREST_H

#include <cstddef>
#include <string>

namespace evenkeel {

/// The number of letters to insert, remove or replace (Levenshtein, 1966).
size_t editDistance(const std::string &A, const std::string &B);

} // namespace evenkeel

#endif
