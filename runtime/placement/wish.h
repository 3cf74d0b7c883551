/*===- wish.h - the tier an object is wanted in -------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: what decides: the user (pinned), the plan's entry, the call's share,
 * or nothing, in which case the object lies where it is first touched.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_WISH_H
#define EVENKEEL_RUNTIME_WISH_H

#include "objects/record.h"
#include "placement/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the plan and the call say about a new object. */
typedef struct ek_word {
  ek_plan_object *entry;
  uint8_t percent;
  bool pinned;
} ek_word;

/* Determines that, with \p percent as in EK_FAST. */
ek_word ek_wish_ask(const ek_object *o, unsigned percent);
/* Stores it in the object. Under the lock of placement, because passes visit
 * all records, also those of objects that are still being created. */
void ek_wish_set(ek_object *o, ek_word w);
/* Counts it, once the object has its pages. */
void ek_wish_count(ek_word w);

/* Whether neither the plan nor the call says anything about the object. */
bool ek_wish_is_first_touch(const ek_object *o);
/* Whether the system places the object by first touch, for good. */
bool ek_wish_is_systems(const ek_object *o);
/* Whether first touch is kept only while all data fits: hooks must then know
 * where objects lie, and move them. */
bool ek_wish_may_change(void);

/* From now on \p plan decides about the object. Under the locks of objects and
 * of placement. */
void ek_place_follow(ek_object *o, const ek_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
