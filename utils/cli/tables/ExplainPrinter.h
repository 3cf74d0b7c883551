//===- ExplainPrinter.h - reasons for an object's placement -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the text and JSON of a planner's explanation.
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
