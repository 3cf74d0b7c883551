/*===- map.h - from an address to its object ----------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: one entry per granule of the reserved range holds everything that a
 * look-up returns, so a look-up costs one load from memory for any address in
 * the object. Writers need no lock, because a granule belongs to one object.
 * Not here: records, and ranges outside the reserved one (object.h).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_MAP_H
#define EVENKEEL_RUNTIME_MAP_H

#include "objects/record.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Creates the map; before the range is reserved. */
void ek_map_start(void);
/* Asks for huge pages: with many objects, look-ups would miss the TLB. */
void ek_map_grows(void);

/* Sets or clears the entries of [o->base, o->base + o->bytes); no other object
 * may own those granules. */
void ek_map_write(ek_object *o);
void ek_map_erase(const ek_object *o);
/* Changes the entries from o->bytes to \p bytes. */
void ek_map_resize(ek_object *o, size_t bytes);

/* Finds the object at \p p, an address in the reserved range, and copies its
 * entry to \p out. Returns false if there is none. Lock-free. */
bool ek_map_find(uintptr_t p, ek_where *out);
/* The record of the object that has the granule of \p p, or NULL. */
ek_object *ek_map_record(uintptr_t p);
/* The object that begins at \p p, or NULL. */
ek_object *ek_map_at(uintptr_t p);

#ifdef __cplusplus
}
#endif
#endif
