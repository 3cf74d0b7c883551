/*===- event.h - what happened, one line each ---------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: EVENKEEL_LOG, a file of JSON lines, bounded by EVENKEEL_LOG_SIZE; and
 * static probes for tracers (provider evenkeel: place, release, move, phase,
 * look) where sys/sdt.h was there to build with. Without a log an event costs a
 * load.
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
#ifndef EVENKEEL_RUNTIME_EVENT_H
#define EVENKEEL_RUNTIME_EVENT_H

#include "objects/object.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

extern bool ek_events_on;

/* Opens the log, if one is asked for; once tiers and plan are known. */
void ek_events_start(void);
/* Writes what is kept; the last event. */
void ek_events_end(void);
/* In a child: a log of its own where the name has %p, or else none. */
void ek_events_forked(void);
void ek_events_lock(void);
void ek_events_unlock(void);

/* All: any thread; errno is kept. */
void ek_event_place(const ek_object *o);
void ek_event_release(const ek_object *o);
/* A batch: \p pages moved, \p refused did not. \p from: EK_MAX_TIERS = any. */
void ek_event_move(const ek_object *o, unsigned from, unsigned to, size_t pages,
                   size_t refused, uint64_t ns);
void ek_event_phase(uint64_t sync, uint32_t phase, double seconds);
void ek_event_look(bool plans, double seconds, double promised);

#ifdef __cplusplus
}
#endif
#endif
