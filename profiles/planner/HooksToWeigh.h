//===- HooksToWeigh.h - at which hooks a plan weighs moves ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: kinds of hooks, by the regions before and after. Each kind gets an
// equal share of a limited number, so that rare hooks, where the program turns
// to something else, are all among them.
// Not here: what moves are worth (HookPlanner.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_HOOKSTOWEIGH_H
#define EVENKEEL_PROFILES_PLANNER_HOOKSTOWEIGH_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace evenkeel {

/// The ids of the regions before and after a hook.
using HookKind = std::pair<uint64_t, uint64_t>;

/// Indices into \p Kinds, which are in the order of the run: at most \p Most,
/// sorted. The hooks taken of one kind are evenly spread over all of it; so are
/// they over all hooks if there are more kinds than \p Most.
std::vector<size_t> hooksToWeigh(const std::vector<HookKind> &Kinds,
                                 size_t Most);

} // namespace evenkeel

#endif
