/*===- provider.h - the table of a memory provider ----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the one table that a back end fills in. A new back end is one file in
 * providers/, NAME.c, which defines ek_provider_NAME (example:
 * test/runtime/Inputs/providers/dropped_in.c).
 * Units: bytes; addresses and sizes are multiples of 4 KiB pages. Tier 0 is the
 * fastest. After init has succeeded any thread may call any function. None of
 * them may call ek_* functions or hold a lock while calling back.
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
#define EK_BATCH 512 /* most pages moved in one call: one huge page */

typedef struct ek_tier {
  char name[24];
  uint64_t capacity; /* bytes; EK_UNLIMITED: not known or not limited */
  /* What firmware reports for its nearest node; 0: nothing. */
  uint64_t bytes;
  double latency_ns;
  bool home; /* memory that is not placed comes from this tier, too (own.h) */
} ek_tier;

typedef struct ek_provider_config {
  const char *tiers;   /* EVENKEEL_TIERS, "" if not set */
  uint64_t fast_bytes; /* of the plan; 0: none */
  /* Makes a table next to the reserved range with \p width bytes for each of
   * its granules, initially zero, and sets *where to it (objects/pages.h). */
  void (*table)(void *where, size_t width);
} ek_provider_config;

typedef struct ek_provider {
  uint32_t version; /* EK_PROVIDER_VERSION */
  const char *name;
  /* The system places by first touch: unplanned objects are not passed to
   * place(). */
  bool system_places_unplanned;
  /* Freed pages may be reused without calling place() again. */
  bool retains;
  /* Moves cost nothing, and pages lie where they were placed. */
  bool moves_at_once;
  /* Fills tiers[] and *count. Returns NULL, or one line that says why it
   * failed. */
  const char *(*init)(const ek_provider_config *config, ek_tier *tiers,
                      unsigned *count);
  /* Untouched pages of the range will come from \p tier. Returns 0 or an errno
   * value. */
  int (*place)(void *base, size_t bytes, unsigned tier);
  /* Moves pages. status[i] is 0 (the page lies in \p tier, or will once it is
   * touched) or an errno value. Returns how many are 0. */
  size_t (*move)(void **pages, size_t count, unsigned tier, int *status);
  /* Sets tiers[i] to the page's tier; -1: untouched or unknown. */
  void (*query)(void **pages, size_t count, int *tiers);
  /* The range is no longer placed. */
  void (*release)(void *base, size_t bytes);
  /* From now on new memory of the calling thread (the C library's and the
   * runtime's) comes from \p tier; EK_MAX_TIERS restores the old policy. NULL
   * if that makes no difference. */
  void (*prefer)(unsigned tier);
} ek_provider;

/* Those that the runtime itself chooses by default. */
extern const ek_provider ek_provider_posix, ek_provider_numa,
    ek_provider_emulated;

/* All providers, in the order of their file names; NULL ends the table. The
 * build makes it (cmake/FileTable.cmake). */
extern const ek_provider *const ek_providers[];

/* The provider in use, its tiers, and their number; not NULL after start. */
extern const ek_provider *ek_provider_now;
extern ek_tier ek_tiers[EK_MAX_TIERS];
extern unsigned ek_tier_count;

/* Selects a provider by option and machine; on failure posix is used, and the
 * failure printed and counted. */
void ek_provider_start(const ek_provider_config *config);

#ifdef __cplusplus
}
#endif
#endif
