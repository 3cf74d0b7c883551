/*===- dropped_in.c - a provider that no other file mentions ------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Two tiers on ordinary memory, of which the fast one has 8 MiB. It remembers
 * the last placement. It shows that a provider is one file
 * (dropped_provider_test.cpp).
 *===----------------------------------------------------------------------===*/
#include "providers/provider.h"

#include <string.h>

/* The runtime's last request, for the test. */
struct {
  size_t bytes;
  unsigned tier;
} dropped_in_placed;

static const char *init(const ek_provider_config *config, ek_tier *tiers,
                        unsigned *count) {
  (void)config;
  memset(tiers, 0, 2 * sizeof *tiers);
  strcpy(tiers[0].name, "near");
  tiers[0].capacity = 8 << 20;
  strcpy(tiers[1].name, "far");
  tiers[1].capacity = EK_UNLIMITED;
  *count = 2;
  return NULL;
}

static int place(void *base, size_t bytes, unsigned tier) {
  (void)base;
  dropped_in_placed.bytes = bytes;
  dropped_in_placed.tier = tier;
  return 0;
}

static size_t move(void **pages, size_t count, unsigned tier, int *status) {
  (void)pages, (void)tier;
  memset(status, 0, count * sizeof *status);
  return count;
}

static void query(void **pages, size_t count, int *tiers) {
  (void)pages;
  for (size_t i = 0; i < count; ++i)
    tiers[i] = -1;
}

static void release(void *base, size_t bytes) { (void)base, (void)bytes; }

const ek_provider ek_provider_dropped_in = {
    .version = EK_PROVIDER_VERSION,
    .name = "dropped-in",
    .moves_at_once = true,
    .init = init,
    .place = place,
    .move = move,
    .query = query,
    .release = release,
};
