//===- scoped_plan.h - a plan for the duration of a test --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_TEST_RUNTIME_SCOPED_PLAN_H
#define EVENKEEL_TEST_RUNTIME_SCOPED_PLAN_H

#include "placement/place.h"
#include "placement/plan.h"

#include <deque>
#include <utility>
#include <vector>

/// A plan of one entry for every instance of a site. Static storage keeps its
/// entry for ever, so entries are not freed.
struct ScopedPlan {
  std::vector<ek_plan_range> Ranges;
  ek_plan_object &Object = entry();
  static ek_plan_object &entry() {
    static std::deque<ek_plan_object> All;
    return All.emplace_back();
  }
  ek_plan Plan{};
  explicit ScopedPlan(uint64_t Site, double Share,
                      std::vector<ek_plan_range> R = {})
      : Ranges(std::move(R)) {
    Object.site = Site;
    Object.creator = Object.ordinal = EK_ANY;
    Object.share = Share;
    Object.ranges = Ranges.data();
    Object.range_count = Ranges.size();
    Plan.objects = &Object;
    Plan.count = 1;
    ek_place_plan(&Plan);
  }
  ~ScopedPlan() { ek_place_plan(nullptr); }
};

#endif
