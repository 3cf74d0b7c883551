//===- Prefix.h - how a run goes on behind its beginning --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a profile of role "prefix" holds the first phases of the very run that
// is planned for. Phases of a kind (the same sync points begin and end them and
// their tasks execute the same region) repeat: behind the last phase, those of
// the last iteration come again and again.
// Makes: the base profile that a longer beginning would have been, so that what
// repeats weighs as much as it will, not as little as it did.
// Leaves out: how often it repeats, which nobody knows before the run; what
// begins later (listUnreached names it).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_BASE_PREFIX_H
#define EVENKEEL_PROFILES_PREDICT_BASE_PREFIX_H

#include "format/Facts.h"
#include "format/profile/Profile.h"
#include <optional>

namespace evenkeel {

/// Phases that come again behind the last one of a prefix.
struct Iteration {
  uint32_t Phases = 0; ///< of the prefix
  uint32_t First = 0;  ///< of those that repeat
  uint32_t Length = 0;
  uint32_t Next = 0; ///< which of them comes first, from 0
  /// Instructions of the heaviest of these phases over those of the first of
  /// the last three like it: not 1 where the work still grows or shrinks.
  double Growth = 1;

  /// The phase of the prefix that \p Phase is like.
  uint32_t sourceOf(uint32_t Phase) const {
    return Phase < Phases ? Phase : First + (Next + Phase - Phases) % Length;
  }
};

/// None where no phase came twice, or none of those goes on to the end.
std::optional<Iteration> iterationOf(const Profile &Prefix);

/// \p Prefix itself, if it holds a whole run or nothing repeats; else with its
/// iterations repeated until they take nine tenths of the time, for some
/// thousand phases at most. What an iteration allocates and frees it allocates
/// and frees each time.
Profile continued(const Profile &Prefix);

/// Of each phase of \p Whole the phase of its beginning \p Prefix that it is
/// like: itself; behind the prefix the next one of its kind in the iteration
/// that repeats, else the last one of its kind. EK_NO_TASK: of a kind that the
/// prefix has not come to.
std::vector<uint32_t> likePhases(const Profile &Prefix, const Profile &Whole);

/// Sites and regions of \p F that \p Prefix has not come to.
struct Unreached {
  struct Site {
    const SiteFact *Fact;
    std::optional<double> Bytes; ///< by its formula; none: not known
  };
  std::vector<Site> Sites; ///< small ones left out; the largest first
  std::vector<const RegionFact *> Regions;
};
Unreached listUnreached(const Facts &F, const Profile &Prefix);

} // namespace evenkeel

#endif
