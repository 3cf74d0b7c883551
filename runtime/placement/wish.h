/*===- wish.h - where an object is wanted -------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: who decides: what people wrote (pinned), the plan's entry, the share
 * of the call, or nobody: then it lies where it is first touched.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_WISH_H
#define EVENKEEL_RUNTIME_WISH_H

#include "objects/record.h"
#include "placement/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is said of a new object. */
typedef struct ek_word {
  ek_plan_object *entry;
  uint8_t percent;
  bool pinned;
} ek_word;

/* What the plan and the call (percent as in EK_FAST) say of the object. */
ek_word ek_wish_ask(const ek_object *o, unsigned percent);
/* The object is wanted there. Passes go over all records, also of objects that
 * are being made: under the lock. */
void ek_wish_set(ek_object *o, ek_word w);
/* Of an object that has got its pages. */
void ek_wish_count(ek_word w);

/* Nobody says anything of the object. */
bool ek_wish_is_first_touch(const ek_object *o);
/* First touch is the system's business, and stays it. */
bool ek_wish_is_systems(const ek_object *o);
/* First touch is kept as long as all fits: hooks have to know where objects
 * lie, and to move them. */
bool ek_wish_may_change(void);

/* The object is wanted where \p plan says from now on; under the locks of
 * objects and of placement. */
void ek_place_follow(ek_object *o, const ek_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
