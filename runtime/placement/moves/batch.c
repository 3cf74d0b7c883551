/*===- batch.c - moving one batch of pages ------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See batch.h.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "placement/moves/batch.h"
#include "core/events.h"
#include "core/options.h"
#include "core/probes.h"
#include "core/reserved.h"
#include "core/stats.h"
#include "core/tuning.h"
#include "objects/object.h"
#include "placement/books.h"
#include "placement/in_force.h"
#include "placement/moving.h"

#include <errno.h>
#include <time.h>

bool ek_batch_refused;
int ek_batch_stop;

uint64_t ek_batch_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static bool may_continue(const ek_object *o, const ek_pass *p) {
  return ek_moving.current == o && !o->leaving && !ek_batch_refused &&
         !p->cancelled;
}

static void count_refusals(const int *status, size_t count, ek_pass *p) {
  size_t denied = 0;
  for (size_t i = 0; i < count; ++i)
    switch (status[i]) {
    case 0:
      break;
    case EBUSY:
    case EAGAIN:
      ek_count(EK_WHY_move_busy, 1);
      break;
    case ENOMEM:
      p->no_memory = true;
      ek_count(EK_WHY_move_no_memory, 1);
      break;
    case EACCES:
      ek_count(EK_WHY_move_shared, 1);
      break;
    case EPERM:
    case ENOSYS:
      ++denied;
      ek_count(EK_WHY_move_denied, 1);
      break;
    default:
      ek_count(EK_WHY_move_refused, 1);
    }
  if (count && denied == count)
    ek_batch_refused = true; /* the call is forbidden: so is the next one */
}

/* Keeps the migration thread below its share of the memory bandwidth. Called
 * without the lock. */
static void wait_for_rate(const ek_pass *p) {
  if (!ek_opt.migrate_rate || !p->beside)
    return;
  uint64_t due = p->started + (uint64_t)((double)p->moved * 1e9 /
                                         (double)ek_opt.migrate_rate);
  uint64_t now;
  while ((now = ek_batch_ns()) < due &&
         !__atomic_load_n(&ek_batch_stop, __ATOMIC_RELAXED)) {
    uint64_t ns = due - now < 10000000 ? due - now : 10000000;
    nanosleep(&(struct timespec){0, (long)ns}, NULL);
  }
}

static void tell_moved(const ek_object *o, unsigned from, unsigned to,
                       size_t pages, size_t refused, uint64_t ns) {
  EK_PROBE4(move, o->site, to, pages, refused);
  if (!ek_hears(moved))
    return;
  const ek_told told = ek_object_told(o);
  ek_tell_moved(&told, from < EK_MAX_TIERS ? (int)from : -1, to, pages, refused,
                ns);
}

bool ek_batch_move(ek_object *o, void **ask, size_t count, unsigned from,
                   unsigned to, ek_pass *p, size_t *left, size_t *moved_out) {
  void *pages[EK_BATCH];
  int tiers[EK_BATCH], status[EK_BATCH];
  bool touched[EK_BATCH];
  size_t want = 0, moved = 0, fresh = 0;
  size_t bytes = count * EK_PAGE_BYTES;
  size_t taken = ek_place_take(to, bytes < p->budget ? bytes : p->budget);
  taken &= ~(EK_PAGE_BYTES - 1);
  ek_moving_begin(o);

  size_t others = 0, room = taken / EK_PAGE_BYTES;
  ek_provider_now->query(ask, count, tiers);
  for (size_t i = 0; i < count; ++i) {
    bool wrong =
        from == EK_ELSEWHERE ? tiers[i] != (int)to : tiers[i] == (int)from;
    if (wrong && want < room) {
      touched[want] = tiers[i] >= 0;
      pages[want++] = ask[i];
    } else if (wrong) {
      ++others;
    }
  }
  uint64_t start = ek_batch_ns();
  if (want) {
    moved = ek_provider_now->move(pages, want, to, status);
    for (size_t i = 0; i < want; ++i)
      fresh += status[i] == 0 && !touched[i]; /* nothing to copy */
    uint64_t took = ek_batch_ns() - start;
    ek_add(move_ns, took);
    if (p->beside)
      ek_add(beside_ns, took);
    ek_add(move_calls, 1);
    ek_add(moved_pages, moved - fresh);
    if (to != 0)
      ek_add(demoted_pages, moved - fresh);
    p->moved += (moved - fresh) * EK_PAGE_BYTES;
    tell_moved(o, from, to, moved - fresh, want - moved, took);
  }

  ek_moving_end();
  ek_place_give(to, taken - moved * EK_PAGE_BYTES);
  *moved_out += ek_place_arrived(o, to, moved);
  p->budget -= want * EK_PAGE_BYTES;
  count_refusals(status, want, p);
  *left += others + (want - moved);
  if (p->moved) {
    ek_place_unlock();
    wait_for_rate(p);
    ek_place_lock();
  }
  p->cancelled |= __atomic_load_n(&ek_batch_stop, __ATOMIC_RELAXED) != 0;
  return may_continue(o, p);
}

bool ek_batch_look(ek_object *o, void **ask, size_t count, int *tiers,
                   const ek_pass *p) {
  ek_moving_begin(o);
  ek_provider_now->query(ask, count, tiers);
  ek_moving_end();
  return may_continue(o, p);
}

bool ek_batch_glance(ek_object *o, ek_pass *p, ek_look *seen) {
  void *ask[EK_LOOK_PAGES];
  int tiers[EK_LOOK_PAGES];
  const size_t count = ek_look_pages(o, ask, EK_LOOK_PAGES);
  *seen = (ek_look){0};
  for (size_t at = 0; at < count; at += EK_BATCH) {
    const size_t n = count - at < EK_BATCH ? count - at : EK_BATCH;
    if (!ek_batch_look(o, ask + at, n, tiers + at, p))
      return false;
  }
  ek_look_add(seen, tiers, count);
  p->looked_at += count;
  ek_add(look_pages, seen->there + seen->elsewhere);
  ek_add(look_elsewhere, seen->elsewhere);
  return true;
}
