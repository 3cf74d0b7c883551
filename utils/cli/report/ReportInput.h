//===- ReportInput.h - what a report is made from ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the values that a report shows: a prediction and, where the target was
// recorded, its replay under the placements to compare.
// Not here: how these were made, and options of commands.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_REPORT_REPORTINPUT_H
#define EVENKEEL_UTILS_CLI_REPORT_REPORTINPUT_H

#include "cli/replay/Sweep.h"
#include "planner/Outlook.h"
#include "predict/symbols/Ungiven.h"
#include <optional>
#include <string>
#include <vector>

namespace evenkeel::cli {

/// One amount of fast memory, predicted or replayed; seconds.
struct AmountPoint {
  double Bytes = 0, FirstTouch = 0, Plan = 0;
  std::optional<double> Limit; // no static placement is faster
};

/// The target's recorded run, replayed.
struct ReplayedRun {
  const JudgedRun *Run = nullptr;
  const PolicyRuns *Played = nullptr; // slow-only, first-touch, the plan, ...
};

/// What a section on touched pages says (touches/TouchedView.h).
struct TouchedPages {
  std::string Finding, Html; // HTML
  std::string Json;          // the figures of both
};

/// Pointers are never null, except in optional values, and are not kept.
struct ReportInput {
  const Facts *F = nullptr;
  const Plan *P = nullptr;
  const Problem *Pr = nullptr; // from which *P was made
  const Machine *M = nullptr;  // for which, too
  Outlook Ahead;               // of *Pr
  std::optional<ReplayedRun> Replayed;
  std::vector<AmountPoint> Amounts;    // rising; empty or at least three
  std::optional<TouchedPages> Touched; // of a run of the same program

  std::string Program;     // command line to show: "cg 1000 5"; or ""
  std::string Name;        // of the program, which a launcher may start; or ""
  std::string Base;        // that of the base run, or ""
  std::string BaseRole;    // "base", "prefix", "target"
  size_t FirstPhases = 0;  // times are of so many first phases; 0: of the run
  std::string FastAsked;   // "25%"
  std::string SourcesRoot; // folder of the sources, to find names of variables
                           // in them; "": they are not opened
  std::vector<Given> For;  // values that the user or the command line gave
  std::vector<UngivenSymbol> Ungiven;
  std::vector<std::string> Notes;
  std::string Made;              // the command that makes this report
  std::vector<std::string> Next; // commands
};

/// The policy that carries out the plan of \p Planner as it is.
inline std::string policyOfPlan(const std::string &Planner) {
  return Planner == OwnPlanner ? OwnStatic : Planner;
}

/// The replay under \p Policy, or null.
inline const PolicyResult *replayOf(const ReportInput &In,
                                    const std::string &Policy) {
  if (In.Replayed)
    for (const PolicyResult &R : In.Replayed->Played->Results)
      if (R.Name == Policy)
        return &R;
  return nullptr;
}

} // namespace evenkeel::cli

#endif
