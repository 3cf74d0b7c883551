//===- RankWaits.h - what the ranks of the last run lost --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the file that the ranks of an ordinary run of a command left in the
// program's workspace (format/inputs/Imbalance.h).
// Not here: how it is made (runtime/ranks/imbalance.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_RANKWAITS_H
#define EVENKEEL_UTILS_CLI_RANKWAITS_H

#include "format/Facts.h"
#include "format/inputs/Imbalance.h"
#include <optional>

namespace evenkeel::cli {

struct RankWaits {
  std::optional<Imbalance> Its;
  std::string NotUsed; // why a file that is there does not count; or ""

  /// A line: the shares of the time that ranks wait, what placement can mend,
  /// and where; or why that is not known. "" if there was no run with several
  /// ranks. \p F names the places.
  std::string text(const Facts &F) const;
};

/// Of the last run of \p Command, with the workspace that --workspace names, or
/// "". Empty if evenkeel-cc built no program in it.
RankWaits rankWaits(const std::vector<std::string> &Command,
                    const std::string &Named);

} // namespace evenkeel::cli

#endif
