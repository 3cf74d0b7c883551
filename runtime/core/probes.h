/*===- probes.h - static probes for tracers -----------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: provider evenkeel with the probes place, release, move, phase and
 * look, if sys/sdt.h was there at build time. Probes exist whether or not a
 * tracer is attached, and cost one empty instruction.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_PROBES_H
#define EVENKEEL_RUNTIME_PROBES_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__has_include) && __has_include(<sys/sdt.h>)
#include <sys/sdt.h>
#define EK_PROBE4(name, a, b, c, d) DTRACE_PROBE4(evenkeel, name, a, b, c, d)
#define EK_PROBE3(name, a, b, c) DTRACE_PROBE3(evenkeel, name, a, b, c)
#else
#define EK_PROBE4(name, a, b, c, d) ((void)0)
#define EK_PROBE3(name, a, b, c) ((void)0)
#endif

static inline void ek_probe_phase(uint64_t sync, uint32_t phase,
                                  double seconds) {
  (void)sync, (void)phase, (void)seconds;
  EK_PROBE3(phase, sync, phase, (uint64_t)(seconds * 1e9));
}

/* \p promised is a share of time and is passed in millionths; below 0: the new
 * plan has another reason than a gain. */
static inline void ek_probe_look(bool plans, double seconds, double promised) {
  (void)plans, (void)seconds, (void)promised;
  EK_PROBE3(look, plans, (uint64_t)(seconds * 1e9), (int64_t)(promised * 1e6));
}

#endif
