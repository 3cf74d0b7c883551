/*===- object.h - finding the object of an address ----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: placed objects by address, in O(1) and without locks (map.h);
 * registered ranges, in a small sorted table; ordinals per (site, creator) and
 * per (context, creator).
 * Not here: blocks of the C library; where pages lie (placement/).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_OBJECT_H
#define EVENKEEL_RUNTIME_OBJECT_H

#include "core/events.h"
#include "objects/record.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reserves address space, when the first object is allocated: a program without
 * placed objects may limit its own (RLIMIT_AS). Returns false if that fails.
 * Thread-safe. */
bool ek_reserve(void);

/* Finds the object that contains \p p; false: none. Lock-free. The result is
 * undefined, but harmless, if that object is freed at the same time. */
bool ek_object_find(const void *p, ek_where *out);

/* The site of the object that contains \p p; 0: none. */
uint64_t ek_object_site(const void *p);

/* Creates a record with its identity (creator = calling thread) that is not yet
 * in the map; NULL: no memory. The caller frees it with ek_object_delete. */
ek_object *ek_object_new(uint64_t site, uint64_t context, void *base,
                         size_t bytes);
/* The same for a segment of an arena: [base, base + bytes) begins a granule. It
 * has no ordinal, so that those of large blocks do not depend on it. */
ek_object *ek_object_segment(uint64_t site, uint64_t context, void *base,
                             size_t bytes);
void ek_object_publish(ek_object *o);
/* The record of the placed object that begins at \p p, or NULL. */
ek_object *ek_object_at(const void *p);
/* Updates the map after a change of size in place. */
void ek_object_resize(ek_object *o, size_t bytes);
void ek_object_unpublish(ek_object *o);
void ek_object_delete(ek_object *o);

/* Registers memory outside the reserved range, with an identity: static storage
 * is one instance, other kinds have ordinals per creator. Returns NULL if a
 * registered range begins there already, or there is no memory. */
ek_object *ek_range_add(uint64_t site, uint64_t context, void *p, size_t bytes,
                        ek_range kind);
/* Removes one range that overlaps [from, to) and is not static from the table,
 * and returns it; NULL: none. The caller passes the record to ek_range_put or
 * ek_object_delete. */
ek_object *ek_range_take(uintptr_t from, uintptr_t to);
/* Inserts \p o again, with its new base and size. Returns false if there is no
 * memory, or a range that begins there. */
bool ek_range_put(ek_object *o);
/* Whether the table contains any range that is not static. */
bool ek_range_any(void);

/* The ordinal of the next instance that \p creator allocates at \p site. */
uint32_t ek_next_ordinal(uint64_t site, uint32_t creator);

/* OpenMP thread number; 0 outside parallel regions. */
uint32_t ek_creator(void);
/* The number of threads of the current team; 1 outside teams. */
uint32_t ek_team_size(void);

/* The object's state as events report it. */
ek_told ek_object_told(const ek_object *o);

static inline void ek_tell_freed_object(const ek_object *o) {
  if (!ek_hears(freed))
    return;
  const ek_told told = ek_object_told(o);
  ek_tell_freed(&told);
}

/* Calls \p f for each live object, placed or registered, apart from segments of
 * arenas: their sizes are not those of blocks. Takes the lock. */
void ek_objects_tell(void (*f)(const ek_told *o, void *data), void *data);

/* The same for callers that hold the lock. \p f may change members of records
 * that look-ups do not read. */
void ek_objects_each_locked(void (*f)(ek_object *o, void *data), void *data);

void ek_objects_lock(void);
void ek_objects_unlock(void);

#ifdef __cplusplus
}
#endif
#endif
