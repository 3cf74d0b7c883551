/*===- rows.c - a table whose hot rows lie in fast memory ---------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the interface of evenkeel/ek_rows.h, and when rows are exchanged. The
 * slab is an object like others, pinned to the fast tier, so it counts in the
 * tier's account; it has as many slots as lie there.
 * A row enters the slab in place of the one with the least weight if it is
 * expected to have more look-ups than that one, by what two copies cost and by
 * one standard deviation of what the sample can tell. Only rows of the last
 * step's sample are considered: the weight of no other has grown.
 *===----------------------------------------------------------------------===*/
#include "rows/rows.h"
#include "core/reserved.h"
#include "core/state.h"
#include "core/stats.h"
#include "core/tuning.h"
#include "evenkeel/ek_rows.h"
#include "objects/object.h"
#include "placement/place.h"
#include "providers/provider.h"
#include "rows/samples.h"
#include "rows/slab.h"
#include "rows/weights.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

enum { LINE = 64, MOST_SLOTS = 1 << 30 };

typedef struct candidate {
  float weight; /* raw */
  uint32_t row;
} candidate;

typedef struct row_table {
  ek_rows head; /* first: what programs have a pointer to */
  ek_size rows;
  void *own; /* the home's memory, if it is ours */
  ek_weights weights;
  ek_slab slab;
  ek_row_samples samples;
  candidate *candidates;
  unsigned warm_up, budget, flags;
  float decay;
  uint64_t steps, sampled, sampled_fast;
  double step_fast;
  bool stepping;
  struct row_table *next;
} row_table;

static row_table *tables; /* that are open */
static unsigned at_hooks;
typedef struct rows_sums {
  uint64_t tables, slots, slab_bytes; /* of all that were opened */
  uint64_t steps, sampled, sampled_fast, entered, left, copied_bytes;
} rows_sums;

static rows_sums sums; /* the second row: of those that are closed */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void ek_rows_lock(void) { pthread_mutex_lock(&lock); }
void ek_rows_unlock(void) { pthread_mutex_unlock(&lock); }

/* Adds what a table has counted to \p to. */
static void add_sums(const row_table *t, rows_sums *to) {
  to->steps += t->steps;
  to->sampled += t->sampled;
  to->sampled_fast += t->sampled_fast;
  to->entered += t->slab.entered;
  to->left += t->slab.left;
  to->copied_bytes += t->slab.copied_bytes;
}

/* --- open and close ----------------------------------------------------------
 */

static bool is_right(const ek_rows_options *o) {
  return o->size == sizeof *o && o->decay >= 0 && o->decay < 1 &&
         !(o->flags & ~(EK_ROWS_READ_ONLY | EK_ROWS_AT_HOOKS));
}

static bool make_home(row_table *t, const ek_rows_options *o) {
  t->head.home = o->home;
  if (o->home)
    return true;
  t->own = ek_calloc_at(o->site, EK_PINNED(0),
                        t->rows * t->head.row_bytes + LINE, 1);
  t->head.home =
      (char *)(((uintptr_t)t->own + LINE - 1) & ~(uintptr_t)(LINE - 1));
  return t->own;
}

/* Bytes from the beginning of the block that lie in the fast tier. */
static size_t fast_bytes_of(const void *p) {
  const ek_object *o = ek_object_at(p);
  if (!o || ek_tier_count < 2)
    return 0;
  ek_place_lock();
  const size_t bytes = o->fast_pages * EK_PAGE_BYTES;
  ek_place_unlock();
  return bytes < o->bytes ? bytes : o->bytes;
}

/* Allocates the slab. If the fast tier has less room, a smaller one. Returns
 * its bytes; 0: none. */
static size_t make_slab_memory(row_table *t, ek_id site, size_t bytes) {
  for (int tries = 0; tries < 3 && bytes >= t->head.row_bytes; ++tries) {
    t->head.slab = ek_memalign_at(site, EK_PINNED(100), EK_PAGE_BYTES, bytes);
    const size_t fast = t->head.slab ? fast_bytes_of(t->head.slab) : 0;
    if (fast == bytes)
      return bytes;
    ek_free(t->head.slab);
    t->head.slab = NULL;
    bytes = fast;
  }
  return 0;
}

static bool make_slab(row_table *t, const ek_rows_options *o) {
  const size_t d = t->head.row_bytes;
  const size_t asked = o->fast_bytes ? o->fast_bytes : t->rows * d / 8;
  size_t slots = asked / d;
  slots = slots < t->rows ? slots : t->rows;
  slots = slots < MOST_SLOTS ? slots : MOST_SLOTS;
  slots = make_slab_memory(t, o->site, slots * d) / d;
  if (!slots && t->rows)
    ek_count(EK_WHY_rows_no_slab, 1);
  size_t kept = slots / 2;
  kept = kept < EK_ROWS_LEAST_KEPT ? EK_ROWS_LEAST_KEPT : kept;
  kept = kept > EK_ROWS_MOST_KEPT ? EK_ROWS_MOST_KEPT : kept;
  t->warm_up = o->warm_up ? o->warm_up : EK_ROWS_WARM_UP;
  t->budget = o->budget ? o->budget : (unsigned)(slots / 8 + 1);
  t->decay = (float)(o->decay > 0 ? o->decay : EK_ROWS_DECAY);
  t->flags = o->flags;
  t->slab.head = &t->head;
  t->slab.weights = &t->weights;
  t->slab.read_only = o->flags & EK_ROWS_READ_ONLY;
  t->candidates = calloc(kept, sizeof *t->candidates);
  return t->candidates && ek_slab_make(&t->slab, (uint32_t)slots) &&
         ek_row_samples_make(&t->samples, (uint32_t)kept) &&
         ek_weights_make(&t->weights, slots ? t->rows : 0);
}

static void free_table(row_table *t) {
  ek_slab_free(&t->slab);
  ek_weights_free(&t->weights);
  ek_row_samples_free(&t->samples);
  ek_free(t->head.slab);
  ek_free(t->own);
  free(t->candidates);
  free(t->head.in_slab);
  free(t);
}

static row_table *new_table(ek_size rows, ek_size row_bytes,
                            const ek_rows_options *o) {
  row_table *t = calloc(1, sizeof *t);
  if (!t)
    return NULL;
  t->rows = rows;
  t->head.row_bytes = row_bytes;
  t->slab.head = &t->head;
  t->head.in_slab = calloc(rows / 64 + 1, sizeof *t->head.in_slab);
  if (t->head.in_slab && make_home(t, o) && make_slab(t, o))
    return t;
  free_table(t);
  return NULL;
}

EXPORT int ek_rows_open(ek_rows **table, ek_size rows, ek_size row_bytes,
                        const ek_rows_options *options) {
  ek_rows_options o = {.size = sizeof o};
  if (!table || !row_bytes || (options && !is_right(options)))
    return EINVAL;
  if (options)
    o = *options;
  o.site = o.site ? o.site : 1;
  if (rows > UINT32_MAX || rows > (PTRDIFF_MAX - LINE) / row_bytes)
    return EOVERFLOW;
  const int saved = errno;
  ek_start();
  row_table *t = new_table(rows, row_bytes, &o);
  errno = saved;
  if (!t)
    return ENOMEM;
  ek_rows_lock();
  t->next = tables;
  tables = t;
  if (t->flags & EK_ROWS_AT_HOOKS)
    __atomic_fetch_add(&at_hooks, 1, __ATOMIC_RELAXED);
  ++sums.tables;
  sums.slots += t->slab.slots;
  sums.slab_bytes += t->slab.slots * row_bytes;
  ek_rows_unlock();
  *table = &t->head;
  return 0;
}

EXPORT void ek_rows_close(ek_rows *table) {
  row_table *const t = (row_table *)table;
  if (!t)
    return;
  const int saved = errno;
  ek_rows_lock();
  for (row_table **at = &tables; *at; at = &(*at)->next) {
    if (*at == t) {
      *at = t->next;
      break;
    }
  }
  if (t->flags & EK_ROWS_AT_HOOKS)
    __atomic_fetch_sub(&at_hooks, 1, __ATOMIC_RELAXED);
  if (!t->own)
    ek_slab_empty(&t->slab);
  add_sums(t, &sums);
  ek_rows_unlock();
  free_table(t);
  errno = saved;
}

/* --- a step ------------------------------------------------------------------
 */

EXPORT unsigned ek_rows_looked_up(const ek_rows *table, ek_size row) {
  row_table *const t = (row_table *)table;
  return ek_row_samples_add(&t->samples, (uint32_t)row,
                            ek_slab_has(table, row));
}

static int by_row(const void *a, const void *b) {
  const uint32_t x = ((const candidate *)a)->row,
                 y = ((const candidate *)b)->row;
  return (x > y) - (x < y);
}

static int by_weight(const void *a, const void *b) {
  const float x = ((const candidate *)a)->weight,
              y = ((const candidate *)b)->weight;
  return x == y ? by_row(a, b) : x < y ? 1 : -1;
}

/* Adds the sample to the weights. Returns the number of its rows outside the
 * slab, which are then the candidates, the heaviest first. */
static size_t weigh(row_table *t) {
  const uint32_t kept = ek_row_samples_kept(&t->samples);
  const float each = ek_row_samples_each(&t->samples);
  size_t count = 0, different = 0;
  for (uint32_t i = 0; i < kept; ++i) {
    const uint32_t row = t->samples.rows[i];
    ek_weights_add(&t->weights, row, each);
    if (!ek_slab_has(&t->head, row))
      t->candidates[count++].row = row;
  }
  qsort(t->candidates, count, sizeof *t->candidates, by_row);
  for (size_t i = 0; i < count; ++i)
    if (!i || t->candidates[i].row != t->candidates[i - 1].row)
      t->candidates[different++].row = t->candidates[i].row;
  for (size_t i = 0; i < different; ++i)
    t->candidates[i].weight = ek_weights_raw(&t->weights, t->candidates[i].row);
  qsort(t->candidates, different, sizeof *t->candidates, by_weight);
  return different;
}

/* Whether look-ups that are expected to get faster outweigh the copies. */
static bool pays(const row_table *t, float weight, float other, float each) {
  const float mine = weight / t->weights.unit, its = other / t->weights.unit;
  return mine - its > (float)EK_ROWS_COST &&
         mine - its > sqrtf(each * (mine + its));
}

static void exchange(row_table *t, size_t candidates, float each) {
  for (size_t i = 0; i < candidates && i < t->budget; ++i) {
    const candidate *c = &t->candidates[i];
    if (t->slab.used < t->slab.slots) {
      if (!pays(t, c->weight, 0, 0))
        return;
      ek_slab_enter(&t->slab, c->row);
    } else if (pays(t, c->weight, ek_slab_least(&t->slab), each)) {
      ek_slab_exchange(&t->slab, c->row);
    } else {
      return;
    }
  }
}

static void follow(row_table *t) {
  const uint64_t seen = t->samples.seen, fast = t->samples.seen_fast;
  const float each = ek_row_samples_each(&t->samples);
  t->sampled += seen;
  t->sampled_fast += fast;
  t->step_fast = seen ? (double)fast / (double)seen : 0;
  if (ek_weights_age(&t->weights, t->decay))
    ek_slab_rescale(&t->slab);
  const size_t candidates = weigh(t);
  if (t->steps >= t->warm_up)
    exchange(t, candidates, each);
}

static void step(row_table *t) {
  ++t->steps;
  if (t->slab.slots)
    follow(t);
  ek_row_samples_begin(&t->samples);
}

EXPORT int ek_rows_step(ek_rows *table) {
  row_table *const t = (row_table *)table;
  if (!t)
    return EINVAL;
  if (__atomic_exchange_n(&t->stepping, true, __ATOMIC_ACQUIRE))
    return EBUSY;
  const int saved = errno;
  step(t);
  errno = saved;
  __atomic_store_n(&t->stepping, false, __ATOMIC_RELEASE);
  return 0;
}

void ek_rows_hook(void) {
  if (!__atomic_load_n(&at_hooks, __ATOMIC_RELAXED) ||
      pthread_mutex_trylock(&lock) != 0)
    return;
  for (row_table *t = tables; t; t = t->next)
    if (t->flags & EK_ROWS_AT_HOOKS)
      ek_rows_step(&t->head);
  ek_rows_unlock();
}

/* --- counts ------------------------------------------------------------------
 */

EXPORT int ek_rows_count(const ek_rows *table, ek_rows_counts *counts,
                         ek_size size) {
  const row_table *const t = (const row_table *)table;
  if (!t || !counts || size != sizeof *counts)
    return EINVAL;
  *counts = (ek_rows_counts){.slots = t->slab.slots,
                             .used = t->slab.used,
                             .steps = t->steps,
                             .sampled = t->sampled,
                             .sampled_fast = t->sampled_fast,
                             .entered = t->slab.entered,
                             .left = t->slab.left,
                             .copied_bytes = t->slab.copied_bytes,
                             .step_fast = t->step_fast};
  return 0;
}

static rows_sums sum_up(void) {
  ek_rows_lock();
  rows_sums all = sums;
  for (const row_table *t = tables; t; t = t->next)
    add_sums(t, &all);
  ek_rows_unlock();
  return all;
}

void ek_rows_print(FILE *f) {
  const rows_sums all = sum_up();
  if (!all.tables)
    return;
  fprintf(f,
          "  tables of rows: %" PRIu64 ", slabs of %" PRIu64 " rows, %" PRIu64
          " bytes, in the fast tier; %.1f %% of sampled look-ups there\n",
          all.tables, all.slots, all.slab_bytes,
          all.sampled ? 100.0 * (double)all.sampled_fast / (double)all.sampled
                      : 0.0);
  fprintf(f,
          "    %" PRIu64 " steps, %" PRIu64 " rows entered, %" PRIu64
          " left, %" PRIu64 " bytes copied\n",
          all.steps, all.entered, all.left, all.copied_bytes);
}

void ek_rows_json(FILE *f) {
  const rows_sums all = sum_up();
  if (all.tables)
    fprintf(f,
            "  \"rows\": {\"tables\": %" PRIu64 ", \"slots\": %" PRIu64
            ", \"slab_bytes\": %" PRIu64 ", \"steps\": %" PRIu64
            ", \"sampled\": %" PRIu64 ", \"sampled_fast\": %" PRIu64
            ", \"entered\": %" PRIu64 ", \"left\": %" PRIu64
            ", \"copied_bytes\": %" PRIu64 "},\n",
            all.tables, all.slots, all.slab_bytes, all.steps, all.sampled,
            all.sampled_fast, all.entered, all.left, all.copied_bytes);
}
