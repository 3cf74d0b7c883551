//===- PerfScript.h - DAMON's trace events as text --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: lines of `perf script` with damon:damon_aggregated, which `damo record
// --output_type perf_script` leaves:
//   kdamond.0 44 [0] 8.31: damon:damon_aggregated: target_id=7 nr_regions=2
//   4096-8192: 0 3
// in one line each. They tell when an aggregation ends, but no intervals.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_DAMO_PERFSCRIPT_H
#define EVENKEEL_PROFILES_FORMAT_DAMO_PERFSCRIPT_H

#include "DamoTarget.h"
#include "format/Error.h"

namespace evenkeel::damo {

/// Targets, in the order in which they appear; an error if there are none.
Expected<std::vector<Target>> parsePerfScript(const std::string &Text);

} // namespace evenkeel::damo

#endif
