//===- Mode.h - what is recorded --------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the ways in which a program is recorded.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_MODE_H
#define EVENKEEL_PASSES_RECORD_MODE_H

namespace evenkeel {

/// What is recorded: all lines that accesses touch, one line of each page,
/// access counts only, or how each access walks (Walks.h).
enum class RecordMode { Full, Sampled, Counts, Walks };

} // namespace evenkeel

#endif
