//===- plan_order.h - how entries of a plan are sorted ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the one order in which flatten.cpp lays entries out and find.cpp finds
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

/// Of one with a context: who it is among all that the site makes.
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
