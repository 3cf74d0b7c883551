/*===- object.h - which object an address belongs to --------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: placed objects by address, in O(1) and without locks (map.h);
 * registered ranges in a small sorted table; ordinals per (site, creator),
 * and per (context, creator).
 * Leaves out: blocks of the C library; where pages lie (placement/).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_OBJECT_H
#define EVENKEEL_RUNTIME_OBJECT_H

#include "core/events.h"
#include "objects/record.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Address space for objects, made before the first: a program without any may
 * limit its own (RLIMIT_AS). False: there is none. Any thread. */
bool ek_reserve(void);

/* The object that \p p points into. Lock-free; safe against everything but the
 * death of that very object. False: none. */
bool ek_object_find(const void *p, ek_where *out);

/* The site of that object; 0: none. */
uint64_t ek_object_site(const void *p);

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

/* The object as observers are told of it. */
ek_told ek_object_told(const ek_object *o);

static inline void ek_tell_freed_object(const ek_object *o) {
  if (!ek_hears(freed))
    return;
  const ek_told told = ek_object_told(o);
  ek_tell_freed(&told);
}

/* Tells \p f of each live object, placed and global, under the lock. */
void ek_objects_tell(void (*f)(const ek_told *o, void *data), void *data);

/* The same, for those who hold the lock and may change what is not a look-up's.
 */
void ek_objects_each_locked(void (*f)(ek_object *o, void *data), void *data);

void ek_objects_lock(void);
void ek_objects_unlock(void);

#ifdef __cplusplus
}
#endif
#endif
