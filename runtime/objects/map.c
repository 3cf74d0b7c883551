/*===- map.c - the object map's entries ---------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: entries of 32 bytes, two per cache line. Addresses have at most 48
 * bits, so the upper bits of two words hold the granule where the object
 * begins. Its offset in that granule is one of few colours (colour.h), kept in
 * the low bits of the record's address. A reader that races with the freeing of
 * the object it asks for may read a mixture, but nothing outside the map.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "objects/map.h"
#include "objects/colour.h"
#include "objects/extent.h"
#include "objects/pages.h"

#include <assert.h>

typedef struct entry {
  uint64_t site;
  uint64_t size;   /* the object's, 0: none; upper bits: bits 16-31 of base */
  uint64_t who;    /* creator; upper half: ordinal */
  uint64_t record; /* its address; upper bits: bits 32-47 of the base; low
                    * bits: the colour */
} __attribute__((aligned(32))) entry;

static_assert(sizeof(entry) == 32, "no entry lies in two cache lines");

#define LOW (((uint64_t)1 << 48) - 1)
#define COLOUR ((1u << EK_COLOUR_BITS) - 1)
static_assert(EK_RECORD_ALIGN > COLOUR, "a record's low bits are free");
/* In the size field: see the object's first entry. Used once the object was
 * resized in place, so that further resizes need not rewrite every entry. */
#define AT_BASE LOW

static entry *map;

void ek_map_start(void) { ek_pages_table(&map, sizeof *map); }

void ek_map_grows(void) { ek_pages_large_tables(); }

static entry *entry_of(uintptr_t p) {
  return &map[(p - ek_reserved.base) >> EK_GRANULE_SHIFT];
}

/* The entry after the first \p bytes of an object. */
static entry *end_of(const ek_object *o, size_t bytes) {
  return entry_of(o->base + bytes + EK_GRANULE - 1);
}

static void put(uint64_t *word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

static uint64_t get(const uint64_t *word) {
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static uint64_t size_word(const ek_object *o, uint64_t size) {
  return size | (uint64_t)o->base >> EK_GRANULE_SHIFT << 48;
}

static void put_size(entry *e, const ek_object *o, uint64_t size) {
  __atomic_store_n(&e->size, size_word(o, size), __ATOMIC_RELEASE);
}

static void write_entries(entry *from, const entry *to, ek_object *o,
                          uint64_t size) {
  for (; from < to; ++from) {
    put(&from->site, o->site);
    put(&from->who, o->creator | (uint64_t)o->ordinal << 32);
    put(&from->record, (uint64_t)(uintptr_t)o | ek_colour_of(o->base) |
                           (uint64_t)o->base >> 32 << 48);
    put_size(from, o, size);
  }
}

static void erase_entries(entry *from, const entry *to) {
  for (; from < to; ++from)
    __atomic_store_n(&from->size, 0, __ATOMIC_RELEASE);
}

void ek_map_write(ek_object *o) {
  write_entries(entry_of(o->base), end_of(o, o->bytes), o, o->bytes);
}

void ek_map_erase(const ek_object *o) {
  erase_entries(entry_of(o->base), end_of(o, o->bytes));
}

void ek_map_resize(ek_object *o, size_t bytes) {
  entry *first = entry_of(o->base), *old_end = end_of(o, o->bytes),
        *end = end_of(o, bytes), *last = old_end - 1;
  put_size(first, o, bytes);
  if (last > first && (get(&last->size) & LOW) != AT_BASE)
    for (entry *e = first + 1; e < old_end && e < end; ++e)
      put_size(e, o, AT_BASE);
  write_entries(old_end, end, o, AT_BASE);
  erase_entries(end, old_end);
}

static uintptr_t base_of(uint64_t size, uint64_t record) {
  return (uintptr_t)(size >> 48 << EK_GRANULE_SHIFT | record >> 48 << 32) +
         ek_colour_bytes(record & COLOUR);
}

bool ek_map_find(uintptr_t p, ek_where *out) {
  const entry *e = entry_of(p);
  uint64_t size = __atomic_load_n(&e->size, __ATOMIC_ACQUIRE);
  if (!(size & LOW))
    return false;
  uintptr_t base = base_of(size, get(&e->record));
  uint64_t bytes = size & LOW, who = get(&e->who);
  if (bytes == AT_BASE)
    bytes = ek_in_reserved((void *)base) ? get(&entry_of(base)->size) & LOW : 0;
  if (p - base >= bytes)
    return false;
  *out = (ek_where){get(&e->site), (uint32_t)who, (uint32_t)(who >> 32),
                    (void *)base, (size_t)bytes};
  return true;
}

static ek_object *record_in(uint64_t word) {
  return (ek_object *)(uintptr_t)(word & LOW & ~(uint64_t)COLOUR);
}

ek_object *ek_map_record(uintptr_t p) {
  const entry *e = entry_of(p);
  return __atomic_load_n(&e->size, __ATOMIC_ACQUIRE) & LOW
             ? record_in(get(&e->record))
             : NULL;
}

ek_object *ek_map_at(uintptr_t p) {
  const entry *e = entry_of(p);
  uint64_t size = __atomic_load_n(&e->size, __ATOMIC_ACQUIRE);
  uint64_t record = get(&e->record);
  return size & LOW && base_of(size, record) == p ? record_in(record) : NULL;
}
