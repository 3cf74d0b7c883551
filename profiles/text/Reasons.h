//===- Reasons.h - meanings of the reasons for falling short ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: Reasons.def. Code that gives up uses a reason's name; code that shows
// the count adds the meaning.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_TEXT_REASONS_H
#define EVENKEEL_PROFILES_TEXT_REASONS_H

#include <string>
#include <vector>

namespace evenkeel {

struct Reason {
  enum AreaType {
    Unit,
    Facts,
    Count,
    Rewrite,
    Leave,
    Clause,
    Stacks,
    Input,
    Trace
  } Area;
  const char *Name, *Meaning, *ToDo;
};

const std::vector<Reason> &allReasons();

/// The meaning of the reason \p Name, which may continue after a colon; "" if
/// the table lacks it. If areas share a name, the first of \p Areas counts.
std::string meaningOf(const std::string &Name,
                      const std::vector<Reason::AreaType> &Areas);

} // namespace evenkeel

#endif
