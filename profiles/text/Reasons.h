//===- Reasons.h - why something fell short, for people ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: Reasons.def. A reason is known by its name where code gives up, and
// explained where the count is shown.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_TEXT_REASONS_H
#define EVENKEEL_PROFILES_TEXT_REASONS_H

#include <string>
#include <vector>

namespace evenkeel {

struct Reason {
  enum AreaType { Unit, Facts, Count, Rewrite, Leave, Stacks } Area;
  const char *Name, *Meaning, *ToDo;
};

const std::vector<Reason> &allReasons();

/// What \p Name means; of a name with a colon, what stands before it. "": the
/// table lacks it. Where areas share a name, that of the first of \p Areas.
std::string meaningOf(const std::string &Name,
                      const std::vector<Reason::AreaType> &Areas);

} // namespace evenkeel

#endif
