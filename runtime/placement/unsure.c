/*===- unsure.c - objects that a plan may confuse -----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See unsure.h.
 *===----------------------------------------------------------------------===*/
#include "placement/unsure.h"
#include "core/stats.h"

void ek_unsure_count(const ek_plan *plan, const ek_plan_object *entry,
                     const ek_object *o) {
  if (entry) {
    const bool by_order =
        entry->context ? !o->chain : o->chain && entry->ordinal != EK_ANY;
    if (by_order)
      ek_count_object(EK_WHY_context_unknown, o->bytes);
    return;
  }
  switch (ek_plan_knows(plan, o->site)) {
  case EK_KNOWS_NOTHING:
    return;
  case EK_KNOWS_CALLS:
    if (o->chain) {
      ek_count_object(EK_WHY_context_unplanned, o->bytes);
      return;
    }
    break;
  case EK_KNOWS_ORDER:
    break;
  }
  ek_count_object(EK_WHY_order_exceeded, o->bytes);
}
