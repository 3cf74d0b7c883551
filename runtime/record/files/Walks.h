//===- Walks.h - measuring how accesses walk --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: programs that passes/record/Walks.cpp instrumented. Between two
// executions of an access by the same task: the distance of their addresses
// (canonical ones, so blocks of a site have the same places in every run),
// whether a load that the address depends on had a new value, and whether the
// chain of such loads became longer.
// Makes: in the file named by EVENKEEL_WALKS, a JSON object for each access and
// site, with large blocks (64 KiB and more) and small ones apart:
//   claim    what the analysis says about the access (passes/record/Walks.cpp)
//   site, large, times
//   pairs    executions with a previous one
//   near     those within a line of it, except `deltas` 0
//   fresh    those after a load with a new value
//   grown    those after a longer chain of loads
//   deltas   [bytes, pairs] of the most frequent distances (Misra and Gries
//            1982, 16 counters: each count is at most pairs/17 too small)
// Not here: the resulting class (utils/lib/walk_classes.py); accesses to memory
// without a site.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_WALKS_H
#define EVENKEEL_RUNTIME_RECORD_WALKS_H

namespace ekrec {

/// Writes the file if the program was built for it; returns whether it was.
/// Call it when all threads have finished.
bool writeWalks();

} // namespace ekrec

#endif
