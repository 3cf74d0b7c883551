//===- Occupancy.h - how full fast memory is --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how many bytes are allocated in each phase, and how many of them lie
// in fast memory, under first touch and with the plan and its moves. Figures
// are predicted ones, also where times are replayed.
// Makes: the occupancy of ReportData.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_REPORT_OCCUPANCY_H
#define EVENKEEL_UTILS_CLI_REPORT_OCCUPANCY_H

#include "ReportData.h"

namespace evenkeel::cli {

/// Needs the groups of \p D.
void addOccupancy(const ReportInput &In, ReportData &D);

} // namespace evenkeel::cli

#endif
