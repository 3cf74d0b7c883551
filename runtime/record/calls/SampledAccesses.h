//===- SampledAccesses.h - accesses of a sampled run ---------- -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: one line of each page is followed (Sampling.h); in a burst, all lines
// are.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_SAMPLEDACCESSES_H
#define EVENKEEL_RUNTIME_RECORD_SAMPLEDACCESSES_H

#include "record/tasks/Recorder.h"

namespace ekrec {

/// An access by code at \p At.
void sampleAccess(ThreadState &T, uint64_t Address, uint64_t Info,
                  uintptr_t At);
/// \p Times accesses to the sampled line at \p C, which is canonical.
void sampleRepeats(ThreadState &T, uint64_t C, uint64_t Info, uint64_t Times);
/// memcpy and similar functions: the lines of [\p C, \p End).
void sampleRange(ThreadState &T, uint64_t C, uint64_t End, uint64_t Info,
                 uintptr_t At);

} // namespace ekrec

#endif
