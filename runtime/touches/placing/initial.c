/*===- initial.c - where new blocks shall lie ---------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See initial.h.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "touches/placing/initial.h"
#include "touches/base/arena.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE = 17 }; /* 16 digits and a line feed */

static uint64_t *hashes; /* in rising order */
static size_t count;
static bool listed;

static bool read_all(int fd, char *to, size_t n) {
  for (size_t at = 0; at < n;) {
    const ssize_t got = read(fd, to + at, n - at);
    if (got <= 0)
      return false;
    at += (size_t)got;
  }
  return true;
}

static bool read_list(int fd) {
  struct stat about;
  if (fstat(fd, &about) != 0)
    return false;
  const size_t bytes = (size_t)about.st_size;
  if (!bytes)
    return true; /* no stack is fast */
  char *text = ek_arena_take(bytes + 1);
  hashes = ek_arena_take(bytes / LINE * sizeof *hashes + 1);
  if (!text || !hashes || !read_all(fd, text, bytes))
    return false;
  for (size_t at = 0; at + LINE <= bytes; at += LINE)
    hashes[count++] = strtoull(text + at, NULL, 16);
  return true;
}

bool ek_initial_start(const char *path) {
  if (!path || !*path)
    return true;
  listed = true;
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  const bool done = read_list(fd);
  close(fd);
  return done;
}

bool ek_initial_fast(uint64_t hash) {
  size_t low = 0, high = count;
  while (low < high) {
    const size_t mid = (low + high) / 2;
    if (hashes[mid] < hash)
      low = mid + 1;
    else
      high = mid;
  }
  return !listed || (low < count && hashes[low] == hash);
}

bool ek_initial_fast_unknown(void) { return !listed; }
