/*===- soft_dirty.c - pages that are written, by soft-dirty bits --*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See soft_dirty.h.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "touches/mechanisms/soft_dirty.h"
#include "touches/mechanisms/pagemap.h"

#include <sys/mman.h>
#include <unistd.h>

void ek_soft_dirty_clear(long clear_refs) {
  ek_raw3(SYS_write, clear_refs, (long)"4", 1);
}

long ek_soft_dirty_count(long pagemap, uintptr_t from, uintptr_t to,
                         uintptr_t page) {
  uint64_t words[EK_PAGEMAP_BATCH];
  long pages = 0;
  for (uintptr_t at = from; at < to;) {
    const long n = ek_pagemap_read(pagemap, at, to, page, words);
    if (n < 0)
      return n;
    if (n == 0)
      break;
    for (long i = 0; i < n; ++i)
      pages += (words[i] & EK_PAGEMAP_SOFT_DIRTY) != 0;
    at += (uintptr_t)n * page;
  }
  return pages;
}

/* A page that was just made has the bit where there are such bits. Nothing is
 * cleared: that would concern the whole process. */
bool ek_soft_dirty_offered(void) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  const long pagemap = ek_open_own("/proc/thread-self/pagemap", O_RDONLY),
             clear = ek_open_own("/proc/thread-self/clear_refs", O_WRONLY);
  const long at = ek_raw_call(SYS_mmap, 0, (long)page, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  bool works = false;
  if (pagemap >= 0 && clear >= 0 && !(at < 0 && at > -4096)) {
    *(volatile char *)at = 1;
    const uintptr_t from = (uintptr_t)at;
    works = ek_soft_dirty_count(pagemap, from, from + page, page) == 1;
  }
  if (!(at < 0 && at > -4096))
    ek_raw3(SYS_munmap, at, (long)page, 0);
  if (pagemap >= 0)
    ek_raw3(SYS_close, pagemap, 0, 0);
  if (clear >= 0)
    ek_raw3(SYS_close, clear, 0, 0);
  return works;
}
