//===- Instances.h - the same objects on two inputs -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: ordinals count a site's large blocks, so that one that is large on one
// input only shifts all behind it. Blocks of a context are matched among
// themselves, whatever the site makes otherwise. Blocks of a site and context
// that one thread allocated in the same phase come in the same order on every
// input: which of them have no partner is found by global alignment (Needleman
// and Wunsch 1970), where one without must have been smaller than a large block
// on the other input, and pairs keep their size or grow alike. Small blocks
// that a site made become the one large block that it makes on the target.
// Makes: by instance of the base run, the known one that it became.
// Leaves out: sizes of what is not known yet (Sizes.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_SIZES_INSTANCES_H
#define EVENKEEL_PROFILES_PREDICT_SIZES_INSTANCES_H

#include "problem/Request.h"

namespace evenkeel {
namespace prediction {

struct InstanceMatch {
  const PredictedInstance *Known = nullptr;
  /// What it has on the target or, not known yet, is taken to have there.
  uint32_t Ordinal = 0, InContext = 0;
  /// Others that its maker made in the phase are known, and it is not.
  bool BelowLarge = false;
};

/// \p Base is in order of (site, creator, ordinal), as profiles have it.
/// \p Known: some instances of the target, in any order; those without an
/// allocation phase (EK_NO_TASK) are matched by ordinal. \p LargeBytes: from
/// which on a block is an instance of its own.
std::vector<InstanceMatch>
matchInstances(const std::vector<ek_raw_inst> &Base,
               const std::vector<PredictedInstance> &Known, double LargeBytes);

/// Gives blocks that are small in \p Base and at least \p LargeBytes in
/// \p Target, row by row the same ones, the ordinals that they have there, and
/// those behind them theirs. Blocks whose size is known have theirs.
void numberGrown(const std::vector<ek_raw_inst> &Base, double LargeBytes,
                 std::vector<PredictedInstance> &Target);

} // namespace prediction
} // namespace evenkeel

#endif
