//===- Unlike.h - phases that a base profile did not come to ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a run may come to phases, or objects, of which the base profile has
// nothing: the beginning of a run is not like the rest. What is known then is
// which region runs, how many threads there are, which objects live and how
// large they are, what the facts say of who accesses what and how, and how
// tasks of the base waited for accesses of each class.
// Makes: a base profile that goes on with such phases. Tasks of a region that
// the base has do to what it has as they did there. Of other data that the
// region accesses, by its facts, its tasks fetch each line once; an access that
// may go to either goes to the other data, which somebody made for it.
// Leaves out: how often they really do; how long such phases go on: as often
// again as they came so far.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_BASE_UNLIKE_H
#define EVENKEEL_PROFILES_PREDICT_BASE_UNLIKE_H

#include "format/Facts.h"
#include "format/plan/Plan.h"
#include "format/profile/Profile.h"
#include <set>

namespace evenkeel {

/// Phases of a kind that a run has come to.
struct UnlikePhase {
  uint64_t Sync = 0;   ///< the sync point that ends them
  uint64_t Region = 0; ///< that their tasks execute; 0: that of the sync point
  uint32_t Width = 1;  ///< threads
  uint32_t Times = 1;  ///< so far
};

struct LiveObject {
  InstanceName Name;
  double Bytes = 0;
};

/// Counts what a run comes to, as its hooks tell; the runtime's is in C
/// (unlike.h).
class UnlikeLog {
  std::set<uint64_t> Syncs, Sites; // of the base
  std::vector<UnlikePhase> Kinds;
  uint32_t Phases = 0, Objects = 0; // that it does not have
  uint32_t Since = 0, Next = 2;     // phases
  bool Begun = false;

public:
  explicit UnlikeLog(const Profile &Base);
  /// A large object of \p Site is made.
  void object(uint64_t Site);
  /// \p H is over. True: it is time to plan again, behind the 2nd phase, the
  /// 4th, the 8th, ... since the first that the base does not have.
  bool phaseEnded(const UnlikePhase &H);
  /// Whether the base does not have all of it.
  bool begun() const { return Begun; }
  /// All that came since.
  const std::vector<UnlikePhase> &seen() const { return Kinds; }
  uint32_t phases() const { return Phases; }
  uint32_t objects() const { return Objects; }
};

/// \p Base with the phases \p Seen behind its own, each as often as it came so
/// far; \p Alive are the objects that live then. Objects that the base does not
/// have become instances of it.
Profile withUnlike(const Profile &Base, const Facts &F,
                   const std::vector<LiveObject> &Alive,
                   const std::vector<UnlikePhase> &Seen);

} // namespace evenkeel

#endif
