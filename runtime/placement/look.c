/*===- look.c - checking where pages really lie -------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See look.h. The result for a sample of an object's pages is extrapolated to
 * all of them.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "placement/look.h"
#include "core/stats.h"
#include "core/tuning.h"
#include "objects/extent.h"
#include "objects/object.h"
#include "placement/in_force.h"
#include "placement/walk.h"
#include "providers/provider.h"

#include <inttypes.h>
#include <stdlib.h>

static struct {
  size_t wished, there, untouched;
  bool done, partly;
} at_end;

size_t ek_look_pages(const ek_object *o, void **out, size_t most) {
  size_t pages = o->fast_pages + o->slow_pages, count = 0;
  const size_t wished = o->fast_pages + o->short_pages;
  ek_walk w;
  ek_walk_start(&w, o);
  if (pages <= most) {
    uintptr_t page;
    bool fast;
    while (count < most && ek_walk_next(&w, &page, &fast))
      if (fast)
        out[count++] = (void *)page;
    return count;
  }
  /* As many steps as should find \p most wanted pages, within reason. */
  size_t steps = wished ? most * pages / wished : 0;
  steps = steps < 32 * most ? steps : 32 * most;
  steps = steps < pages ? steps : pages;
  for (size_t i = 0; i < steps && count < most; ++i) {
    const uintptr_t page = w.page + i * pages / steps * EK_PAGE_BYTES;
    if (ek_walk_is_fast(&w, page))
      out[count++] = (void *)page;
  }
  return count;
}

void ek_look_add(ek_look *sum, const int *tiers, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    sum->there += tiers[i] == 0;
    sum->elsewhere += tiers[i] > 0;
    sum->untouched += tiers[i] < 0;
  }
}

/* --- the end -----------------------------------------------------------------
 */

typedef struct sample {
  size_t count, fast, short_of;
  bool unseen;
} sample;
typedef struct samples {
  void **pages;
  int *tiers;
  size_t page_count;
  sample *of;
  size_t count;
} samples;

/* Called under both locks. */
static void take(ek_object *o, void *data) {
  samples *s = data;
  if (!o->accounted || !o->fast_pages || !(o->plan || o->percent != EK_NO_FAST))
    return;
  size_t left = EK_END_PAGES - s->page_count;
  if (!left || s->count == EK_END_OBJECTS) {
    at_end.partly = true;
    return;
  }
  const size_t most = left < EK_LOOK_PAGES ? left : EK_LOOK_PAGES;
  const size_t count = ek_look_pages(o, s->pages + s->page_count, most);
  s->of[s->count++] = (sample){count, o->fast_pages, o->short_pages, o->unseen};
  s->page_count += count;
}

/* Pages that are charged to the fast tier, and that no earlier look found
 * elsewhere. */
static size_t not_there(const sample *x, const ek_look *l) {
  const double wished = (double)(x->fast + x->short_of);
  const double elsewhere = wished * (double)l->elsewhere / (double)x->count;
  const double more = elsewhere - (double)x->short_of;
  return x->unseen && more >= 1 ? (size_t)more : 0;
}

void ek_look_end(void) {
  if (!ek_provider_now || ek_provider_now->moves_at_once || ek_tier_count < 2)
    return;
  samples s = {.pages = malloc(EK_END_PAGES * sizeof *s.pages),
               .tiers = malloc(EK_END_PAGES * sizeof *s.tiers),
               .of = malloc(EK_END_OBJECTS * sizeof *s.of)};
  if (s.pages && s.tiers && s.of) {
    ek_objects_lock();
    ek_place_lock();
    ek_objects_each_locked(take, &s);
    ek_place_unlock();
    ek_objects_unlock();
    for (size_t at = 0; at < s.page_count; at += EK_BATCH) {
      const size_t left = s.page_count - at;
      ek_provider_now->query(s.pages + at, left < EK_BATCH ? left : EK_BATCH,
                             s.tiers + at);
    }
    size_t at = 0;
    for (size_t i = 0; i < s.count; at += s.of[i++].count) {
      ek_look l = {0};
      ek_look_add(&l, s.tiers + at, s.of[i].count);
      at_end.wished += s.of[i].count;
      at_end.there += l.there;
      at_end.untouched += l.untouched;
      const size_t more = s.of[i].count ? not_there(&s.of[i], &l) : 0;
      if (more)
        ek_count(EK_WHY_not_there, more);
    }
    at_end.done = true;
  }
  free(s.pages);
  free(s.tiers);
  free(s.of);
}

void ek_look_print(FILE *f) {
  if (!at_end.done ||
      !(at_end.wished + ek_get(look_pages) + ek_get(unseen_pages)))
    return;
  fprintf(f,
          "  pages planned for the fast tier, looked up: at hooks %" PRIu64
          " of %" PRIu64 " were in other tiers; at the end %zu of %zu%s were "
          "in the fast tier, %zu not touched",
          ek_get(look_elsewhere), ek_get(look_pages), at_end.there,
          at_end.wished, at_end.partly ? " (a sample)" : "", at_end.untouched);
  if (ek_get(unseen_pages))
    fprintf(f, "; %" PRIu64 " were freed before", ek_get(unseen_pages));
  fputc('\n', f);
}

void ek_look_json(FILE *f) {
  fprintf(f,
          "  \"look\": {\"pages\": %" PRIu64 ", \"elsewhere\": %" PRIu64
          ", \"freed_before\": %" PRIu64
          ", \"at_end\": %zu, \"fast_at_end\": %zu, "
          "\"untouched_at_end\": %zu},\n",
          ek_get(look_pages), ek_get(look_elsewhere), ek_get(unseen_pages),
          at_end.wished, at_end.there, at_end.untouched);
}
