/*===- log.h - what happened, one line each -----------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: EVENKEEL_LOG, a file of JSON lines, bounded by EVENKEEL_LOG_SIZE.
 *   {"event":"start","process","provider","plan","tiers":[..]}
 *   {"t":S,"event":"place","site","creator","ordinal","at","bytes","fast",
 *    "slow","short"}                              pages of the object by tier
 *   {"t":S,"event":"release",..,"at","bytes"}
 *   {"t":S,"event":"move",..,"from","to","pages","refused","seconds"}
 *   {"t":S,"event":"phase","ended_by","phase","seconds"}
 *   {"t":S,"event":"look","plans","seconds","promised"}
 *   {"t":S,"event":"end"}, or "full" where the bound was reached
 * t: seconds since the start.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_LOG_H
#define EVENKEEL_RUNTIME_LOG_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the first line tells of: a provider, and its tiers as a JSON array (how
 * many characters that takes, as snprintf does). */
typedef struct ek_log_about {
  const char *(*provider)(void);
  size_t (*tiers)(char *out, size_t size);
} ek_log_about;

/* Opens the log and listens, if one is asked for; once tiers and plan are
 * known. */
void ek_log_start(const ek_log_about *about);
/* Writes what is kept; the last event. */
void ek_log_end(void);
/* In a child: a log of its own where the name has %p, or else none. */
void ek_log_forked(void);
void ek_log_lock(void);
void ek_log_unlock(void);

#ifdef __cplusplus
}
#endif
#endif
