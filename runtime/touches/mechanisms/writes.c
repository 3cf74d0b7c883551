/*===- writes.c - pages that are written, by write protection -----*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See writes.h.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "touches/mechanisms/writes.h"
#include "touches/mechanisms/pagemap.h"

#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY 1
#endif
#define WP_UNPOPULATED ((uint64_t)1 << 13)
#define WP_ASYNC ((uint64_t)1 << 15)

/* PAGEMAP_SCAN of linux/fs.h, since Linux 6.7. */
struct scanned {
  uint64_t start, end, categories;
};
struct scan {
  uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages;
  uint64_t category_inverted, category_mask, category_anyof_mask, return_mask;
};
#define SCAN _IOWR('f', 16, struct scan)
enum { SCAN_PROTECTS = 1, SCAN_CHECKS = 2, IS_WRITTEN = 2 };

long ek_writes_open(void) {
  const long fd = ek_raw3(SYS_userfaultfd,
                          O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY, 0, 0);
  if (fd < 0)
    return fd;
  struct uffdio_api api = {.api = UFFD_API,
                           .features = WP_ASYNC | WP_UNPOPULATED};
  const long failed = ek_raw3(SYS_ioctl, fd, (long)UFFDIO_API, (long)&api);
  if (failed == 0)
    return fd;
  ek_raw3(SYS_close, fd, 0, 0);
  return failed;
}

long ek_writes_protect(long uffd, long pagemap, uintptr_t from, uintptr_t to) {
  struct uffdio_register range = {.range = {from, to - from},
                                  .mode = UFFDIO_REGISTER_MODE_WP};
  const long failed =
      ek_raw3(SYS_ioctl, uffd, (long)UFFDIO_REGISTER, (long)&range);
  if (failed < 0)
    return failed;
  struct scan s = {.size = sizeof s,
                   .flags = SCAN_PROTECTS | SCAN_CHECKS,
                   .start = from,
                   .end = to,
                   .category_mask = IS_WRITTEN,
                   .return_mask = IS_WRITTEN};
  return ek_raw3(SYS_ioctl, pagemap, (long)SCAN, (long)&s);
}

long ek_writes_count(long pagemap, uintptr_t from, uintptr_t to,
                     uintptr_t page) {
  struct scanned ranges[64];
  long pages = 0;
  for (uintptr_t at = from; at < to;) {
    struct scan s = {.size = sizeof s,
                     .flags = SCAN_CHECKS,
                     .start = at,
                     .end = to,
                     .vec = (uintptr_t)ranges,
                     .vec_len = sizeof ranges / sizeof *ranges,
                     .category_mask = IS_WRITTEN,
                     .return_mask = IS_WRITTEN};
    const long n = ek_raw3(SYS_ioctl, pagemap, (long)SCAN, (long)&s);
    if (n < 0)
      return n;
    for (long i = 0; i < n; ++i)
      pages += (long)((ranges[i].end - ranges[i].start) / page);
    if (s.walk_end <= at)
      break;
    at = s.walk_end;
  }
  return pages;
}

/* Protects two pages, writes one of them, and expects to see just that. */
bool ek_writes_offered(void) {
  const size_t page = 65536; /* a multiple of every page size */
  const long uffd = ek_writes_open();
  if (uffd < 0)
    return false;
  const long pagemap = ek_open_own("/proc/thread-self/pagemap", O_RDONLY);
  const long at =
      ek_raw_call(SYS_mmap, 0, (long)(2 * page), PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  bool works = false;
  if (pagemap >= 0 && !(at < 0 && at > -4096)) {
    volatile char *p = (volatile char *)at;
    p[0] = p[page] = 1;
    works = ek_writes_protect(uffd, pagemap, (uintptr_t)at,
                              (uintptr_t)at + 2 * page) >= 0;
    p[page] = 2;
    works = works &&
            ek_writes_count(pagemap, (uintptr_t)at, (uintptr_t)at + page,
                            4096) == 0 &&
            ek_writes_count(pagemap, (uintptr_t)at + page,
                            (uintptr_t)at + 2 * page, 4096) > 0;
    ek_raw3(SYS_munmap, at, (long)(2 * page), 0);
  }
  if (pagemap >= 0)
    ek_raw3(SYS_close, pagemap, 0, 0);
  ek_raw3(SYS_close, uffd, 0, 0);
  return works;
}
