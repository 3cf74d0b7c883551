//===- Placement.h - a plan as one kind of memory per site ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a call of a library places a whole block once. Of the sites that a
// plan divides between fast and slow memory, those with the largest share go to
// fast memory whole, as long as they fit in the room that the plan gives to all
// of them. What the plan says beyond that is lost. Not here: which calls are
// rewritten (Groups.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_LIBRARY_PLACEMENT_H
#define EVENKEEL_REWRITER_LIBRARY_PLACEMENT_H

#include "Spaces.h"
#include "format/plan/Plan.h"
#include <map>

namespace evenkeel {

struct Placement {
  std::map<uint64_t, Space> Sites;
  std::map<uint64_t, uint64_t> Bytes; // predicted, of a site's objects
  // What calls cannot say.
  unsigned Divided = 0;   // sites of which the plan has a part in fast memory
  unsigned Moves = 0;     // changes of place between phases
  uint64_t PlanBytes = 0; // that the plan has in fast memory

  /// Whether any site has a kind of memory that plain calls do not take.
  bool any() const;
  /// The bytes of the sites in memory of kind \p S.
  uint64_t bytesIn(Space S) const;
};

Placement placementOf(const Plan &P, const Spaces &On);

/// \p P with each object whole in its tier and no moves, for `simulate`.
Plan wholePlan(const Plan &P, const Placement &Of, const Spaces &On);

} // namespace evenkeel

#endif
