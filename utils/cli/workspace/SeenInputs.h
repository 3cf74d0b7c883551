//===- SeenInputs.h - runs that left something in a workspace ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the files that ordinary runs left in a workspace, and which of them
// belong to this build of the program, in this state of the files that their
// commands name.
// Makes: the runs of one input, those of others, and the reasons why runs do
// not count.
// Not here: what they say (predict/symbols/SeenRuns.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_SEENINPUTS_H
#define EVENKEEL_UTILS_CLI_SEENINPUTS_H

#include "cli/workspace/Workspace.h"
#include "predict/symbols/SeenRuns.h"
#include <string>
#include <vector>

namespace evenkeel::cli {

struct SeenInputs {
  std::vector<SeenRun> Own; // of the input that was asked for
  std::vector<SeenInput> Others;
  std::vector<std::string> Notes; // which runs do not count, and why

  bool empty() const { return Own.empty() && Others.empty(); }
};

/// \p Command: the words of the input that is asked for, whose program is word
/// \p Word and lies at \p Program.
SeenInputs seenInputs(const Workspace &W, const std::string &Program,
                      const std::vector<std::string> &Command, size_t Word);

/// One input of which runs were seen, for display.
struct SeenSummary {
  std::string Command;
  size_t Runs = 0;     // the most that one rank has left
  double Seconds = 0;  // of the last one
  std::string NotUsed; // why; "" = it counts for this input
};
/// All inputs that have runs, by command. \p Build: of the program as it is
/// now.
std::vector<SeenSummary> seenSummaries(const Workspace &W,
                                       const std::string &Program,
                                       const std::string &Build);

} // namespace evenkeel::cli

#endif
