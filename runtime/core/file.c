/*===- file.c - files that the runtime writes ---------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: a descriptor still refers to our file as long as device and inode are
 * unchanged. If they differ, the program has closed it. Then the path is opened
 * again, and written only if it still names the same file.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/file.h"
#include "core/tuning.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A reader that closed its pipe must not end the program (SIGPIPE). */
static ssize_t write_quietly(int file, const void *data, size_t n) {
  sigset_t pipe, was, waiting;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  sigpending(&waiting);
  pthread_sigmask(SIG_BLOCK, &pipe, &was);
  ssize_t done = write(file, data, n);
  int why = errno;
  if (done < 0 && why == EPIPE && !sigismember(&waiting, SIGPIPE))
    sigtimedwait(&pipe, NULL, &(struct timespec){0, 0});
  pthread_sigmask(SIG_SETMASK, &was, NULL);
  errno = why;
  return done;
}

/* Waits up to EK_PIPE_PATIENCE_MS for a full pipe. */
static bool write_all(int file, const void *data, size_t n) {
  const char *from = data;
  while (n) {
    ssize_t done = write_quietly(file, from, n);
    if (done < 0 && errno == EINTR)
      continue;
    if (done < 0 && errno == EAGAIN) {
      struct pollfd p = {.fd = file, .events = POLLOUT};
      if (poll(&p, 1, EK_PIPE_PATIENCE_MS) == 1)
        continue;
      errno = EAGAIN;
    }
    if (done <= 0)
      return false;
    from += done;
    n -= (size_t)done;
  }
  return true;
}

/* --- whole files -------------------------------------------------------------
 */

int ek_file_beside(const char *path, char *name, size_t size) {
  struct stat old;
  bool replaces = lstat(path, &old) == 0 && S_ISREG(old.st_mode);
  for (int tries = 0; tries < 16; ++tries) {
    uint64_t random;
    if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
      return -1;
    if (snprintf(name, size, "%s.ek-%ld-%016llx", path, (long)getpid(),
                 (unsigned long long)random) >= (int)size) {
      errno = ENAMETOOLONG;
      return -1;
    }
    int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                    replaces ? 0600 : 0666);
    if (file < 0 && errno == EEXIST)
      continue;
    if (file >= 0 && replaces && fchmod(file, old.st_mode & 07777) != 0) {
      close(file);
      unlink(name);
      return -1;
    }
    return file;
  }
  return -1;
}

/* Devices, pipes, and links of the system such as /dev/stderr. */
static bool is_written_in_place(const char *path) {
  struct stat name, file;
  if (stat(path, &file) != 0)
    return false;
  return !S_ISREG(file.st_mode) ||
         (lstat(path, &name) == 0 && S_ISLNK(name.st_mode) &&
          (strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0));
}

static bool write_in_place(const char *path, const void *data, size_t n) {
  int file =
      open(path, O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (file < 0)
    return false;
  bool ok = write_all(file, data, n);
  int why = errno;
  close(file);
  errno = why;
  return ok;
}

bool ek_file_put(const char *path, const void *data, size_t n) {
  char name[4200];
  if (is_written_in_place(path))
    return write_in_place(path, data, n);
  int file = ek_file_beside(path, name, sizeof name);
  if (file < 0)
    return false;
  bool ok = write_all(file, data, n);
  int why = errno;
  if (close(file) != 0 && ok) /* NFS reports a full disk only here */
    ok = false, why = errno;
  if (ok && rename(name, path) != 0)
    ok = false, why = errno;
  if (!ok)
    unlink(name);
  errno = why;
  return ok;
}

/* --- files that stay open ----------------------------------------------------
 */

static bool is_same_file(const ek_kept_file *f, int number) {
  struct stat now;
  return fstat(number, &now) == 0 && now.st_dev == f->device &&
         now.st_ino == f->node;
}

/* Moves a descriptor to a high number: programs rely on getting the lowest. */
static int move_up(int number) {
  struct rlimit most;
  if (getrlimit(RLIMIT_NOFILE, &most) != 0)
    return number;
  rlim_t from = most.rlim_cur < 4096 ? most.rlim_cur / 4 * 3 : 3072;
  int up = fcntl(number, F_DUPFD_CLOEXEC, (int)from);
  if (up < 0)
    return number;
  close(number);
  return up;
}

bool ek_file_keep(ek_kept_file *f, const char *path) {
  const int flags = O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC;
  struct stat about;
  f->number = -1;
  f->path[0] = 0;
  int number = open(path, flags | O_NOCTTY, 0666);
  if (number < 0)
    return false;
  if (fstat(number, &about) != 0 ||
      (S_ISREG(about.st_mode) && ftruncate(number, 0) != 0)) {
    int why = errno;
    close(number);
    errno = why;
    return false;
  }
  f->device = about.st_dev;
  f->node = about.st_ino;
  f->number = move_up(number);
  if (S_ISREG(about.st_mode) && !realpath(path, f->path))
    f->path[0] = 0;
  return true;
}

/* The program closed the descriptor, or reused its number. */
static bool open_again(ek_kept_file *f) {
  f->number = -1; /* the number now belongs to the program */
  if (!f->path[0]) {
    errno = EBADF;
    return false;
  }
  int number = open(f->path, O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC |
                                 O_NOFOLLOW | O_NOCTTY);
  if (number < 0)
    return false;
  if (!is_same_file(f, number)) {
    close(number);
    errno = EBADF;
    return false;
  }
  f->number = move_up(number);
  return true;
}

bool ek_file_add(ek_kept_file *f, const void *data, size_t n) {
  if (f->number >= 0 && !is_same_file(f, f->number) && !open_again(f))
    return false;
  if (f->number >= 0 && write_all(f->number, data, n))
    return true;
  int why = errno;
  ek_file_leave(f);
  errno = why;
  return false;
}

void ek_file_leave(ek_kept_file *f) {
  if (f->number >= 0 && is_same_file(f, f->number))
    close(f->number);
  f->number = -1;
}
