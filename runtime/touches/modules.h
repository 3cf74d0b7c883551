/*===- modules.h - loaded programs and libraries, as they are named -*- C
 *-*-===* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the table of modules that rows and call stacks refer to. Another
 * thread may unload a module at any time (dlclose), so what the loader knows of
 * it is read by a system call, which fails where memory is gone, and counts
 * only if the module is still loaded afterwards.
 * All functions but ek_modules_get need the lock of the blocks.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TOUCHES_MODULES_H
#define EVENKEEL_RUNTIME_TOUCHES_MODULES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ek_module_seen {
  uint64_t bias;
  uint32_t told; /* the stream that has its item */
  char path[244];
} ek_module_seen;

/* Reserves the table; false: no memory. \p executable names the module to which
 * the loader gives no name. */
bool ek_modules_start(const char *executable);
/* The index of the module that is loaded at \p address, or of the file \p path;
 * EK_TOUCH_UNKNOWN: none, or no room. */
uint32_t ek_modules_at(uintptr_t address);
/* The second half of that: the loader has said that \p map describes the module
 * at \p address, which may be gone since. */
struct link_map;
uint32_t ek_modules_found(uintptr_t address, const struct link_map *map);
/* The same for an address in a function that called this one: it stays loaded,
 * so no system call is needed. */
uint32_t ek_modules_calling(uintptr_t address);
uint32_t ek_modules_named(const char *path);
/* The module at \p index, or NULL. Modules stay. */
ek_module_seen *ek_modules_get(uint32_t index);
/* How often there was no room. */
uint32_t ek_modules_left_out(void);

#ifdef __cplusplus
}
#endif
#endif
