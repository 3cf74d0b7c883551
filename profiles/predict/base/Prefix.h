//===- Prefix.h - extend the beginning of a run -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a profile of role "prefix" holds the first phases of the run that is
// planned for. Phases of a kind (the same sync points begin and end them and
// their tasks execute the same region) repeat: after the last phase, the phases
// of the last iteration are assumed to repeat.
// Makes: the base profile that a longer beginning would have given, so that
// repeated phases get their weight in the whole run.
// Not here: the number of repetitions, which is not known before the run; what
// begins later (listUnreached names it).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_BASE_PREFIX_H
#define EVENKEEL_PROFILES_PREDICT_BASE_PREFIX_H

#include "format/Facts.h"
#include "format/profile/Profile.h"
#include <optional>

namespace evenkeel {

/// Phases that repeat after the end of a prefix.
struct Iteration {
  uint32_t Phases = 0; ///< of the prefix
  uint32_t First = 0;  ///< the first repeated phase
  uint32_t Length = 0;
  uint32_t Next = 0; ///< the phase that comes next, from 0
  /// Of the kind of phase that takes the most time: instructions of the last
  /// phase over those of the first of the last few (IterationsCompared). Not 1
  /// if the work still grows or shrinks.
  double Growth = 1;

  /// The phase of the prefix that corresponds to \p Phase.
  uint32_t sourceOf(uint32_t Phase) const {
    return Phase < Phases ? Phase : First + (Next + Phase - Phases) % Length;
  }
};

/// None if no kind of phase occurred twice, or none still repeats at the end.
std::optional<Iteration> iterationOf(const Profile &Prefix);

/// \p Prefix itself, if it holds a whole run, if nothing repeats, or if its
/// rows are not sorted by task. Otherwise its iterations are repeated until
/// they take most of the time (RepeatedTime), for MostPhasesAdded phases at
/// most. Objects that an iteration allocates and frees are allocated and freed
/// each time.
Profile continued(const Profile &Prefix);

/// For each phase of \p Whole, the corresponding phase of its beginning
/// \p Prefix: the same phase; after the prefix, the next phase of its kind in
/// the repeated iteration, else the last phase of its kind. EK_NO_TASK: the
/// prefix has no phase of this kind.
std::vector<uint32_t> likePhases(const Profile &Prefix, const Profile &Whole);

/// Sites and regions of \p F that \p Prefix has not reached.
struct Unreached {
  struct Site {
    const SiteFact *Fact;
    std::optional<double> Bytes; ///< by its formula; none: not known
  };
  std::vector<Site> Sites; ///< without small ones; the largest first
  std::vector<const RegionFact *> Regions;
};
Unreached listUnreached(const Facts &F, const Profile &Prefix);

} // namespace evenkeel

#endif
