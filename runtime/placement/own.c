/*===- own.c - memory a process needs besides its data ------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See own.h. Each figure has its reason.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "placement/own.h"

#include <sched.h>
#include <stdlib.h>

/* The kernel's reserve for atomic allocations, and pages that its processors
 * hold back. */
static const uint64_t node_bytes = (uint64_t)2 << 20;
/* The runtime's records and thread, and the C library's first blocks. */
static const uint64_t process_bytes = (uint64_t)1 << 20;
/* The touched part of a thread's stack, what LLVM's OpenMP library keeps per
 * thread, and the kernel stack: 28 + 5 + 16 KiB were measured. */
static const uint64_t thread_bytes = (uint64_t)64 << 10;
/* A page table entry of 8 bytes maps a page of 4 KiB. */
enum { DATA_OF_A_TABLE = 512 };

static uint64_t threads(void) {
  const char *said = getenv("OMP_NUM_THREADS");
  long count = said ? strtol(said, NULL, 10) : 0;
  cpu_set_t mine;
  if (count <= 0)
    count =
        sched_getaffinity(0, sizeof mine, &mine) == 0 ? CPU_COUNT(&mine) : 1;
  return (uint64_t)count;
}

uint64_t ek_own_bytes(unsigned processes) {
  return node_bytes + (processes ? processes : 1) *
                          (process_bytes + threads() * thread_bytes);
}

uint64_t ek_own_tables(uint64_t data) { return data / DATA_OF_A_TABLE; }
