//===- Rows.h - the accesses and misses of other threads --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: if each thread walks through its own address range of an object, the
// new thread gets the chunks in that range; otherwise it gets its share of the
// accesses in each chunk. A range T / N times as long misses like the old one
// in caches N / T times as large (CacheCurve.h). Makes: accesses, misses,
// miss-ratio curves and far-line estimates of the new tasks, and their core
// times, which are proportional to their accesses.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_BASE_THREADS_ROWS_H
#define EVENKEEL_PROFILES_PREDICT_BASE_THREADS_ROWS_H

#include "Objects.h"

namespace evenkeel {
namespace threads {

/// Adds the rows to \p Out, which has the new tasks and instances already.
void shareRows(const Profile &B, const Shares &By, const Formulas &Of,
               const Objects &Which, Profile &Out);

} // namespace threads
} // namespace evenkeel

#endif
