/*===- record.h - the record of one object ------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: an object's identity (site, context, creator, ordinals), its address
 * range, and its placement state.
 * Not here: how records are found (object.h, map.h).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_RECORD_H
#define EVENKEEL_RUNTIME_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ek_plan_object;

#define EK_NO_FAST 255u /* the call says nothing about the fast tier */
#define EK_PIN 256u     /* added to the percentage by EK_PINNED */

/* What kind of memory an object occupies: our own extent, static storage, an
 * anonymous mapping of the program, memory that another library allocated, or
 * the used part of a segment of an arena (arenas/arena.h). */
typedef enum ek_range {
  EK_OWN,
  EK_FIXED,
  EK_MAPPED,
  EK_OTHER,
  EK_SMALLS
} ek_range;

/* The ordinal of all small blocks of a site, as in format/ek_raw.h. */
#define EK_SMALL_BLOCKS UINT32_MAX

/* Alignment of records; map.c uses the low bits of their addresses. */
#define EK_RECORD_ALIGN 32

typedef struct ek_object {
  uint64_t site;
  uintptr_t base;
  size_t bytes; /* as requested; 0: the record is free */
  uint32_t creator, ordinal;
  uint32_t chain;      /* number of the context (chain.h); 0: none */
  uint32_t in_context; /* ordinal within the context */

  size_t peak_bytes; /* largest size so far */
  uint32_t alloc_phase;
  uint8_t percent;    /* EK_FAST of the call, or EK_NO_FAST */
  uint8_t range;      /* an ek_range */
  uint8_t list : 7;   /* the ek_list of its group that contains it */
  bool looked : 1;    /* unseen: a look came before its pages were touched */
  bool accounted : 1; /* it is charged to the tiers */
  bool pinned : 1;    /* the user placed it */
  bool recheck : 1;   /* its plan has changed since it was placed */
  bool unseen : 1;    /* no look has yet shown where its pages lie */
  bool leaving : 1;   /* it is being freed */
  bool as_placed : 1; /* all wishes were granted, and no page moved since */
  uint8_t tries : 2;  /* passes in which none of its pages moved */
  struct ek_plan_object *plan; /* its entry; NULL: not in the plan */
  /* Whole pages: charged to the first tier; charged to the last tier; wanted in
   * the fast tier but lying elsewhere. */
  uint32_t fast_pages, slow_pages, short_pages;
  uint32_t pass;                 /* last pass that visited it (moves/pass.c) */
  struct ek_object *next, *prev; /* free list, or a list of its group */
} ek_object;

/* The result of a look-up: a copy, so that it stays valid. */
typedef struct ek_where {
  uint64_t site;
  uint32_t creator, ordinal;
  void *base;
  size_t bytes;
} ek_where;

#endif
