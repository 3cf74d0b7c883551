//===- Observed.h - the same quantities on several inputs -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a task of one input corresponds to the task of another that executes
// the same region with the same index, in the phase that is as many-th among
// those that end at the same sync point; explicit tasks correspond to each
// other by region, as their mean. Objects correspond as at hooks
// (sizes/Instances.h).
// Makes: the quantities of one prediction, or of one record, in these terms.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_FITS_OBSERVED_H
#define EVENKEEL_PROFILES_PREDICT_FITS_OBSERVED_H

#include "format/profile/Profile.h"
#include "problem/Problem.h"
#include <map>
#include <optional>

namespace evenkeel {
namespace fits {

/// Tasks of a type: they may do different amounts of work, which grow alike.
struct TaskType {
  uint64_t Sync = 0, Region = 0;
  bool Explicit = false;

  bool operator<(const TaskType &O) const {
    return std::tie(Sync, Region, Explicit) <
           std::tie(O.Sync, O.Region, O.Explicit);
  }
};

/// One task, or the mean of the explicit tasks of a region in a phase.
struct TaskValues {
  double CoreSeconds = 0;
  bool Determined = true; ///< all of them
  unsigned Tasks = 0;
  struct Object {
    double Accesses = 0, Lines = 0;
    CountWay Count = CountWay::Base; ///< the least certain one
  };
  std::map<uint32_t, Object> Objects; ///< by instance of the base
};

struct Observed {
  /// By type; then by number of the phase and index of the task.
  std::map<TaskType, std::map<std::pair<uint32_t, uint32_t>, TaskValues>> Tasks;
  std::map<uint32_t, double> Bytes; ///< by instance of the base
};

/// By instance of \p Other, the corresponding one of \p Base; EK_NO_TASK: none.
std::vector<uint32_t> correspondingTo(const Profile &Base,
                                      const Profile &Other);

/// The quantities of \p P, which was predicted from \p From. \p InBase: as
/// correspondingTo(base, From).
Observed observe(const Problem &P, const Profile &From,
                 const std::vector<uint32_t> &InBase);

} // namespace fits
} // namespace evenkeel

#endif
