//===- Spaces.h - a machine's tiers as kinds of memory ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which kind of memory of a library stands for a tier of a machine file,
// by the technology in the tier's name; and that plain allocation takes the
// memory beside the processor.
// Not here: which site goes where (Placement.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_LIBRARY_SPACES_H
#define EVENKEEL_REWRITER_LIBRARY_SPACES_H

#include "format/Error.h"
#include "format/Machine.h"
#include "unit/CollectOptions.h"

namespace evenkeel {

enum class Space { Ordinary, HighBandwidth, LargeCapacity, Persistent };

/// The kinds of memory of a plan's fast and slow data.
struct Spaces {
  Space Fast = Space::Ordinary, Slow = Space::Ordinary;
};

/// The kinds on \p M; an error that names the tier that \p Style has none for.
Expected<Spaces> spacesOf(const Machine &M, LibraryCalls Style);

/// What stands for \p S in calls of the library: high_bandwidth_memory(), ...
const char *spaceArgument(Space S, LibraryCalls Style);
/// `high-bandwidth memory`, ...
const char *spaceWords(Space S);

} // namespace evenkeel

#endif
