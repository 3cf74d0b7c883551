/*===- mechanism.h - how this kernel shows which pages are touched -*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: which mechanisms (format/ek_touches.h) the kernel offers to this
 * process, found by trying each on memory of its own, and which one is used.
 * Not here: how each works (writes.h, soft_dirty.h, idle.h, loads.h).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TOUCHES_MECHANISM_H
#define EVENKEEL_RUNTIME_TOUCHES_MECHANISM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The EK_TOUCH_BY_* bits of \p asked that are offered. */
uint32_t ek_touch_offered(uint32_t asked);

/* The bits to use: those \p asked, or if that is 0, the best mechanism that
 * \p offered says is there. 0: what was asked is not offered. */
uint32_t ek_touch_choose(uint32_t asked, uint32_t (*offered)(uint32_t asked));

#ifdef __cplusplus
}
#endif
#endif
