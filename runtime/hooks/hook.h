/*===- hook.h - hooks that no source calls -------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_HOOK_H
#define EVENKEEL_RUNTIME_HOOK_H

#include <stdint.h>

/* As ek_sync(id, EK_SERIAL) in code that goes on at \p from. */
void ek_sync_from(uint64_t id, const void *from);

#endif
