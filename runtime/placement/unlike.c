/*===- unlike.c - phases and objects missing in the plan ----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See unlike.h. Hooks never wait: a phase is not counted if it ends while
 * another thread uses the counts.
 *===----------------------------------------------------------------------===*/
#include "placement/unlike.h"

#include <sched.h>

static struct {
  int taken; /* a lock: 1 while a thread uses this */
  ek_unlike_kind kinds[EK_UNLIKE_KINDS];
  size_t count;
  uint64_t phases, next; /* phases counted; the number at which to plan again */
  bool wanted;
} seen = {.next = 2};
static ek_unlike_sum sums;
static int new_object;
static int begun;
static _Thread_local uint64_t last_region
    __attribute__((tls_model("initial-exec")));

void ek_unlike_object(void) {
  __atomic_fetch_add(&sums.objects, 1, __ATOMIC_RELAXED);
  __atomic_store_n(&new_object, 1, __ATOMIC_RELAXED);
}

void ek_unlike_region(uint64_t id) { last_region = id; }

static bool take(void) {
  return !__atomic_exchange_n(&seen.taken, 1, __ATOMIC_ACQUIRE);
}
static void give(void) { __atomic_store_n(&seen.taken, 0, __ATOMIC_RELEASE); }

static void count(uint64_t id, uint64_t region, uint32_t width) {
  size_t k = 0;
  while (k < seen.count &&
         (seen.kinds[k].sync != id || seen.kinds[k].region != region))
    ++k;
  if (k == EK_UNLIKE_KINDS)
    return; /* the first kinds stand for all */
  if (k == seen.count) {
    seen.kinds[k] = (ek_unlike_kind){.sync = id, .region = region};
    ++seen.count;
  }
  ++seen.kinds[k].times;
  if (width > seen.kinds[k].width)
    seen.kinds[k].width = width;
}

bool ek_unlike_phase(const ek_plan *plan, uint64_t id) {
  const bool known = ek_plan_sync_of(plan, id) != NULL;
  if (!known && __atomic_fetch_add(&sums.phases, 1, __ATOMIC_RELAXED) == 0)
    __atomic_store_n(&sums.sync, id, __ATOMIC_RELAXED);
  if (!known || __atomic_load_n(&new_object, __ATOMIC_RELAXED))
    __atomic_store_n(&begun, 1, __ATOMIC_RELAXED);
  const bool is = __atomic_load_n(&begun, __ATOMIC_RELAXED);
  if (!is)
    last_region = 0;
  return is;
}

bool ek_unlike_count(uint64_t id, uint32_t width) {
  const uint64_t region = last_region;
  last_region = 0;
  if (!take())
    return false;
  count(id, region, width ? width : 1);
  if (++seen.phases >= seen.next) {
    seen.wanted = true;
    seen.next *= 2;
  }
  const bool wanted = seen.wanted;
  give();
  return wanted;
}

bool ek_unlike_any(void) { return __atomic_load_n(&begun, __ATOMIC_RELAXED); }

size_t ek_unlike_take(ek_unlike_kind *out) {
  size_t n = 0;
  /* After fork, the thread that took the lock may not exist. */
  for (unsigned tries = 0; !take(); ++tries) {
    if (tries == 1000)
      return 0;
    sched_yield();
  }
  for (; seen.wanted && n < seen.count; ++n)
    out[n] = seen.kinds[n];
  seen.wanted = false;
  give();
  return n;
}

ek_unlike_sum ek_unlike_sums(void) {
  return (ek_unlike_sum){__atomic_load_n(&sums.phases, __ATOMIC_RELAXED),
                         __atomic_load_n(&sums.objects, __ATOMIC_RELAXED),
                         __atomic_load_n(&sums.sync, __ATOMIC_RELAXED)};
}
