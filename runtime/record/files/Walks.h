//===- Walks.h - how accesses really walk -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: programs that passes/record/Walks.cpp instrumented. Between two
// executions of an access by the same task: how many bytes lie between the
// addresses (canonical ones, so blocks of one site lie where they lie in every
// run), whether a load behind the address brought a new value, and whether the
// chain of such loads grew.
// Makes: in the file EVENKEEL_WALKS names, a JSON object for each access and
// site that it met, large blocks (64 KiB and more) and small ones apart:
//   claim    what the analysis says of the access (passes/record/Walks.cpp)
//   site, large, times
//   pairs    executions that had one before
//   near     of those, at most a line further or back, but not `deltas` 0
//   fresh    of those, behind a load that brought a new value
//   grown    of those, behind a longer chain of loads
//   deltas   [bytes, pairs] of the most frequent distances (Misra and Gries
//            1982, 16 counters: each count is at most pairs/17 too small)
// Not here: which class that makes (utils/lib/walk_classes.py); accesses to
// memory that is no site's.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_WALKS_H
#define EVENKEEL_RUNTIME_RECORD_WALKS_H

namespace ekrec {

/// Writes the file, if the program was built for it. After all threads are
/// done; returns whether it was.
bool writeWalks();

} // namespace ekrec

#endif
