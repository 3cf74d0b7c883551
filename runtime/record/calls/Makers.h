//===- Makers.h - the creator of a block ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the address range that a thread's blocks come from, and the thread's
// phase.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_MAKERS_H
#define EVENKEEL_RUNTIME_RECORD_MAKERS_H

#include "record/objects/Space.h"
#include "record/tasks/Recorder.h"

namespace ekrec {

/// The creator of blocks that the thread allocates now, and the phase.
Maker makerInGap();
inline Maker makerOf(const ThreadState &T) {
  if (closed())
    return {NoCreator, 0};
  return T.Current ? Maker{T.Thread, T.Thread} : makerInGap();
}
uint32_t phaseInGap();
inline uint32_t phaseOf(const ThreadState &T) {
  return T.Current ? T.Phase : phaseInGap();
}

} // namespace ekrec

#endif
