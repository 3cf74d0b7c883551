/*===- text.c - names of files, and texts in JSON -----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char start[4096]; /* working directory at start; empty: unknown */

void ek_text_start(void) {
  if (!getcwd(start, sizeof start))
    start[0] = 0;
}

bool ek_text_from_start(char *out, size_t size, const char *name) {
  bool whole = name[0] == '/';
  if (!whole && !start[0]) {
    errno = ENOENT;
    return false;
  }
  int n = whole ? snprintf(out, size, "%s", name)
                : snprintf(out, size, "%s/%s", start, name);
  errno = ENAMETOOLONG;
  return n >= 0 && (size_t)n < size;
}

void ek_text_path(char *out, size_t size, const char *pattern) {
  const char *pid = strstr(pattern, "%p");
  if (!pid)
    snprintf(out, size, "%s", pattern);
  else
    snprintf(out, size, "%.*s%ld%s", (int)(pid - pattern), pattern,
             (long)getpid(), pid + 2);
}

const char *ek_text_error(int error) {
  switch (error) {
  case ENXIO:
    return "no process reads that pipe, or it is a socket";
  case EAGAIN:
    return "its reader does not read";
  default:
    return strerror(error);
  }
}

void ek_text_json(char *out, size_t size, const char *text) {
  size_t n = 0;
  out[n++] = '"';
  for (; *text && n + 3 < size; ++text) {
    if (*text == '"' || *text == '\\')
      out[n++] = '\\';
    out[n++] = (unsigned char)*text < 0x20 ? ' ' : *text;
  }
  out[n++] = '"';
  out[n] = 0;
}
