/*===- walk.c - which pages of an object belong where -------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See walk.h.
 *===----------------------------------------------------------------------===*/
#include "placement/walk.h"
#include "core/reserved.h"
#include "core/tuning.h"

void ek_walk_start(ek_walk *w, const ek_object *o) {
  double bytes = (double)o->bytes;
  *w = (ek_walk){.chunk = bytes / EK_PLAN_CHUNKS,
                 .base = o->base,
                 .page = ek_first_page(o->base),
                 .end = o->base + o->bytes};
  /* The first and last page may also hold other data. */
  if (o->range != EK_OWN)
    w->page = ek_first_page(o->base + EK_PAGE_BYTES - 1);
  if (o->range == EK_FIXED || o->range == EK_OTHER)
    w->end = ek_first_page(w->end);
  if (o->range == EK_SMALLS) {
    w->each = true;
    w->chunk = EK_ARENA_CHUNK;
    w->prefix = (o->plan ? o->plan->share : 0) * EK_ARENA_CHUNK;
  } else if (o->plan && o->plan->range_count) {
    w->ranges = o->plan->ranges;
    w->range_count = o->plan->range_count;
  } else if (o->plan) {
    w->prefix = o->plan->share * bytes;
  } else if (o->percent != EK_NO_FAST) {
    w->prefix = o->percent * bytes / 100;
  }
}

/* Fast bytes requested in the object's first \p x bytes; x must not fall. */
static double asked(ek_walk *w, double x) {
  if (w->each) {
    const double whole = (double)(uint64_t)(x / w->chunk);
    const double rest = x - whole * w->chunk;
    return whole * w->prefix + (rest < w->prefix ? rest : w->prefix);
  }
  if (!w->ranges)
    return x < w->prefix ? x : w->prefix;
  while (w->range < w->range_count && w->ranges[w->range].to * w->chunk <= x) {
    const ek_plan_range *r = &w->ranges[w->range++];
    w->before += (r->to - r->from) * r->share * w->chunk;
  }
  if (w->range == w->range_count)
    return w->before;
  const ek_plan_range *r = &w->ranges[w->range];
  double into = x - r->from * w->chunk;
  if (into <= 0)
    return w->before;
  double whole = (double)(uint64_t)(into / w->chunk);
  double rest = into - whole * w->chunk, part = r->share * w->chunk;
  return w->before + whole * part + (rest < part ? rest : part);
}

/* An upper bound of the rounding error of sums of shares, for objects of up to
 * some TiB. */
#define EK_ROUNDING 1e-6

void ek_place_pages(const ek_object *o, uintptr_t *from, uintptr_t *to) {
  ek_walk w;
  ek_walk_start(&w, o);
  *from = w.page;
  *to = (w.end + EK_PAGE_BYTES - 1) & ~(EK_PAGE_BYTES - 1);
}

bool ek_walk_is_fast(ek_walk *w, uintptr_t page) {
  if (page < w->base || page + EK_PAGE_BYTES > w->end)
    return false;
  double x = (double)(page - w->base), before = asked(w, x);
  return asked(w, x + EK_PAGE_BYTES) - before >=
         EK_PAGE_BYTES * (1 - EK_ROUNDING);
}

size_t ek_walk_wished(const ek_object *o) {
  ek_walk w;
  ek_walk_start(&w, o);
  if (w.page >= w.end)
    return 0;
  const double skipped =
      w.page > w.base ? asked(&w, (double)(w.page - w.base)) : 0;
  return (size_t)((asked(&w, (double)(w.end - w.base)) - skipped) /
                  EK_PAGE_BYTES);
}

void ek_walk_skip(ek_walk *w, uintptr_t page) {
  const double due = asked(w, (double)(page - w->base)) / EK_PAGE_BYTES;
  w->given = (double)(uint64_t)(due + 0.5) * EK_PAGE_BYTES;
  w->page = page;
}

bool ek_walk_next(ek_walk *w, uintptr_t *page, bool *fast) {
  if (w->page >= w->end)
    return false;
  uintptr_t stop = w->page + EK_PAGE_BYTES;
  if (stop > w->end)
    stop = w->end;
  double bytes = (double)(stop - (w->page > w->base ? w->page : w->base));
  *page = w->page;
  /* Rounded chunk borders must not cost a page that is exactly due. */
  *fast = asked(w, (double)(stop - w->base)) - w->given >=
          bytes / 2 * (1 - EK_ROUNDING);
  if (*fast)
    w->given += bytes;
  w->page += EK_PAGE_BYTES;
  return true;
}
