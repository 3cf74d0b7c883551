//===- Unlike.h - phases without a counterpart in the base ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a run may reach phases, or objects, that the base profile does not
// have: the beginning of a run differs from the rest. Known are then the
// region, the number of threads, the live objects and their sizes, the facts
// about accesses and their classes, and how tasks of the base waited for
// accesses of each class.
// Makes: a base profile extended by such phases. Tasks of a region that the
// base has access the base's objects as they did there. Of other objects that
// the region accesses according to the facts, its tasks fetch each line once.
// An access that may go to either goes to the other objects, which were made
// for it.
// Not here: how often they really fetch it; how long such phases continue: as
// long as they have lasted so far is assumed.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_BASE_UNLIKE_H
#define EVENKEEL_PROFILES_PREDICT_BASE_UNLIKE_H

#include "format/Facts.h"
#include "format/plan/Plan.h"
#include "format/profile/Profile.h"
#include <set>

namespace evenkeel {

/// Phases of one kind that a run has reached.
struct UnlikePhase {
  uint64_t Sync = 0;   ///< the sync point that ends them
  uint64_t Region = 0; ///< that their tasks execute; 0: the region of the sync
                       ///< point
  uint32_t Width = 1;  ///< threads
  uint32_t Times = 1;  ///< so far
};

struct LiveObject {
  InstanceName Name;
  double Bytes = 0;
};

/// Counts the phases and objects that a run reaches, as reported by hooks; the
/// runtime's version is in C (unlike.h).
class UnlikeLog {
  std::set<uint64_t> Syncs, Sites; // of the base
  std::vector<UnlikePhase> Kinds;
  uint32_t Phases = 0, Objects = 0; // that the base does not have
  uint32_t Since = 0, Next = 2;     // phases
  bool Begun = false;

public:
  explicit UnlikeLog(const Profile &Base);
  /// Reports a large object of \p Site.
  void object(uint64_t Site);
  /// Reports the end of \p H. True: plan again now, after the 2nd, 4th, 8th,
  /// ... phase since the first that the base does not have.
  bool phaseEnded(const UnlikePhase &H);
  /// Whether something was reported that the base does not have.
  bool begun() const { return Begun; }
  /// All phases since then.
  const std::vector<UnlikePhase> &seen() const { return Kinds; }
  uint32_t phases() const { return Phases; }
  uint32_t objects() const { return Objects; }
};

/// \p Base with the phases \p Seen appended, each as often as it has occurred;
/// \p Alive are the objects that live then. Objects that the base does not have
/// become new instances.
Profile withUnlike(const Profile &Base, const Facts &F,
                   const std::vector<LiveObject> &Alive,
                   const std::vector<UnlikePhase> &Seen);

} // namespace evenkeel

#endif
