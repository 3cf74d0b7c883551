/*===- stream.c - the file that the watcher writes ----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: a write that fails ends the stream; what it has then is whole items
 * and perhaps the beginning of one, which readers leave out.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "touches/stream.h"
#include "touches/base/arena.h"
#include "touches/base/raw.h"

#include <fcntl.h>
#include <string.h>
#include <sys/uio.h>

enum { ROOM = 1 << 18, PATH = 4096 };
static char *collected;
static size_t filled;
static long file = -1;
static char path[PATH];
static size_t path_bytes;

bool ek_stream_start(void) {
  collected = ek_arena_take(ROOM);
  return collected;
}

static size_t put_number(char *to, uint64_t n) {
  char digits[20];
  size_t count = 0;
  do
    digits[count++] = (char)('0' + n % 10);
  while (n /= 10);
  for (size_t i = 0; i < count; ++i)
    to[i] = digits[count - 1 - i];
  return count;
}

/* Ends the stream. A file <prefix>.<pid>.<number>.full beside it, which is
 * empty, tells the reader that there was no room for the rest. */
static void end_early(void) {
  static const char mark[] = ".full";
  ek_raw3(SYS_close, file, 0, 0);
  file = -1;
  memcpy(path + path_bytes, mark, sizeof mark);
  const long full = ek_raw_call(SYS_openat, AT_FDCWD, (long)path,
                                O_WRONLY | O_CREAT | O_CLOEXEC, 0600, 0, 0);
  if (full >= 0)
    ek_raw3(SYS_close, full, 0, 0);
}

static void write_all(struct iovec *part, int count) {
  while (count && file >= 0) {
    long n = ek_raw3(SYS_writev, file, (long)part, count);
    if (n == -EINTR)
      continue;
    if (n <= 0) {
      end_early();
      return;
    }
    for (; count && (size_t)n >= part->iov_len; ++part, --count)
      n -= (long)part->iov_len;
    if (count) {
      part->iov_base = (char *)part->iov_base + n;
      part->iov_len -= (size_t)n;
    }
  }
}

void ek_stream_why(const char *prefix, const char *why) {
  static const char mark[] = ".why";
  size_t n = strlen(prefix);
  if (n + 48 > sizeof path)
    return;
  memcpy(path, prefix, n);
  path[n++] = '.';
  n += put_number(path + n, (uint64_t)ek_raw3(SYS_getpid, 0, 0, 0));
  memcpy(path + n, mark, sizeof mark);
  const long fd =
      ek_raw_call(SYS_openat, AT_FDCWD, (long)path,
                  O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600, 0, 0);
  if (fd < 0)
    return;
  ek_raw3(SYS_write, fd, (long)why, (long)strlen(why));
  ek_raw3(SYS_close, fd, 0, 0);
}

bool ek_stream_open(const char *prefix, const ek_touch_header *header) {
  size_t n = strlen(prefix);
  if (n + 48 > sizeof path)
    return false;
  memcpy(path, prefix, n);
  path[n++] = '.';
  n += put_number(path + n, header->pid);
  /* Processes of other containers may have the same number. */
  for (unsigned again = 0; again < 100; ++again) {
    path[n] = '.';
    path_bytes = n + 1 + put_number(path + n + 1, again);
    path[path_bytes] = 0;
    file = ek_raw_call(SYS_openat, AT_FDCWD, (long)path,
                       O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600, 0, 0);
    if (file != -EEXIST)
      break;
  }
  if (file < 0)
    return false;
  ek_raw3(SYS_fchmod, file, 0600, 0); /* whatever the program's umask is */
  filled = 0;
  struct iovec part = {(void *)(uintptr_t)header, sizeof *header};
  write_all(&part, 1);
  return file >= 0;
}

void ek_stream_item(uint32_t kind, const void *item, size_t n, const char *text,
                    size_t more) {
  const size_t whole = (n + more + 7) & ~(size_t)7;
  const ek_touch_item head = {kind, (uint32_t)whole};
  if (sizeof head + whole > ROOM - filled)
    ek_stream_write(NULL, NULL);
  char *to = collected + filled;
  memset(to, 0, sizeof head + whole);
  memcpy(to, &head, sizeof head);
  memcpy(to + sizeof head, item, n);
  if (more)
    memcpy(to + sizeof head + n, text, more);
  filled += sizeof head + whole;
}

void ek_stream_write(const ek_touch_pass *pass, const ek_touch_row *rows) {
  const size_t n = pass ? pass->row_count * sizeof *rows : 0;
  ek_touch_item head = {EK_TOUCH_PASS, 0};
  head.bytes = (uint32_t)(n + sizeof *pass);
  struct iovec parts[4] = {{collected, filled},
                           {&head, sizeof head},
                           {(void *)(uintptr_t)pass, sizeof *pass},
                           {(void *)(uintptr_t)rows, n}};
  write_all(parts, pass ? 4 : 1);
  filled = 0;
}
