/*===- map.h - from an address of ours to its object --------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: an entry for each granule of the reserved range, which holds all that
 * a look-up tells: one load from memory, wherever in the object the address
 * lies. Written under no lock, as a granule belongs to one object.
 * Leaves out: records and ranges that are not ours (object.h).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_MAP_H
#define EVENKEEL_RUNTIME_MAP_H

#include "objects/record.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Before the range is reserved. */
void ek_map_start(void);
/* There are many objects: random look-ups miss the TLB on small pages. */
void ek_map_grows(void);

/* Granules of [o->base, o->base + o->bytes) are the object's, or nobody's. */
void ek_map_write(ek_object *o);
void ek_map_erase(const ek_object *o);
/* The object has now \p bytes, it had o->bytes. */
void ek_map_resize(ek_object *o, size_t bytes);

/* Of an address in the reserved range. Lock-free. */
bool ek_map_find(uintptr_t p, ek_where *out);
/* The object that begins there, or NULL. */
ek_object *ek_map_at(uintptr_t p);

#ifdef __cplusplus
}
#endif
#endif
