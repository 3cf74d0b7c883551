//===- Counting.h - counting accesses of the current task -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the counts of the task that a thread executes, by object.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_COUNTING_H
#define EVENKEEL_RUNTIME_RECORD_COUNTING_H

#include "record/abi/record_abi.h"
#include "record/tasks/Frame.h"
#include "record/tasks/Recorder.h"

namespace ekrec {

/// The address of the instrumented code that called us.
#define RETURN_ADDRESS reinterpret_cast<uintptr_t>(__builtin_return_address(0))

/// Counts accesses that do not belong to a known object.
void untracked(ThreadState &T, uint64_t Times = 1);

inline void count(Frame::InstanceCount &N, uint64_t Info, uint64_t Times) {
  N.Reads += Info & EK_REC_READ ? Times : 0;
  N.Writes += Info & EK_REC_WRITE ? Times : 0;
}

inline bool countAccess(ThreadState &T, uint64_t C, uint64_t Info,
                        uint64_t Times = 1) {
  uint32_t Instance = lookup(C).Instance;
  if (__builtin_expect(!Instance, 0))
    return false;
  Frame::InstanceCount &N = T.Current->countOf(Instance);
  if (__builtin_expect(!(N.Reads | N.Writes), 0)) {
    pauseForEnd(T);
    T.Current->touched(Instance);
  }
  count(N, Info, Times);
  return true;
}

} // namespace ekrec

#endif
