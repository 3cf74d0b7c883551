//===- Trace.h - a profile from what Extrae sampled -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what ecoHMEM's files say of a run: for each call stack of allocations
// the sampled loads and stores, the size, and the times of allocations in each
// process. Makes a profile and, if there is no analysis of the program, facts
// in which each call stack is a site. What such files do not say is not made
// up: the run is one phase, processes are its tasks and share all accesses
// evenly, and nothing tells how counts grow with the input. Not here: the files
// themselves, and decisions.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_ECOHMEM_TRACE_H
#define EVENKEEL_PROFILES_FORMAT_ECOHMEM_TRACE_H

#include "AllocsInfo.h"
#include "FrameLines.h"
#include "Histogram.h"
#include "format/Facts.h"
#include "format/profile/Profile.h"
#include <map>

namespace evenkeel::ecohmem {

struct Trace {
  Histogram Loads, Sizes;
  Histogram Stores;  // without columns: not sampled
  AllocsInfo Allocs; // without allocations: not known
};

struct TraceOptions {
  uint32_t Period = 1;  ///< accesses for which one sample stands
  double LatencyNs = 0; ///< of the memory that the trace was made on
  double Seconds = 0;   ///< of the run; 0: as the allocations' times say
  const Facts *Analysis = nullptr; ///< sites that stacks are looked up in
  FrameLines Lines{};              ///< of frames that are addresses
};

/// The objects that a trace leaves out, by reason: number, and their share of
/// the samples.
using LeftOut = std::map<std::string, std::pair<uint64_t, double>>;

struct TracedRun {
  MissRecord Record;
  Facts Sites; ///< the analysis, or one site for each call stack
  LeftOut Left;
  uint64_t Objects = 0;
  unsigned Processes = 1;
  double Seconds = 0;
};

/// Errors: figures that no run has, no object with accesses.
Expected<TracedRun> readTrace(const Trace &T, const TraceOptions &O);

/// The configuration of a profile of real caches: nothing was simulated, and
/// the sizes are those that go with the other figures. \p BeforeCaches:
/// accesses were counted, so plan may choose from last levels.
ek_raw_conf traceConfig(uint32_t Workers, double Ghz, bool BeforeCaches);
/// The region of facts that are made of a trace.
RegionFact traceRegion();
/// The site that stands for a call stack without an analysis.
uint64_t siteOfStack(const std::string &Stack);

} // namespace evenkeel::ecohmem

#endif
