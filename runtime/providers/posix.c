/*===- posix.c - a single tier ------------------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: works everywhere; all memory lies in its only tier.
 *===----------------------------------------------------------------------===*/
#include "providers/provider.h"

#include <string.h>

static const char *init(const ek_provider_config *config, ek_tier *tiers,
                        unsigned *count) {
  (void)config;
  memset(&tiers[0], 0, sizeof tiers[0]);
  strcpy(tiers[0].name, "memory");
  tiers[0].capacity = EK_UNLIMITED;
  *count = 1;
  return NULL;
}

static int place(void *base, size_t bytes, unsigned tier) {
  (void)base, (void)bytes, (void)tier;
  return 0;
}

static size_t move(void **pages, size_t count, unsigned tier, int *status) {
  (void)pages, (void)tier;
  memset(status, 0, count * sizeof *status);
  return count;
}

static void query(void **pages, size_t count, int *tiers) {
  (void)pages;
  memset(tiers, 0, count * sizeof *tiers);
}

static void release(void *base, size_t bytes) { (void)base, (void)bytes; }

const ek_provider ek_provider_posix = {
    .version = EK_PROVIDER_VERSION,
    .name = "posix",
    .system_places_unplanned = true,
    .retains = true,
    .moves_at_once = true,
    .init = init,
    .place = place,
    .move = move,
    .query = query,
    .release = release,
};
