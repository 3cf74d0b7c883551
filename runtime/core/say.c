/*===- say.c - lines on standard error ----------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*/
#include "core/say.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static struct stat first;
static enum { NOT_YET, THERE, CLOSED } state;

void ek_say_start(void) {
  if (state == NOT_YET)
    state = fstat(STDERR_FILENO, &first) == 0 ? THERE : CLOSED;
}

bool ek_say_may(void) {
  struct stat now;
  if (state != THERE)
    return state == NOT_YET;
  return fstat(STDERR_FILENO, &now) == 0 && now.st_dev == first.st_dev &&
         now.st_ino == first.st_ino;
}

void ek_say(const char *format, ...) {
  int saved = errno;
  if (ek_say_may()) {
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
  }
  errno = saved;
}
