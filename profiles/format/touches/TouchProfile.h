//===- TouchProfile.h - a profile from touched pages ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which pages passes saw touched, as a profile of the kind that `record
// --counts` makes (plan estimates what reaches memory). Each touched page
// stands for one walk over it in each window of the time since the pass before:
// a window cannot tell more, so pages that are used often count as much as
// pages that are used once. What passes do not say is not made up: the run is
// one phase, its tasks are the processes, and nothing tells how counts grow
// with the input.
// Not here: which site an object belongs to (BinaryFacts).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_TOUCHES_TOUCHPROFILE_H
#define EVENKEEL_PROFILES_FORMAT_TOUCHES_TOUCHPROFILE_H

#include "format/ecohmem/Trace.h"
#include "format/touches/TouchRecord.h"

namespace evenkeel {

/// The run of \p R, in which object I is one of the site \p SiteOf[I]; 0: of
/// none, left out for the reason \p Why[I]. \p Sites has the sites; accesses
/// are added to it, and sites without an object are removed. Errors: no object
/// with a site was touched.
Expected<ecohmem::TracedRun> runOfTouches(const TouchRecord &R,
                                          const std::vector<uint64_t> &SiteOf,
                                          const std::vector<const char *> &Why,
                                          Facts Sites);

} // namespace evenkeel

#endif
