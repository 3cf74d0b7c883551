/*===- own.c - memory a process needs besides its data ------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See own.h. Each figure has its reason.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "placement/own.h"
#include "core/tuning.h"

#include <sched.h>
#include <stdlib.h>

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
  return EK_OWN_NODE_BYTES +
         (processes ? processes : 1) *
             (EK_OWN_PROCESS_BYTES + threads() * EK_OWN_THREAD_BYTES);
}

uint64_t ek_own_tables(uint64_t data) { return data / DATA_OF_A_TABLE; }
