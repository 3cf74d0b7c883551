/*===- attributes.c - attributes that programs give to pages -------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the C library's functions that change mappings or their attributes,
 * and the same system calls through syscall(). If one of them touched a block
 * of ours, the block's pages are returned to the system when it is freed
 * (pages.h), as those of the C library's large blocks are: locks, protection,
 * advice, policies and files mapped over it end with it. Process-wide limits
 * and locks would count reserved memory, so they switch to exact mode.
 * Not here: the `syscall` instruction, and calls by other processes.
 * Never instrumented. Takes no lock and no memory, because an allocator of the
 * program may call these functions internally.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "arenas/arena.h"
#include "core/system.h"
#include "objects/extent.h"
#include "objects/pages.h"
#include "placement/place.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/shm.h>

#define EXPORT __attribute__((visibility("default")))

/* Missing in the headers of older kernels and C libraries. */
enum {
  ADVICE_WILLNEED = 3,
  ADVICE_DONTNEED = 4,
  ADVICE_FREE = 8,
  ADVICE_COLD = 20,
  ADVICE_PAGEOUT = 21,
  ADVICE_POPULATE_READ = 22,
  ADVICE_POPULATE_WRITE = 23,
  ADVICE_DONTNEED_LOCKED = 24,
  ADVICE_COLLAPSE = 25,
  CALL_HOME_NODE = 450, /* set_mempolicy_home_node */
};
static const unsigned long uffdio_register = 0xc020aa00;

/* Whether an advice has effect after the call. */
static bool lasts(long advice) {
  switch (advice) {
  case ADVICE_WILLNEED:
  case ADVICE_DONTNEED:
  case ADVICE_FREE:
  case ADVICE_COLD:
  case ADVICE_PAGEOUT:
  case ADVICE_POPULATE_READ:
  case ADVICE_POPULATE_WRITE:
  case ADVICE_DONTNEED_LOCKED:
  case ADVICE_COLLAPSE:
    return false;
  default:
    return true;
  }
}

static void advised(const void *p, size_t n, long advice) {
  if (lasts(advice))
    ek_pages_alter(p, n);
}

/* Memory that is only reserved would count from now on. */
static void count_exactly(void) {
  ek_arenas_close();
  ek_place_exact();
}

static void limited(int resource, const struct rlimit *to) {
  if (to && (resource == RLIMIT_AS || resource == RLIMIT_DATA) &&
      to->rlim_cur != RLIM_INFINITY)
    count_exactly();
}

static void controlled(unsigned long request, const void *argument) {
  if (request != uffdio_register || !argument)
    return;
  const uint64_t *range = argument; /* it begins with struct uffdio_range */
  ek_pages_alter((const void *)(uintptr_t)range[0], (size_t)range[1]);
}

/* --- locks, protection, advice, policies -------------------------------------
 */

EXPORT int mlock(const void *p, size_t n) {
  ek_pages_alter(p, n);
  return (int)ek_system(SYS_mlock, (long)p, (long)n, 0, 0, 0, 0);
}

EXPORT int mlock2(const void *p, size_t n, unsigned flags) {
  if (!flags)
    return mlock(p, n);
  ek_pages_alter(p, n);
  return (int)ek_system(SYS_mlock2, (long)p, (long)n, flags, 0, 0, 0);
}

EXPORT int mlockall(int flags) {
  count_exactly();
  return (int)ek_system(SYS_mlockall, flags, 0, 0, 0, 0, 0);
}

EXPORT int mprotect(void *p, size_t n, int protection) {
  ek_pages_alter(p, n);
  return ek_system_protect(p, n, protection);
}

EXPORT int pkey_mprotect(void *p, size_t n, int protection, int key) {
  ek_pages_alter(p, n);
  if (key == -1) /* plain mprotect: works on kernels without keys */
    return ek_system_protect(p, n, protection);
  return (int)ek_system(SYS_pkey_mprotect, (long)p, (long)n, protection, key, 0,
                        0);
}

EXPORT int madvise(void *p, size_t n, int advice) {
  advised(p, n, advice);
  return ek_system_advise(p, n, advice);
}

EXPORT int posix_madvise(void *p, size_t n, int advice) {
  if (advice == POSIX_MADV_DONTNEED)
    return 0; /* MADV_DONTNEED would lose data; glibc ignores it, too */
  advised(p, n, advice);
  int saved = errno;
  int error = ek_system_advise(p, n, advice) == 0 ? 0 : errno;
  errno = saved;
  return error;
}

/* libnuma's function, which all its calls for address ranges use. */
EXPORT long mbind(void *p, unsigned long n, int mode, const unsigned long *mask,
                  unsigned long most, unsigned flags);
long mbind(void *p, unsigned long n, int mode, const unsigned long *mask,
           unsigned long most, unsigned flags) {
  ek_pages_alter(p, n);
  return ek_system(SYS_mbind, (long)p, (long)n, mode, (long)mask, (long)most,
                   flags);
}

EXPORT int remap_file_pages(void *p, size_t n, int protection, size_t offset,
                            int flags) {
  ek_pages_alter(p, n);
  return (int)ek_system(SYS_remap_file_pages, (long)p, (long)n, protection,
                        (long)offset, flags, 0);
}

EXPORT void *shmat(int id, const void *p, int flags) {
  struct shmid_ds about;
  if (p && flags & SHM_REMAP && shmctl(id, IPC_STAT, &about) == 0)
    ek_pages_alter(p, about.shm_segsz);
  return (void *)ek_system(SYS_shmat, id, (long)p, flags, 0, 0, 0);
}

/* --- the process's limits ----------------------------------------------------
 */

#if __USE_FILE_OFFSET64
#error "the functions below would be renamed"
#endif

EXPORT int setrlimit(__rlimit_resource_t resource, const struct rlimit *to) {
  limited((int)resource, to);
  return (int)ek_system(SYS_setrlimit, (long)resource, (long)to, 0, 0, 0, 0);
}

EXPORT int setrlimit64(__rlimit_resource_t resource,
                       const struct rlimit64 *to) {
  return setrlimit(resource, (const struct rlimit *)to);
}

EXPORT int prlimit(pid_t process, __rlimit_resource_t resource,
                   const struct rlimit *to, struct rlimit *was) {
  limited((int)resource, to);
  return (int)ek_system(SYS_prlimit64, process, (long)resource, (long)to,
                        (long)was, 0, 0);
}

EXPORT int prlimit64(pid_t process, __rlimit_resource_t resource,
                     const struct rlimit64 *to, struct rlimit64 *was) {
  return prlimit(process, resource, (const struct rlimit *)to,
                 (struct rlimit *)was);
}

/* --- system calls ------------------------------------------------------------
 */

EXPORT int ioctl(int file, unsigned long request, ...) {
  va_list list;
  va_start(list, request);
  void *argument = va_arg(list, void *);
  va_end(list);
  controlled(request, argument);
  return (int)ek_system(SYS_ioctl, file, (long)request, (long)argument, 0, 0,
                        0);
}

static void called(long number, long a, long b, long c, long d) {
  switch (number) {
  case SYS_mmap:
    if (d & (MAP_FIXED))
      ek_pages_alter((void *)a, (size_t)b);
    break;
  case SYS_madvise:
    advised((void *)a, (size_t)b, c);
    break;
  case SYS_mlock:
  case SYS_mlock2:
  case SYS_mprotect:
  case SYS_pkey_mprotect:
  case SYS_mbind:
  case SYS_munmap:
  case SYS_mremap:
  case SYS_remap_file_pages:
  case CALL_HOME_NODE:
    ek_pages_alter((void *)a, (size_t)b);
    break;
  case SYS_ioctl:
    controlled((unsigned long)b, (void *)c);
    break;
  case SYS_mlockall:
    count_exactly();
    break;
  case SYS_setrlimit:
    limited((int)a, (void *)b);
    break;
  case SYS_prlimit64:
    limited((int)b, (void *)c);
    break;
  default:
    break;
  }
}

/* Takes the maximum number of arguments, as the C library's function does. */
EXPORT long any_call(long number, long a, long b, long c, long d, long e,
                     long f) __asm__("syscall");
long any_call(long number, long a, long b, long c, long d, long e, long f) {
  called(number, a, b, c, d);
  return ek_system(number, a, b, c, d, e, f);
}
