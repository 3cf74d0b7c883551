//===- Instances.h - match the objects of two inputs ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: ordinals count a site's large blocks, so a block that is large on one
// input only shifts all following ordinals. Blocks of a context are matched
// separately from other blocks of the site. Blocks that one thread allocated at
// a site and context in the same phase have the same order on every input.
// Global alignment (Needleman and Wunsch 1970) finds the blocks without a
// partner: such a block must have been small on the other input, and pairs keep
// their size or grow alike. Small blocks of a site may become the one large
// block that it makes on the target.
// Makes: for each instance of the base run, the known instance that matches it.
// Not here: sizes of instances that are not known yet (Sizes.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_SIZES_INSTANCES_H
#define EVENKEEL_PROFILES_PREDICT_SIZES_INSTANCES_H

#include "problem/Request.h"

namespace evenkeel {
namespace prediction {

struct InstanceMatch {
  const PredictedInstance *Known = nullptr;
  /// The ordinals on the target, assumed if not known yet.
  uint32_t Ordinal = 0, InContext = 0;
  /// Other blocks that its maker allocated in the phase are known, but this one
  /// is not.
  bool BelowLarge = false;
};

/// \p Base is sorted by (site, creator, ordinal), as in profiles. \p Known:
/// some instances of the target, in any order; instances without an allocation
/// phase (EK_NO_TASK) are matched by ordinal. \p LargeBytes: the size from
/// which a block is an instance of its own.
std::vector<InstanceMatch>
matchInstances(const std::vector<ek_raw_inst> &Base,
               const std::vector<PredictedInstance> &Known, double LargeBytes);

/// Gives blocks that are small in \p Base and at least \p LargeBytes in
/// \p Target (the same rows) their ordinals on the target, and shifts those of
/// following blocks. Blocks of known size have their ordinals already.
void numberGrown(const std::vector<ek_raw_inst> &Base, double LargeBytes,
                 std::vector<PredictedInstance> &Target);

} // namespace prediction
} // namespace evenkeel

#endif
