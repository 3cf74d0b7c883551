/*===- provider.c - choosing the provider -------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the providers' names, and the default: emulated if EVENKEEL_TIERS is
 * set, numa on several nodes, else posix. A requested provider that does not
 * work is reported on standard error and counted.
 *===----------------------------------------------------------------------===*/
#include "providers/provider.h"
#include "core/options.h"
#include "core/say.h"
#include "core/stats.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

const ek_provider *ek_provider_now;
ek_tier ek_tiers[EK_MAX_TIERS];
unsigned ek_tier_count;

static const char *start(const ek_provider *p,
                         const ek_provider_config *config) {
  if (p->version != EK_PROVIDER_VERSION)
    return "built for another version of the provider table";
  const char *why = p->init(config, ek_tiers, &ek_tier_count);
  if (!why)
    ek_provider_now = p;
  return why;
}

static const ek_provider *find(const char *name) {
  for (const ek_provider *const *p = ek_providers; *p; ++p)
    if (strcmp((*p)->name, name) == 0)
      return *p;
  return NULL;
}

/* Writes "unknown; use A, B or C" with all providers' names into \p text, cut
 * off where it is too small, and returns \p text. */
static const char *list_names(char *text, size_t size) {
  size_t used = (size_t)snprintf(text, size, "unknown; use ");
  for (const ek_provider *const *p = ek_providers; *p && used < size; ++p) {
    const char *between = p[1] == NULL ? "" : p[2] == NULL ? " or " : ", ";
    used +=
        (size_t)snprintf(text + used, size - used, "%s%s", (*p)->name, between);
  }
  return text;
}

/* Whether there is a node besides node 0; init looks at them more closely. */
static bool several_nodes(void) {
  for (unsigned id = 1; id < 64; ++id) {
    char file[64];
    snprintf(file, sizeof file, "/sys/devices/system/node/node%u", id);
    if (access(file, F_OK) == 0)
      return true;
  }
  return false;
}

void ek_provider_start(const ek_provider_config *config) {
  if (ek_opt.provider[0]) {
    char unknown[160];
    const char *why = NULL;
    const ek_provider *p = find(ek_opt.provider);
    if (p)
      why = start(p, config);
    else
      why = list_names(unknown, sizeof unknown);
    if (!why)
      return;
    ek_say("evenkeel: provider '%s': %s; using posix\n", ek_opt.provider, why);
    ek_count(EK_WHY_provider_unavailable, 1);
  } else if (ek_opt.tiers[0]) {
    const char *why = start(&ek_provider_emulated, config);
    if (!why)
      return;
    ek_say("evenkeel: provider 'emulated': %s; using posix\n", why);
    ek_count(EK_WHY_provider_unavailable, 1);
  } else {
    if (several_nodes()) {
      const char *why = start(&ek_provider_numa, config);
      if (!why)
        return;
      ek_say("evenkeel: provider 'numa': %s; using posix\n", why);
      ek_count(EK_WHY_provider_unavailable, 1);
    }
  }
  start(&ek_provider_posix, config);
}
