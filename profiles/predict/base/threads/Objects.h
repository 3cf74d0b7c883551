//===- Objects.h - the objects of another number of threads -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: if each old thread allocates an object, so does each new one. Objects
// of removed threads go to the threads that take over their work.
// Makes: the new objects, and which of them a new task uses for an old one.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_BASE_THREADS_OBJECTS_H
#define EVENKEEL_PROFILES_PREDICT_BASE_THREADS_OBJECTS_H

#include "Formulas.h"
#include <map>
#include <utility>
#include <vector>

namespace evenkeel {
namespace threads {

struct Objects {
  /// By old instance: the instance to which it belongs, and whether each thread
  /// allocated one.
  std::vector<std::pair<uint32_t, bool>> PartOf;
  /// By such an instance and the number of a new thread: the new instance.
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> InstanceNow;
};

/// Adds the instances to \p Out.
Objects shareObjects(const Profile &B, const Facts &F, const Shares &By,
                     const Formulas &Of, Profile &Out);

} // namespace threads
} // namespace evenkeel

#endif
