/*===- pagemap.h - reading /proc/PID/pagemap ----------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: its layout, one word for each page, which are read in batches.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TOUCHES_PAGEMAP_H
#define EVENKEEL_RUNTIME_TOUCHES_PAGEMAP_H

#include "touches/base/raw.h"
#include <fcntl.h>

#define EK_PAGEMAP_SOFT_DIRTY ((uint64_t)1 << 55)
#define EK_PAGEMAP_PRESENT ((uint64_t)1 << 63)
enum { EK_PAGEMAP_BATCH = 512 };

/* The number of the page frame; 0 if the page is not in memory, or without the
 * right to know it. */
static inline uint64_t ek_pagemap_frame(uint64_t word) {
  return word & EK_PAGEMAP_PRESENT ? word & (((uint64_t)1 << 55) - 1) : 0;
}

static inline long ek_open_own(const char *path, int flags) {
  return ek_raw_call(SYS_openat, AT_FDCWD, (long)path, flags | O_CLOEXEC, 0, 0,
                     0);
}

/* Reads the words of pages from \p at on, before \p to. Returns their number,
 * 0 at the end, or minus an error number. */
static inline long ek_pagemap_read(long pagemap, uintptr_t at, uintptr_t to,
                                   uintptr_t page,
                                   uint64_t words[EK_PAGEMAP_BATCH]) {
  uintptr_t n = (to - at) / page;
  if (n > EK_PAGEMAP_BATCH)
    n = EK_PAGEMAP_BATCH;
  const long got = n ? ek_raw_call(SYS_pread64, pagemap, (long)words,
                                   (long)(n * 8), (long)(at / page * 8), 0, 0)
                     : 0;
  return got < 0 ? got : got / 8;
}

#endif
