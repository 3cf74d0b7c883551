//===- FitsTable.h - fits over several base inputs, as a table --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: fits (predict/fits), the range in which they were measured, and why
// the prediction from one base input was kept.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_FITSTABLE_H
#define EVENKEEL_UTILS_CLI_FITSTABLE_H

#include "format/Facts.h"
#include "predict/fits/SeveralBases.h"
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace evenkeel::cli {

/// \p Bases: the paths of the base profiles, the nearest first. Not \p Verbose:
/// few of the fits that are used.
std::string fitsText(const Facts &F, const SeveralBases &S,
                     const std::vector<std::string> &Bases, bool Verbose);
nlohmann::json fitsJson(const SeveralBases &S);

} // namespace evenkeel::cli

#endif
