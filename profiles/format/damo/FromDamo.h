//===- FromDamo.h - DAMON's samples as touched pages ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how snapshots become touches.json: one pass each, with a window as
// long as DAMON's sampling interval. The share of samples that found a range
// accessed is the share of its pages that such a window sees touched: DAMON
// looks at one page of a range at a time, and takes its pages to be alike. What
// DAMON does not tell: which pages are resident (all of a range count), CPU
// times (the watched time stands for them), its own cost, who allocated what.
// Without mappings, memory without gaps is one object.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_DAMO_FROMDAMO_H
#define EVENKEEL_PROFILES_FORMAT_DAMO_FROMDAMO_H

#include "DamoTarget.h"
#include "Mappings.h"
#include "format/touches/TouchRecord.h"

namespace evenkeel::damo {

/// Each target is a process. Ranges may be named by \p Of, if there is only one
/// target. An error if a range is larger than touches.json can say.
Expected<TouchRecord> touchesOf(const std::vector<Target> &Targets,
                                const std::vector<Mapping> &Of);

} // namespace evenkeel::damo

#endif
