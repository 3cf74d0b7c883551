/*===- object.h - which object an address belongs to --------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: placed objects by address, in O(1) and without locks (map.h);
 * registered ranges in a small sorted table; ordinals per (site, creator),
 * and per (context, creator).
 * Leaves out: blocks of the C library; where pages lie (place.h).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_OBJECT_H
#define EVENKEEL_RUNTIME_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

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
  uint32_t pass;                 /* migrate.c: the last that met it */
  struct ek_object *next, *prev; /* free list, or list of its group */
} ek_object;

/* What a look-up tells; a copy, so that nothing dangles. */
typedef struct ek_where {
  uint64_t site;
  uint32_t creator, ordinal;
  void *base;
  size_t bytes;
} ek_where;

/* The object that \p p points into. Lock-free; safe against everything but the
 * death of that very object. False: none. */
bool ek_object_find(const void *p, ek_where *out);

/* A record with identity filled in (creator = calling thread), not yet in the
 * map; NULL if there is no memory. */
ek_object *ek_object_new(uint64_t site, uint64_t context, void *base,
                         size_t bytes);
void ek_object_publish(ek_object *o);
/* The record of the placed object that starts at \p p, or NULL. */
ek_object *ek_object_at(const void *p);
/* Map entries follow a change of size in place. */
void ek_object_resize(ek_object *o, size_t bytes);
void ek_object_unpublish(ek_object *o);
void ek_object_delete(ek_object *o);

/* Registers memory that is not ours, with an identity: static storage is one
 * instance, other kinds count per creator. NULL if something registered begins
 * there already (or no memory). */
ek_object *ek_range_add(uint64_t site, uint64_t context, void *p, size_t bytes,
                        ek_range kind);
/* Takes one range that is not static and overlaps [from, to) out of the table;
 * NULL: none. Its record stays, for ek_range_put or ek_object_delete. */
ek_object *ek_range_take(uintptr_t from, uintptr_t to);
/* Puts \p o back, with a new base and size; false: no memory. */
bool ek_range_put(ek_object *o);
/* Whether ek_range_take could find anything at all. */
bool ek_range_any(void);

/* Ordinal of the next instance that \p creator makes at \p site. */
uint32_t ek_next_ordinal(uint64_t site, uint32_t creator);

/* OpenMP thread number; 0 outside parallel regions. */
uint32_t ek_creator(void);
/* Threads of the current team; 1 outside. */
uint32_t ek_team_size(void);

/* Calls \p f on each live object, placed and global, under the lock. */
void ek_objects_each(void (*f)(const ek_object *o, void *data), void *data);

/* The same, for those who hold the lock and may change what is not a look-up's.
 */
void ek_objects_each_locked(void (*f)(ek_object *o, void *data), void *data);

void ek_objects_lock(void);
void ek_objects_unlock(void);

#ifdef __cplusplus
}
#endif
#endif
