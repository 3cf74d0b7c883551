/*===- hook.h - hooks without a call in the source -----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_HOOK_H
#define EVENKEEL_RUNTIME_HOOK_H

#include <stdint.h>

/* A hook as by ek_sync(id, EK_SERIAL), in code that continues at \p from. */
void ek_sync_from(uint64_t id, const void *from);

#endif
