//===- plan_order.h - the order of a plan's entries -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the order in which flatten.cpp sorts entries and find.cpp searches
// them.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_PLAN_ORDER_H
#define EVENKEEL_RUNTIME_PLAN_ORDER_H

#include "placement/plan.h"

#include <tuple>

namespace evenkeel {

inline auto key(const ek_plan_object &E) {
  return std::tie(E.site, E.context, E.creator, E.ordinal);
}

/// For an entry with a context: its order among all objects of the site.
inline std::tuple<uint64_t, uint64_t, uint64_t> order(const ek_plan_object &E) {
  return {E.site, E.creator, E.of_site};
}

inline bool before(const ek_plan_object &A, const ek_plan_object &B) {
  return key(A) < key(B);
}

inline bool same(const ek_plan_object &A, const ek_plan_object &B) {
  return key(A) == key(B);
}

} // namespace evenkeel

#endif
