//===- Planned.h - a plan with all that was known for it --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to make the plan that options ask for, and its file.
// Not here: the planner (profiles/planner), and what people read of a plan
// (tables).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_PLANNED_H
#define EVENKEEL_UTILS_CLI_PLANNED_H

#include "Planning.h"
#include "format/Machine.h"
#include "format/plan/Plan.h"
#include "planner/Outlook.h"

namespace evenkeel::cli {

struct Planned {
  PlanInputs In;
  Machine M;
  Problem Pr;
  Plan P;
  Outlook Ahead;

  /// Whether the base is the beginning of a longer run.
  bool isBeginning() const { return In.Prefix && !In.Prefix->Ended.empty(); }
};

/// Says in \p P that nothing is known of how long its tasks take: its inputs
/// are Blind.
void loseBounds(Plan &P);

/// The plan that \p A asks for, which are options of `evenkeel plan` with a
/// command after them. Fails with one line if the inputs do not fit together.
Planned makePlanned(const Args &A);

/// Writes the plan of \p X, with what hooks need for planning again.
void writePlanned(const Args &A, Planned &X, const std::string &Path);

} // namespace evenkeel::cli

#endif
