/*===- rows.c - a table whose hot rows lie in fast memory ---------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the interface of evenkeel/ek_rows.h, and when rows are exchanged. The
 * slab and the bits that a look-up reads first are an object like others. It is
 * pinned to the fast tier and counts in the tier's account, and it is as large
 * as the part of it that lies there. A row takes the slot of the one in its set
 * with the least weight if it is expected to have more look-ups than that one,
 * by what two copies cost and by one standard deviation of what the sample can
 * tell. Only rows of the last step's sample are considered: the weight of no
 * other has grown.
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
  void *own;  /* the home's memory, if it is ours */
  char *fast; /* the slab, and before it ways, unless they are elsewhere */
  unsigned char *own_ways;
  ek_weights weights;
  ek_slab slab;
  ek_row_samples samples;
  candidate *candidates;
  unsigned warm_up, budget, flags;
  float decay;
  uint64_t steps, sampled, sampled_fast;
  double step_fast;
  bool stepping;
  pthread_t opener;
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

static size_t whole_lines(size_t bytes) {
  return (bytes + LINE - 1) & ~(size_t)(LINE - 1);
}

/* Allocates t->fast. If the fast tier has less room, a smaller block. Returns
 * its bytes; 0: none. */
static size_t make_fast(row_table *t, ek_id site, size_t bytes) {
  for (int tries = 0; tries < 3 && bytes >= t->head.row_bytes; ++tries) {
    t->fast = ek_memalign_at(site, EK_PINNED(100), EK_PAGE_BYTES, bytes);
    const size_t fast = t->fast ? fast_bytes_of(t->fast) : 0;
    if (fast == bytes)
      return bytes;
    ek_free(t->fast);
    t->fast = NULL;
    bytes = fast;
  }
  return 0;
}

/* Divides fast memory between what look-ups read first and the slots, unless
 * the former would take more than half. Returns the number of slots. */
static uint32_t divide_fast(row_table *t, const ek_rows_options *o) {
  const size_t d = t->head.row_bytes;
  const size_t asked = o->fast_bytes ? o->fast_bytes : t->rows * d / 8;
  const size_t ways = whole_lines(t->rows / 2 + 1);
  const size_t before = ways <= asked / 2 ? ways : 0;
  size_t most = t->rows < MOST_SLOTS ? t->rows : MOST_SLOTS;
  if (!most || asked - before < d)
    return 0;
  /* The rest of a slot is asked for, too: 64 KiB are as large as they look. */
  const size_t bytes = make_fast(
      t, o->site, asked - before < most * d ? asked : before + most * d);
  const size_t slots = bytes < before ? 0 : (bytes - before) / d;
  most = slots < most ? slots : most;
  if (!most) {
    ek_free(t->fast);
    t->fast = NULL;
    return 0;
  }
  t->head.slab = t->fast + before;
  if (before)
    t->head.ways = memset(t->fast, 0, before);
  return ek_slab_whole((uint32_t)most);
}

static bool make_slab(row_table *t, const ek_rows_options *o) {
  const uint32_t slots = divide_fast(t, o);
  if (!slots && t->rows)
    ek_count(EK_WHY_rows_no_slab, 1);
  if (!t->head.ways)
    t->head.ways = t->own_ways = calloc(t->rows / 2 + 1, 1);
  uint32_t kept = slots / EK_ROWS_SLOTS_PER_SAMPLE;
  kept = kept < EK_ROWS_LEAST_KEPT ? EK_ROWS_LEAST_KEPT : kept;
  kept = kept > EK_ROWS_MOST_KEPT ? EK_ROWS_MOST_KEPT : kept;
  t->warm_up = o->warm_up ? o->warm_up : EK_ROWS_WARM_UP;
  t->budget = o->budget ? o->budget : slots / 8 + 1;
  t->decay = (float)(o->decay > 0 ? o->decay : EK_ROWS_DECAY);
  t->flags = o->flags;
  t->slab.head = &t->head;
  t->slab.weights = &t->weights;
  t->slab.read_only = o->flags & EK_ROWS_READ_ONLY;
  t->candidates = calloc(kept, sizeof *t->candidates);
  return t->head.ways && t->candidates && ek_slab_make(&t->slab, slots) &&
         ek_row_samples_make(&t->samples, kept) &&
         ek_weights_make(&t->weights, slots ? t->rows : 0);
}

static void free_table(row_table *t) {
  ek_slab_free(&t->slab);
  ek_weights_free(&t->weights);
  ek_row_samples_free(&t->samples);
  ek_free(t->fast);
  ek_free(t->own);
  free(t->candidates);
  free(t->own_ways);
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
  if (make_home(t, o) && make_slab(t, o))
    return t;
  free_table(t);
  return NULL;
}

EXPORT int ek_rows_open(ek_rows **table, ek_size rows, ek_size row_bytes,
                        const ek_rows_options *options) {
  ek_rows_options o = {.size = sizeof o};
  const int status = ek_rows_check_(table, rows, row_bytes, options);
  if (status)
    return status;
  if (options)
    o = *options;
  o.site = o.site ? o.site : 1;
  const int saved = errno;
  ek_start();
  row_table *t = new_table(rows, row_bytes, &o);
  errno = saved;
  if (!t)
    return ENOMEM;
  t->opener = pthread_self();
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

/* The heaviest first; a row's samples side by side. */
static int by_weight(const void *a, const void *b) {
  const candidate *x = a, *y = b;
  if (x->weight != y->weight)
    return x->weight < y->weight ? 1 : -1;
  return (x->row > y->row) - (x->row < y->row);
}

/* Adds the sample to the weights. Returns the number of its rows outside the
 * slab, which are then the candidates, the heaviest first. */
static size_t weigh(row_table *t) {
  const uint32_t kept = ek_row_samples_kept(&t->samples);
  const float each = ek_row_samples_each(&t->samples);
  candidate *const c = t->candidates;
  size_t count = 0, different = 0;
  for (uint32_t i = 0; i < kept; ++i) {
    const uint32_t row = t->samples.rows[i];
    ek_weights_add(&t->weights, row, each);
    if (!ek_slab_has(&t->head, row))
      c[count++].row = row;
  }
  for (size_t i = 0; i < count; ++i)
    c[i].weight = ek_weights_raw(&t->weights, c[i].row);
  qsort(c, count, sizeof *c, by_weight);
  for (size_t i = 0; i < count; ++i)
    if (!different || c[i].row != c[different - 1].row)
      c[different++] = c[i];
  return different;
}

/* Whether look-ups that are expected to get faster outweigh the copies. */
static bool pays(const row_table *t, float weight, float other, float each) {
  const float mine = weight / t->weights.unit, its = other / t->weights.unit;
  return mine - its > (float)EK_ROWS_COST &&
         mine - its > sqrtf(each * (mine + its));
}

static void exchange(row_table *t, size_t candidates, float each) {
  unsigned left = t->budget;
  for (size_t i = 0; i < candidates && left > 0; ++i) {
    const candidate *c = &t->candidates[i];
    const uint32_t slot = ek_slab_slot_for(&t->slab, c->row);
    const uint32_t other = t->slab.row_of[slot];
    if (other == EK_SLAB_FREE
            ? pays(t, c->weight, 0, 0)
            : pays(t, c->weight, ek_weights_raw(&t->weights, other), each)) {
      ek_slab_enter(&t->slab, slot, c->row);
      --left;
    }
  }
}

static void follow(row_table *t) {
  const uint64_t seen = t->samples.seen, fast = t->samples.seen_fast;
  const float each = ek_row_samples_each(&t->samples);
  t->sampled += seen;
  t->sampled_fast += fast;
  t->step_fast = seen ? (double)fast / (double)seen : 0;
  ek_weights_age(&t->weights, t->decay);
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
    if ((t->flags & EK_ROWS_AT_HOOKS) &&
        pthread_equal(t->opener, pthread_self()))
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
