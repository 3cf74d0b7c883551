//===- Groups.h - blocks that are freed together ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a block of a library must go back to it, so a site can allocate from
// the library only together with all calls that may free its blocks, and with
// all sites whose blocks these calls may free. Such a group is rewritten as a
// whole, or stays as it is for a named reason.
// Not here: which site goes where (Placement.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_LIBRARY_GROUPS_H
#define EVENKEEL_REWRITER_LIBRARY_GROUPS_H

#include "Spaces.h"
#include "edits/BlockFlow.h"
#include "edits/Findings.h"

namespace evenkeel {

/// Keeps the edits of the groups of sites that \p Wanted places elsewhere than
/// in ordinary memory, with the kind of memory as their Tag, and takes back all
/// other edits. \p Flows are those of all units. Findings that are neither
/// sites nor calls of free are removed.
void keepGroups(const std::vector<BlockFlow> &Flows,
                const std::map<uint64_t, Space> &Wanted, LibraryCalls Style,
                std::vector<Finding> &Findings);

} // namespace evenkeel

#endif
