/*===- object.c - the object map ----------------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: records live in slabs that are never unmapped, so that a reader that
 * loses a race reads stale data rather than faults; ordinals; and ranges
 * outside the reserved one, in a sorted array under a sequence lock.
 * Not here: addresses in the reserved range (map.c).
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "objects/object.h"
#include "core/options.h"
#include "core/state.h"
#include "core/stats.h"
#include "objects/chain.h"
#include "objects/extent.h"
#include "objects/map.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HUGE_PAGE ((size_t)2 << 20)
#define FIRST_SLAB ((size_t)48 << 10)

static_assert(sizeof(ek_object) <= 96, "budget: 128 bytes with the map entry");
static_assert(sizeof(ek_object) % EK_RECORD_ALIGN == 0, "records are aligned");

typedef struct slab {
  struct slab *next;
  size_t count;
  __attribute__((aligned(EK_RECORD_ALIGN))) ek_object objects[];
} slab;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static slab *slabs;
static ek_object *free_objects;

void ek_objects_lock(void) { pthread_mutex_lock(&lock); }
void ek_objects_unlock(void) { pthread_mutex_unlock(&lock); }

bool ek_reserve(void) {
  static int state; /* 0: not tried; 1: reserved; 2: failed */
  int now = __atomic_load_n(&state, __ATOMIC_ACQUIRE);
  if (now)
    return now == 1;
  ek_state_lock();
  now = state;
  if (!now) {
    ek_map_start();
    now = ek_extents_reserve(ek_opt.reserve) ? 1 : 2;
    if (now == 2) {
      ek_count(EK_WHY_no_reservation, 1);
      __atomic_store_n(&ek_threshold, SIZE_MAX, __ATOMIC_RELAXED);
      __atomic_store_n(&ek_least, SIZE_MAX, __ATOMIC_RELAXED);
    }
    __atomic_store_n(&state, now, __ATOMIC_RELEASE);
  }
  ek_state_unlock();
  return now == 1;
}

/* Weak: the program may or may not use OpenMP. */
int omp_get_thread_num(void) __attribute__((weak, visibility("default")));
int omp_get_num_threads(void) __attribute__((weak, visibility("default")));

uint32_t ek_creator(void) {
  return omp_get_thread_num ? (uint32_t)omp_get_thread_num() : 0;
}

uint32_t ek_team_size(void) {
  return omp_get_num_threads ? (uint32_t)omp_get_num_threads() : 1;
}

/* --- ordinals: open addressing over (site, creator) ---------------------- */

typedef struct counter {
  uint64_t site;
  uint32_t creator, next;
} counter;

static counter *counters;
static size_t counter_slots, counter_used;

static counter *counter_slot(counter *table, size_t slots, uint64_t site,
                             uint32_t creator) {
  uint64_t h = (site ^ creator) * 0x9e3779b97f4a7c15ULL;
  size_t i = (size_t)(h >> 20) & (slots - 1);
  while (table[i].next &&
         (table[i].site != site || table[i].creator != creator))
    i = (i + 1) & (slots - 1);
  return &table[i];
}

/* `next` is the last ordinal plus one, so 0 marks a free slot. */
static uint32_t next_ordinal(uint64_t site, uint32_t creator) {
  if (counter_used * 2 >= counter_slots) {
    size_t slots = counter_slots ? counter_slots * 2 : 256;
    counter *bigger = calloc(slots, sizeof *bigger);
    if (!bigger && counter_used + 1 >= counter_slots)
      return 0;
    if (bigger) {
      for (size_t i = 0; i < counter_slots; ++i)
        if (counters[i].next)
          *counter_slot(bigger, slots, counters[i].site, counters[i].creator) =
              counters[i];
      free(counters);
      counters = bigger;
      counter_slots = slots;
    }
  }
  counter *c = counter_slot(counters, counter_slots, site, creator);
  if (!c->next) {
    c->site = site;
    c->creator = creator;
    ++counter_used;
  }
  return c->next++;
}

/* Sets the object's identity. A context is a hash that includes the site, so
 * its ordinals are counted as if it were a site. */
static void identify(ek_object *o, uint64_t site, uint64_t context,
                     uint32_t creator) {
  o->site = site;
  o->chain = ek_chain_number(context);
  o->creator = creator;
  o->ordinal = next_ordinal(site, creator);
  o->in_context = o->chain ? next_ordinal(context, creator) : o->ordinal;
}

uint32_t ek_next_ordinal(uint64_t site, uint32_t creator) {
  pthread_mutex_lock(&lock);
  uint32_t n = next_ordinal(site, creator);
  pthread_mutex_unlock(&lock);
  return n;
}

/* --- records -------------------------------------------------------------- */

/* The first slab takes a few pages. Programs with more objects get huge pages,
 * for records and map. */
static slab *new_slab(void) {
  const int access = PROT_READ | PROT_WRITE;
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS;
  if (!slabs) {
    void *p = mmap(NULL, FIRST_SLAB, access, flags, -1, 0);
    return p == MAP_FAILED ? NULL : p;
  }
  char *p = mmap(NULL, 2 * HUGE_PAGE, access, flags, -1, 0);
  if (p == MAP_FAILED)
    return NULL;
  size_t before = -(uintptr_t)p & (HUGE_PAGE - 1);
  if (before)
    munmap(p, before);
  munmap(p + before + HUGE_PAGE, HUGE_PAGE - before);
  madvise(p + before, HUGE_PAGE, MADV_HUGEPAGE);
  if (!slabs->next)
    ek_map_grows();
  return (slab *)(p + before);
}

static ek_object *take_record(void) {
  if (!free_objects) {
    size_t bytes = slabs ? HUGE_PAGE : FIRST_SLAB;
    slab *s = new_slab();
    if (!s)
      return NULL;
    s->next = slabs;
    s->count = (bytes - sizeof *s) / sizeof *s->objects;
    slabs = s;
    for (size_t i = s->count; i-- > 0;) {
      s->objects[i].next = free_objects;
      free_objects = &s->objects[i];
    }
  }
  ek_object *o = free_objects;
  free_objects = o->next;
  memset(o, 0, sizeof *o);
  return o;
}

static void begin(ek_object *o, void *base, size_t bytes) {
  o->base = (uintptr_t)base;
  o->bytes = o->peak_bytes = bytes;
  o->percent = EK_NO_FAST;
  o->alloc_phase = __atomic_load_n(&ek_phase_now, __ATOMIC_RELAXED);
}

/* Updates the largest size so far. */
static void grown(ek_object *o) {
  if (o->bytes > o->peak_bytes)
    o->peak_bytes = o->bytes;
}

/* As of all small blocks of its site. */
static void identify_segment(ek_object *o, uint64_t site, uint64_t context,
                             uint32_t creator) {
  o->site = site;
  o->chain = ek_chain_number(context);
  o->creator = creator;
  o->ordinal = o->in_context = EK_SMALL_BLOCKS;
  o->range = EK_SMALLS;
}

static ek_object *
new_object(void (*name)(ek_object *, uint64_t, uint64_t, uint32_t),
           uint64_t site, uint64_t context, void *base, size_t bytes) {
  uint32_t creator = ek_creator();
  pthread_mutex_lock(&lock);
  ek_object *o = take_record();
  if (o) {
    name(o, site, context, creator);
    begin(o, base, bytes);
  }
  pthread_mutex_unlock(&lock);
  return o;
}

ek_object *ek_object_new(uint64_t site, uint64_t context, void *base,
                         size_t bytes) {
  return new_object(identify, site, context, base, bytes);
}

ek_object *ek_object_segment(uint64_t site, uint64_t context, void *base,
                             size_t bytes) {
  return new_object(identify_segment, site, context, base, bytes);
}

void ek_object_delete(ek_object *o) {
  pthread_mutex_lock(&lock);
  __atomic_store_n(&o->bytes, 0, __ATOMIC_RELAXED);
  o->next = free_objects;
  free_objects = o;
  pthread_mutex_unlock(&lock);
}

void ek_object_publish(ek_object *o) {
  grown(o);
  ek_map_write(o);
}

void ek_object_unpublish(ek_object *o) { ek_map_erase(o); }

void ek_object_resize(ek_object *o, size_t bytes) {
  ek_map_resize(o, bytes);
  __atomic_store_n(&o->bytes, bytes, __ATOMIC_RELAXED);
  grown(o);
}

ek_object *ek_object_at(const void *p) {
  return ek_in_reserved(p) ? ek_map_at((uintptr_t)p) : NULL;
}

/* --- ranges outside the reserved one ---------------------------------------
 */

typedef struct range_entry {
  uintptr_t base, end;
  ek_object *object;
} range_entry;

static range_entry *ranges; /* sorted by base; old arrays are never freed */
static size_t range_count, range_slots, removable_count;
static unsigned range_sequence; /* odd: being modified */

static void put_entry(range_entry *e, range_entry v) {
  __atomic_store_n(&e->base, v.base, __ATOMIC_RELAXED);
  __atomic_store_n(&e->end, v.end, __ATOMIC_RELAXED);
  __atomic_store_n(&e->object, v.object, __ATOMIC_RELAXED);
}

/* The first entry with a base of \p p or above. Under the lock. */
static size_t range_at(uintptr_t p) {
  size_t low = 0, high = range_count;
  while (low < high) {
    size_t mid = low + (high - low) / 2;
    if (ranges[mid].base < p)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

static bool make_room(void) {
  if (range_count < range_slots)
    return true;
  size_t slots = range_slots ? range_slots * 2 : 64;
  range_entry *bigger = malloc(slots * sizeof *bigger);
  if (!bigger)
    return false;
  if (range_count)
    memcpy(bigger, ranges, range_count * sizeof *bigger);
  __atomic_store_n(&ranges, bigger, __ATOMIC_RELEASE);
  range_slots = slots;
  return true;
}

static void insert_range(size_t at, ek_object *o) {
  __atomic_fetch_add(&range_sequence, 1, __ATOMIC_SEQ_CST);
  for (size_t i = range_count; i > at; --i)
    put_entry(&ranges[i], ranges[i - 1]);
  put_entry(&ranges[at], (range_entry){o->base, o->base + o->bytes, o});
  __atomic_store_n(&range_count, range_count + 1, __ATOMIC_RELEASE);
  __atomic_fetch_add(&range_sequence, 1, __ATOMIC_SEQ_CST);
  if (o->range != EK_FIXED)
    __atomic_fetch_add(&removable_count, 1, __ATOMIC_RELEASE);
}

ek_object *ek_range_add(uint64_t site, uint64_t context, void *p, size_t bytes,
                        ek_range kind) {
  ek_object *o = NULL;
  uint32_t creator = kind == EK_FIXED ? 0 : ek_creator();
  pthread_mutex_lock(&lock);
  size_t at = range_at((uintptr_t)p);
  if ((at == range_count || ranges[at].base != (uintptr_t)p) && make_room() &&
      (o = take_record())) {
    o->site = site;
    begin(o, p, bytes);
    o->range = (uint8_t)kind;
    if (kind != EK_FIXED)
      identify(o, site, context, creator);
    insert_range(at, o);
  }
  pthread_mutex_unlock(&lock);
  return o;
}

ek_object *ek_range_take(uintptr_t from, uintptr_t to) {
  ek_object *o = NULL;
  pthread_mutex_lock(&lock);
  size_t at = range_at(from);
  if (at > 0 && ranges[at - 1].end > from)
    --at;
  while (at < range_count && ranges[at].base < to &&
         ranges[at].object->range == EK_FIXED)
    ++at;
  if (at < range_count && ranges[at].base < to) {
    o = ranges[at].object;
    __atomic_fetch_add(&range_sequence, 1, __ATOMIC_SEQ_CST);
    for (size_t i = at + 1; i < range_count; ++i)
      put_entry(&ranges[i - 1], ranges[i]);
    __atomic_store_n(&range_count, range_count - 1, __ATOMIC_RELEASE);
    __atomic_fetch_add(&range_sequence, 1, __ATOMIC_SEQ_CST);
    __atomic_fetch_sub(&removable_count, 1, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&lock);
  return o;
}

bool ek_range_put(ek_object *o) {
  pthread_mutex_lock(&lock);
  size_t at = range_at(o->base);
  bool free_there = at == range_count || ranges[at].base != o->base;
  bool ok = free_there && make_room();
  grown(o);
  if (ok)
    insert_range(at, o);
  pthread_mutex_unlock(&lock);
  return ok;
}

bool ek_range_any(void) {
  return __atomic_load_n(&removable_count, __ATOMIC_ACQUIRE) != 0;
}

static ek_object *find_range(uintptr_t p) {
  for (;;) {
    unsigned before = __atomic_load_n(&range_sequence, __ATOMIC_ACQUIRE);
    if (before & 1)
      continue;
    size_t low = 0, high = __atomic_load_n(&range_count, __ATOMIC_ACQUIRE);
    range_entry *table = __atomic_load_n(&ranges, __ATOMIC_ACQUIRE);
    while (low < high) { /* first entry above p */
      size_t mid = low + (high - low) / 2;
      if (__atomic_load_n(&table[mid].base, __ATOMIC_RELAXED) <= p)
        low = mid + 1;
      else
        high = mid;
    }
    ek_object *found = NULL;
    if (low > 0 && p < __atomic_load_n(&table[low - 1].end, __ATOMIC_RELAXED))
      found = __atomic_load_n(&table[low - 1].object, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (__atomic_load_n(&range_sequence, __ATOMIC_RELAXED) == before)
      return found;
  }
}

bool ek_object_find(const void *p, ek_where *out) {
  uintptr_t a = (uintptr_t)p;
  if (ek_in_reserved(p))
    return ek_map_find(a, out);
  ek_object *o = find_range(a);
  if (!o || a - o->base >= __atomic_load_n(&o->bytes, __ATOMIC_RELAXED))
    return false;
  *out = (ek_where){o->site, o->creator, o->ordinal, (void *)o->base, o->bytes};
  return true;
}

uint64_t ek_object_site(const void *p) {
  ek_where where;
  return ek_object_find(p, &where) ? where.site : 0;
}

void ek_objects_each_locked(void (*f)(ek_object *o, void *data), void *data) {
  for (slab *s = slabs; s; s = s->next)
    for (size_t i = 0; i < s->count; ++i)
      if (s->objects[i].bytes)
        f(&s->objects[i], data);
}

ek_told ek_object_told(const ek_object *o) {
  return (ek_told){.site = o->site,
                   .context = ek_chain_context(o->chain),
                   .base = o->base,
                   .bytes = o->bytes,
                   .peak_bytes = o->peak_bytes,
                   .creator = o->creator,
                   .ordinal = o->ordinal,
                   .in_context = o->in_context,
                   .alloc_phase = o->alloc_phase,
                   .fast_pages = o->fast_pages,
                   .slow_pages = o->slow_pages,
                   .short_pages = o->short_pages};
}

void ek_objects_tell(void (*f)(const ek_told *o, void *data), void *data) {
  pthread_mutex_lock(&lock);
  for (slab *s = slabs; s; s = s->next)
    for (size_t i = 0; i < s->count; ++i)
      if (s->objects[i].bytes && s->objects[i].range != EK_SMALLS) {
        const ek_told o = ek_object_told(&s->objects[i]);
        f(&o, data);
      }
  pthread_mutex_unlock(&lock);
}
