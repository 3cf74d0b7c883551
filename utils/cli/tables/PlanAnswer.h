//===- PlanAnswer.h - a plan in fifteen lines -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what somebody asks who runs the program and knows nothing of Evenkeel:
// how long it takes with all data slow, as the system places it, by the plan,
// and with all data fast; which objects make the difference; if none do, why,
// and what would change that; and what is not known.
// Not here: how the figures are made; the tables of `evenkeel plan`.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_PLANANSWER_H
#define EVENKEEL_UTILS_CLI_PLANANSWER_H

#include "cli/planning/Planned.h"
#include <nlohmann/json_fwd.hpp>

namespace evenkeel::cli {

/// At most twelve lines. \p All: every object. \p Sources: the project's root,
/// where the sources tell what objects are called; "" = nobody knows.
std::string planAnswer(const Planned &X, bool All, const std::string &Sources);

/// The gain in one line: "30.5 % less time than first touch".
std::string gainLine(const Planned &X);

/// Why no placement is better than first touch, and what would change that;
/// "" if one is. Named: "fits", "caches", "even", "already", "uncertain".
struct NoGain {
  std::string Reason, Text;
};
std::optional<NoGain> noGain(const Planned &X);

/// "evenkeel.answer/1".
nlohmann::json planAnswerJson(const Planned &X);

} // namespace evenkeel::cli

#endif
