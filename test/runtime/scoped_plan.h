//===- scoped_plan.h - a plan for the time of a test ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_TEST_RUNTIME_SCOPED_PLAN_H
#define EVENKEEL_TEST_RUNTIME_SCOPED_PLAN_H

#include "place.h"
#include "plan.h"

#include <utility>
#include <vector>

/// A plan of one entry for every instance of a site.
struct ScopedPlan {
  std::vector<ek_plan_range> Ranges;
  ek_plan_object Object{};
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
    ek_plan_now = &Plan;
  }
  ~ScopedPlan() { ek_plan_now = nullptr; }
};

#endif
