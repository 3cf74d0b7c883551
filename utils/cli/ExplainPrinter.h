//===- ExplainPrinter.h - why an object lies there, in words ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how an explanation of the planner reads, for people and as JSON.
// Leaves out: the figures (planner/Explain.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_EXPLAINPRINTER_H
#define EVENKEEL_UTILS_CLI_EXPLAINPRINTER_H

#include "planner/Planner.h"
#include <nlohmann/json_fwd.hpp>

namespace evenkeel::cli {

/// What --explain asks for: an id, or a place as tables show it. Ends the
/// program when the facts have no such site.
uint64_t siteOf(const Facts &F, const std::string &IdOrPlace);

std::string explanationText(const Facts &F, const Problem &Pr, const Plan &P,
                            const Machine &M, uint64_t Site);
nlohmann::json explanationJson(const Facts &F, const Problem &Pr, const Plan &P,
                               const Machine &M, uint64_t Site);

} // namespace evenkeel::cli

#endif
