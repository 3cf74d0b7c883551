/*===- provider.h - who can place memory in tiers -----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the one table a back end fills in. Adding a back end is one file in
 * providers/ and one line in provider.c.
 * Units: bytes; addresses and sizes are whole 4 KiB pages. Tier 0 is the
 * fastest. All functions may be called from any thread once init succeeded;
 * none may call ek_* or keep a lock across a call back.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_PROVIDER_H
#define EVENKEEL_RUNTIME_PROVIDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EK_PROVIDER_VERSION 3u
#define EK_MAX_TIERS 8
#define EK_UNLIMITED UINT64_MAX
#define EK_BATCH 512 /* pages that move in one call, at most: a huge one's */

typedef struct ek_tier {
  char name[24];
  uint64_t capacity; /* bytes; EK_UNLIMITED: not known or not limited */
  /* What firmware says of its nearest node; 0: nothing. */
  uint64_t bytes;
  double latency_ns;
  bool home; /* memory that nobody places is taken from it, too (own.h) */
} ek_tier;

typedef struct ek_provider_config {
  const char *tiers;   /* EVENKEEL_TIERS, "" if not set */
  uint64_t fast_bytes; /* of the plan; 0: none */
  /* Makes a table beside the reserved range with \p width bytes for each of
   * its granules, zero at first, and sets *where to it (objects/pages.h). */
  void (*table)(void *where, size_t width);
} ek_provider_config;

typedef struct ek_provider {
  uint32_t version; /* EK_PROVIDER_VERSION */
  const char *name;
  /* First touch is the system's business: objects that nothing is planned for
   * are not given to place(). */
  bool system_places_unplanned;
  /* Freed pages may be reused without being placed again. */
  bool retains;
  /* Moving costs nothing and pages lie where they were placed. */
  bool moves_at_once;
  /* Fills tiers[] and *count. NULL on success, else why not (one line). */
  const char *(*init)(const ek_provider_config *config, ek_tier *tiers,
                      unsigned *count);
  /* Pages not touched yet shall come from \p tier. 0 or an errno value. */
  int (*place)(void *base, size_t bytes, unsigned tier);
  /* Moves pages; status[i] = 0 (there now, or not touched yet and will be
   * there) or an errno value. Returns how many are 0. */
  size_t (*move)(void **pages, size_t count, unsigned tier, int *status);
  /* tiers[i] = tier of the page, or -1: not touched, or unknown. */
  void (*query)(void **pages, size_t count, int *tiers);
  /* The range was given back. */
  void (*release)(void *base, size_t bytes);
  /* From here on new memory of the calling thread, of the C library's and of
   * the runtime's, comes from \p tier; EK_MAX_TIERS: as before. NULL: it makes
   * no difference. */
  void (*prefer)(unsigned tier);
} ek_provider;

extern const ek_provider ek_provider_posix, ek_provider_numa,
    ek_provider_memkind, ek_provider_emulated;

/* The one in use, its tiers, and how many; never NULL after start. */
extern const ek_provider *ek_provider_now;
extern ek_tier ek_tiers[EK_MAX_TIERS];
extern unsigned ek_tier_count;

/* Chooses by option and machine; falls back to posix, counted and said. */
void ek_provider_start(const ek_provider_config *config);

#ifdef __cplusplus
}
#endif
#endif
