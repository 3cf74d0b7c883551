/*===- modules.c - loaded programs and libraries, as they are named -*- C
 *-*-===* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See modules.h.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "touches/modules.h"
#include "format/ek_touches.h"
#include "touches/base/arena.h"
#include "touches/base/raw.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/uio.h>

enum { MODULES = 1 << 12, SLOTS = 2 * MODULES, MOST_PATH = 243 };

static ek_module_seen *modules;
static uint32_t count, left_out;
static uint16_t *slots; /* by bias and path; number of a module plus one */
static const char *executable;

bool ek_modules_start(const char *name) {
  modules = ek_arena_take(MODULES * sizeof *modules);
  slots = ek_arena_take(SLOTS * sizeof *slots);
  executable = name;
  return modules && slots;
}

ek_module_seen *ek_modules_get(uint32_t index) {
  return index < __atomic_load_n(&count, __ATOMIC_ACQUIRE) ? &modules[index]
                                                           : NULL;
}

uint32_t ek_modules_left_out(void) {
  return __atomic_load_n(&left_out, __ATOMIC_RELAXED);
}

/* --- the table ---------------------------------------------------------------
 */

static uint32_t place_of(const char *path, size_t n, uint64_t bias) {
  uint64_t hash = bias;
  for (size_t i = 0; i < n; ++i)
    hash = (hash ^ (unsigned char)path[i]) * 0x100000001b3u;
  return (uint32_t)(hash >> 32 ^ hash) % SLOTS;
}

static bool is(const ek_module_seen *m, const char *path, size_t n,
               uint64_t bias) {
  return m->bias == bias && memcmp(m->path, path, n) == 0 && !m->path[n];
}

/* A path that is too long is cut. */
static uint32_t module_of(const char *path, uint64_t bias) {
  const size_t all = strlen(path), n = all < MOST_PATH ? all : MOST_PATH;
  uint32_t at = place_of(path, n, bias);
  for (; slots[at]; at = (at + 1) % SLOTS)
    if (is(&modules[slots[at] - 1], path, n, bias))
      return slots[at] - 1u;
  if (count == MODULES) {
    __atomic_fetch_add(&left_out, 1, __ATOMIC_RELAXED);
    return EK_TOUCH_UNKNOWN;
  }
  modules[count].bias = bias;
  memcpy(modules[count].path, path, n);
  slots[at] = (uint16_t)(count + 1);
  __atomic_store_n(&count, count + 1, __ATOMIC_RELEASE);
  return count - 1;
}

uint32_t ek_modules_named(const char *path) { return module_of(path, 0); }

/* --- what the loader knows ---------------------------------------------------
 */

/* Copies \p n bytes from \p from; false: that memory is gone. */
static bool copy(void *to, uintptr_t from, size_t n) {
  const struct iovec here = {to, n}, there = {(void *)from, n};
  return ek_raw_call(SYS_process_vm_readv, ek_raw3(SYS_getpid, 0, 0, 0),
                     (long)&here, 1, (long)&there, 1, 0) == (long)n;
}

/* Copies a text and its end, of MOST_PATH bytes at most. */
static bool copy_text(char *to, uintptr_t from) {
  enum { STEP = 64 }; /* what lies behind the text may be gone */
  for (size_t n = 0; n < MOST_PATH;) {
    size_t step = STEP - (from + n) % STEP;
    step = step < MOST_PATH - n ? step : MOST_PATH - n;
    if (!copy(to + n, from + n, step))
      return false;
    n += step;
    to[n] = 0;
    if (memchr(to + n - step, 0, step))
      break;
  }
  return true;
}

static uint32_t named(const char *path, uint64_t bias) {
  return module_of(path[0] ? path : executable, bias);
}

uint32_t ek_modules_calling(uintptr_t address) {
  struct dl_find_object at;
  if (_dl_find_object((void *)address, &at) != 0)
    return EK_TOUCH_UNKNOWN;
  return named(at.dlfo_link_map->l_name, at.dlfo_link_map->l_addr);
}

/* Reads what \p map says. False: it does not describe the module at
 * \p address after that. */
static bool describe(uintptr_t address, const struct link_map *map,
                     struct link_map *loaded, char *path) {
  struct dl_find_object still;
  return copy(loaded, (uintptr_t)map, sizeof *loaded) &&
         copy_text(path, (uintptr_t)loaded->l_name) &&
         _dl_find_object((void *)address, &still) == 0 &&
         still.dlfo_link_map == map;
}

/* Between the copies and the question after them, the module may have gone and
 * come again to the same place: so it has to say the same twice. */
uint32_t ek_modules_found(uintptr_t address, const struct link_map *map) {
  struct link_map loaded, again;
  char path[MOST_PATH + 1] = "", same[MOST_PATH + 1] = "";
  if (!describe(address, map, &loaded, path) ||
      !describe(address, map, &again, same) || loaded.l_addr != again.l_addr ||
      strcmp(path, same) != 0)
    return EK_TOUCH_UNKNOWN;
  return named(path, loaded.l_addr);
}

uint32_t ek_modules_at(uintptr_t address) {
  struct dl_find_object at;
  return _dl_find_object((void *)address, &at) == 0
             ? ek_modules_found(address, at.dlfo_link_map)
             : EK_TOUCH_UNKNOWN;
}
