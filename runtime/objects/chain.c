/*===- chain.c - contexts by number -------------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the table is reserved once and never moves, so numbers can be looked
 * up without a lock; only the pages in use cost memory.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "objects/chain.h"

#include <stddef.h>
#include <sys/mman.h>

enum {
  SLOTS = 1 << 20,
  MOST = SLOTS / 2
}; /* open addressing; number 0 means none */

static uint64_t *slots;
static uint32_t used;

uint32_t ek_chain_number(uint64_t context) {
  if (!context)
    return 0;
  if (!slots) {
    void *p = mmap(NULL, SLOTS * sizeof *slots, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
      return 0;
    __atomic_store_n(&slots, (uint64_t *)p, __ATOMIC_RELEASE);
  }
  /* Contexts are hashes already. */
  uint32_t i = (uint32_t)context % (SLOTS - 1) + 1;
  while (slots[i] && slots[i] != context)
    i = i % (SLOTS - 1) + 1;
  if (slots[i])
    return i;
  if (used == MOST)
    return 0;
  ++used;
  __atomic_store_n(&slots[i], context, __ATOMIC_RELEASE);
  return i;
}

uint64_t ek_chain_context(uint32_t number) {
  return number ? __atomic_load_n(&slots[number], __ATOMIC_ACQUIRE) : 0;
}
