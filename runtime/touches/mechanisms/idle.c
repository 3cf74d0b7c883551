/*===- idle.c - pages that are touched, by idle page tracking -----*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See idle.h.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "touches/mechanisms/idle.h"
#include "touches/mechanisms/pagemap.h"

#include <sys/mman.h>
#include <unistd.h>

/* Of linux/kernel-page-flags.h. */
#define COMPOUND_TAIL ((uint64_t)1 << 16)

bool ek_idle_open(ek_idle *files) {
  files->pagemap = ek_open_own("/proc/thread-self/pagemap", O_RDONLY);
  files->bitmap = ek_open_own("/sys/kernel/mm/page_idle/bitmap", O_RDWR);
  files->flags = ek_open_own("/proc/kpageflags", O_RDONLY);
  return files->pagemap >= 0 && files->bitmap >= 0 && files->flags >= 0;
}

void ek_idle_close(const ek_idle *files) {
  const long all[] = {files->pagemap, files->bitmap, files->flags};
  for (int i = 0; i < 3; ++i)
    if (all[i] >= 0)
      ek_raw3(SYS_close, all[i], 0, 0);
}

/* --- marking -----------------------------------------------------------------
 */

/* Bits of one word that are not written yet: frames often follow each other. */
typedef struct marks {
  uint64_t word, bits;
} marks;

static long write_marks(const ek_idle *files, marks *m) {
  const long n = m->bits
                     ? ek_raw_call(SYS_pwrite64, files->bitmap, (long)&m->bits,
                                   8, (long)(m->word * 8), 0, 0)
                     : 0;
  m->bits = 0;
  return n;
}

long ek_idle_mark(const ek_idle *files, uintptr_t from, uintptr_t to,
                  uintptr_t page) {
  uint64_t words[EK_PAGEMAP_BATCH];
  marks m = {0, 0};
  long pages = 0, n;
  for (uintptr_t at = from; at < to; at += (uintptr_t)n * page) {
    n = ek_pagemap_read(files->pagemap, at, to, page, words);
    if (n <= 0)
      return n < 0 ? n : pages;
    for (long i = 0; i < n; ++i) {
      const uint64_t frame = ek_pagemap_frame(words[i]);
      if (!frame)
        continue;
      if (frame / 64 != m.word) {
        const long failed = write_marks(files, &m);
        if (failed < 0)
          return failed;
        m.word = frame / 64;
      }
      m.bits |= (uint64_t)1 << frame % 64;
      ++pages;
    }
  }
  const long failed = write_marks(files, &m);
  return failed < 0 ? failed : pages;
}

/* --- counting ----------------------------------------------------------------
 */

typedef struct last {
  uint64_t word, bits; /* of the bitmap */
  uint64_t frame;      /* of the page before, and whether it is idle */
  bool idle;
} last;

static bool read_word(long file, uint64_t at, uint64_t *to) {
  return ek_raw_call(SYS_pread64, file, (long)to, 8, (long)(at * 8), 0, 0) == 8;
}

static bool is_idle(const ek_idle *files, uint64_t frame, last *l) {
  uint64_t flags;
  if (frame / 64 != l->word) {
    l->word = frame / 64;
    if (!read_word(files->bitmap, l->word, &l->bits))
      l->bits = 0;
  }
  bool idle = l->bits >> frame % 64 & 1;
  if (!idle && frame == l->frame + 1 && l->idle &&
      read_word(files->flags, frame, &flags))
    idle = flags & COMPOUND_TAIL; /* as its first frame */
  l->frame = frame;
  l->idle = idle;
  return idle;
}

long ek_idle_count(const ek_idle *files, uintptr_t from, uintptr_t to,
                   uintptr_t page) {
  uint64_t words[EK_PAGEMAP_BATCH];
  last l = {.word = UINT64_MAX};
  long pages = 0, n;
  for (uintptr_t at = from; at < to; at += (uintptr_t)n * page) {
    n = ek_pagemap_read(files->pagemap, at, to, page, words);
    if (n <= 0)
      return n < 0 ? n : pages;
    for (long i = 0; i < n; ++i) {
      const uint64_t frame = ek_pagemap_frame(words[i]);
      if (frame)
        pages += !is_idle(files, frame, &l);
    }
  }
  return pages;
}

/* --- probing -----------------------------------------------------------------
 */

/* Whether the frame of a page of its own is told. That page is too new to be
 * marked: the kernel does not list it yet. */
bool ek_idle_offered(void) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  ek_idle files;
  uint64_t words[EK_PAGEMAP_BATCH];
  const bool open = ek_idle_open(&files);
  const long at = ek_raw_call(SYS_mmap, 0, (long)page, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const bool mapped = !(at < 0 && at > -4096);
  bool works = false;
  if (open && mapped) {
    *(volatile char *)at = 1;
    works = ek_pagemap_read(files.pagemap, (uintptr_t)at, (uintptr_t)at + page,
                            page, words) == 1 &&
            ek_pagemap_frame(words[0]) != 0;
  }
  if (mapped)
    ek_raw3(SYS_munmap, at, (long)page, 0);
  ek_idle_close(&files);
  return works;
}
