/*===- emulated.c - tiers for accounting only ---------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: two or more tiers of given capacities on ordinary memory; one byte per
 * page holds the page's tier. Placement can thus be tested on a machine with
 * one kind of memory.
 * Not here: delays; the replay simulator models speed.
 *===----------------------------------------------------------------------===*/
#include "core/options.h"
#include "core/reserved.h"
#include "providers/provider.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One byte per page: tier + 1; 0: never placed. */
static uint8_t *page_tier; /* of the reserved range */
static unsigned tier_count;

/* Pages outside the reserved range (static storage, mappings) are recorded in
 * blocks that cover an aligned MiB each, hashed by address. */
#define BLOCK ((size_t)1 << 20)
enum { CHAINS = 4096 };
typedef struct foreign {
  struct foreign *next;
  uintptr_t base;
  uint8_t tier[BLOCK / EK_PAGE_BYTES];
} foreign;
static foreign *foreigns[CHAINS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const char *init(const ek_provider_config *config, ek_tier *tiers,
                        unsigned *count) {
  unsigned n = 0;
  memset(tiers, 0, EK_MAX_TIERS * sizeof *tiers);
  for (const char *p = config->tiers; *p;) {
    size_t length = strcspn(p, ",");
    const char *equal = memchr(p, '=', length);
    char size[32];
    if (n == EK_MAX_TIERS || !equal || equal == p ||
        (size_t)(equal - p) >= sizeof tiers[n].name ||
        length - (size_t)(equal - p) - 1 >= sizeof size)
      return "EVENKEEL_TIERS must look like fast=192MiB,slow=1.5GiB";
    size_t digits = length - (size_t)(equal - p) - 1;
    memcpy(size, equal + 1, digits);
    size[digits] = 0;
    if (ek_parse_size(size, &tiers[n].capacity) != 0)
      return "EVENKEEL_TIERS must look like fast=192MiB,slow=1.5GiB";
    memcpy(tiers[n++].name, p, (size_t)(equal - p));
    p += length + (p[length] == ',');
  }
  if (n == 1)
    return "EVENKEEL_TIERS names only one tier; it needs two";
  if (n == 0) {
    if (!config->fast_bytes)
      return "no tiers; set EVENKEEL_TIERS=fast=SIZE,slow=SIZE or give a plan";
    strcpy(tiers[0].name, "fast");
    tiers[0].capacity = config->fast_bytes;
    strcpy(tiers[1].name, "slow");
    tiers[1].capacity = EK_UNLIMITED;
    n = 2;
  }
  config->table(&page_tier, EK_GRANULE / EK_PAGE_BYTES);
  *count = tier_count = n;
  return NULL;
}

/* The byte for the page at \p p, or NULL if the page was never placed. The
 * caller holds the lock for pages outside the range. */
static uint8_t *entry(uintptr_t p) {
  if (ek_in_reserved((void *)p))
    return &page_tier[(p - ek_reserved.base) / EK_PAGE_BYTES];
  for (foreign *f = foreigns[p / BLOCK % CHAINS]; f; f = f->next)
    if (p - f->base < BLOCK)
      return &f->tier[(p - f->base) / EK_PAGE_BYTES];
  return NULL;
}

static int place(void *base, size_t bytes, unsigned tier) {
  if (tier >= tier_count)
    return EINVAL;
  if (ek_in_reserved(base)) {
    memset(entry((uintptr_t)base), (int)tier + 1, bytes / EK_PAGE_BYTES);
    return 0;
  }
  int rc = 0;
  pthread_mutex_lock(&lock);
  for (size_t at = 0; at < bytes; at += EK_PAGE_BYTES) {
    uint8_t *e = entry((uintptr_t)base + at);
    if (!e) {
      foreign *f = calloc(1, sizeof *f);
      if (!f) {
        rc = ENOMEM;
        break;
      }
      f->base = ((uintptr_t)base + at) & ~(BLOCK - 1);
      foreign **chain = &foreigns[f->base / BLOCK % CHAINS];
      f->next = *chain;
      *chain = f;
      e = entry((uintptr_t)base + at);
    }
    *e = (uint8_t)(tier + 1);
  }
  pthread_mutex_unlock(&lock);
  return rc;
}

/* Accepts any address. */
static size_t move(void **pages, size_t count, unsigned tier, int *status) {
  size_t moved = 0;
  for (size_t i = 0; i < count; ++i) {
    status[i] = place(pages[i], EK_PAGE_BYTES, tier);
    moved += status[i] == 0;
  }
  return moved;
}

static void query(void **pages, size_t count, int *tiers) {
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < count; ++i) {
    uint8_t *e = entry((uintptr_t)pages[i]);
    tiers[i] = e ? (int)*e - 1 : -1;
  }
  pthread_mutex_unlock(&lock);
}

static void release(void *base, size_t bytes) {
  if (ek_in_reserved(base)) {
    memset(entry((uintptr_t)base), 0, bytes / EK_PAGE_BYTES);
    return;
  }
  pthread_mutex_lock(&lock);
  for (size_t at = 0; at < bytes; at += EK_PAGE_BYTES) {
    uint8_t *e = entry((uintptr_t)base + at);
    if (e)
      *e = 0;
  }
  pthread_mutex_unlock(&lock);
}

const ek_provider ek_provider_emulated = {
    .version = EK_PROVIDER_VERSION,
    .name = "emulated",
    .system_places_unplanned = false,
    .retains = false,
    .moves_at_once = true,
    .init = init,
    .place = place,
    .move = move,
    .query = query,
    .release = release,
};
