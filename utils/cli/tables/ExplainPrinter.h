//===- ExplainPrinter.h - why an object lies there, in words ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how an explanation of the planner reads, for people and as JSON.
// Not here: the figures (planner/Explain.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_EXPLAINPRINTER_H
#define EVENKEEL_UTILS_CLI_EXPLAINPRINTER_H

#include "PlannedObjects.h"
#include <nlohmann/json_fwd.hpp>

namespace evenkeel::cli {

std::string explanationText(const Facts &F, const Problem &Pr, const Plan &P,
                            const Machine &M, const ObjectName &Which);
nlohmann::json explanationJson(const Facts &F, const Problem &Pr, const Plan &P,
                               const Machine &M, const ObjectName &Which);

} // namespace evenkeel::cli

#endif
