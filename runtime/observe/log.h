/*===- log.h - the event log --------------------------------------*- C -*-===*
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
 *   {"t":S,"event":"end"}, or "full" if the size limit was reached
 * t is the time since the start in seconds.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_LOG_H
#define EVENKEEL_RUNTIME_LOG_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The content of the first line: the provider's name, and the tiers as a JSON
 * array, with size and result as for snprintf. */
typedef struct ek_log_about {
  const char *(*provider)(void);
  size_t (*tiers)(char *out, size_t size);
} ek_log_about;

/* Opens the log and registers its listeners, if EVENKEEL_LOG is set; called
 * once tiers and plan are known. */
void ek_log_start(const ek_log_about *of);
/* Writes the last event and the buffer. */
void ek_log_end(void);
/* In a forked child: opens its own log if the name contains %p; otherwise the
 * child has none. */
void ek_log_forked(void);
void ek_log_lock(void);
void ek_log_unlock(void);

#ifdef __cplusplus
}
#endif
#endif
