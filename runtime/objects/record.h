/*===- record.h - what is known of one object ---------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: who an object is (site, context, creator, ordinals), where it lies,
 * and what placement keeps of it. Leaves out: how records are found (object.h,
 * map.h).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_RECORD_H
#define EVENKEEL_RUNTIME_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ek_plan_object;

#define EK_NO_FAST 255u /* the call says nothing about the fast tier */
#define EK_PIN 256u     /* added to the percentage by EK_PINNED */

/* Whose memory an object is: an extent of ours, static storage, an anonymous
 * mapping of the program, or what another library allocated. */
typedef enum ek_range { EK_OWN, EK_FIXED, EK_MAPPED, EK_OTHER } ek_range;

/* Records lie at multiples of it; map.c uses the bits below. */
#define EK_RECORD_ALIGN 32

typedef struct ek_object {
  uint64_t site;
  uintptr_t base;
  size_t bytes; /* as asked for; 0: the record is free */
  uint32_t creator, ordinal;
  uint32_t chain;      /* of wrapper calls (chain.h); 0: none was open */
  uint32_t in_context; /* ordinal among the chain's */

  size_t peak_bytes; /* largest size so far */
  uint32_t alloc_phase;
  uint8_t percent;  /* EK_FAST of the call, or EK_NO_FAST */
  uint8_t range;    /* ek_range: EK_OWN, or whose memory it is */
  uint8_t list : 7; /* ek_list: of its group, that it is in */
  bool looked : 1;  /* unseen, as a look came before its pages were touched */
  /* Tier sizes are charged for it; people placed it; its plan has changed
   * since; nobody has looked yet where its pages came to lie; it is being given
   * back.
   */
  bool accounted : 1, pinned : 1, recheck : 1, unseen : 1, leaving : 1;
  bool as_placed : 1; /* all wishes were granted, no page moved since */
  uint8_t tries : 2;  /* passes in which no page of it moved */
  struct ek_plan_object *plan; /* NULL: not named */
  /* Whole pages: charged to the first and to the last tier; wanted fast, but
   * elsewhere. */
  uint32_t fast_pages, slow_pages, short_pages;
  uint32_t pass;                 /* moves/pass.c: the last that met it */
  struct ek_object *next, *prev; /* free list, or list of its group */
} ek_object;

/* What a look-up tells; a copy, so that nothing dangles. */
typedef struct ek_where {
  uint64_t site;
  uint32_t creator, ordinal;
  void *base;
  size_t bytes;
} ek_where;

#endif
