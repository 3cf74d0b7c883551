/*===- account.c - fast memory that the processes of a run share --*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See account.h.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "touches/placing/account.h"
#include "touches/base/raw.h"

#include <fcntl.h>
#include <sys/mman.h>

enum { PROCESSES = 1023 };

typedef struct share {
  uint32_t pid; /* 0: free */
  uint32_t reserved;
  uint64_t bytes;
} share;

/* The file's contents; zeros at first. */
typedef struct account {
  uint64_t used, reserved;
  share of[PROCESSES];
} account;

static account *all;
static share *own;
static uint64_t most;

bool ek_account_start(const char *path, uint64_t limit) {
  most = limit;
  const long fd = ek_raw_call(SYS_openat, AT_FDCWD, (long)path,
                              O_RDWR | O_CREAT | O_CLOEXEC, 0600, 0, 0);
  if (fd < 0)
    return false;
  long at = -1;
  if (ek_raw3(SYS_ftruncate, fd, (long)sizeof *all, 0) == 0)
    at = ek_raw_call(SYS_mmap, 0, (long)sizeof *all, PROT_READ | PROT_WRITE,
                     MAP_SHARED, fd, 0);
  ek_raw3(SYS_close, fd, 0, 0);
  if (at < 0 && at > -4096)
    return false;
  all = (account *)at;
  return true;
}

void ek_account_forked(void) { own = NULL; }

static void leave(share *s, uint64_t bytes) {
  __atomic_fetch_sub(&s->bytes, bytes, __ATOMIC_ACQ_REL);
  __atomic_fetch_sub(&all->used, bytes, __ATOMIC_ACQ_REL);
}

/* Gives back what ended processes took. Whoever sets `pid` to 0 does it. */
static void settle_ended(void) {
  for (int i = 0; i < PROCESSES; ++i) {
    share *s = &all->of[i];
    uint32_t pid = __atomic_load_n(&s->pid, __ATOMIC_ACQUIRE);
    if (!pid || ek_raw3(SYS_kill, (long)pid, 0, 0) != -ESRCH)
      continue;
    const uint64_t bytes = __atomic_load_n(&s->bytes, __ATOMIC_ACQUIRE);
    if (__atomic_compare_exchange_n(&s->pid, &pid, UINT32_MAX, false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
      leave(s, bytes);
      __atomic_store_n(&s->pid, 0, __ATOMIC_RELEASE);
    }
  }
}

static share *find_own(void) {
  const uint32_t pid = (uint32_t)ek_raw3(SYS_getpid, 0, 0, 0);
  for (int again = 0; again < 2; ++again) {
    for (int i = 0; i < PROCESSES; ++i) {
      uint32_t free = 0;
      if (__atomic_compare_exchange_n(&all->of[i].pid, &free, pid, false,
                                      __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return &all->of[i];
      /* Left by this process before it called exec. */
      if (free == pid) {
        leave(&all->of[i],
              __atomic_load_n(&all->of[i].bytes, __ATOMIC_ACQUIRE));
        return &all->of[i];
      }
    }
    settle_ended();
  }
  return NULL;
}

static bool reserve(uint64_t bytes) {
  uint64_t used = __atomic_load_n(&all->used, __ATOMIC_ACQUIRE);
  while (bytes <= most && used <= most - bytes)
    if (__atomic_compare_exchange_n(&all->used, &used, used + bytes, false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      return true;
  return false;
}

bool ek_account_take(uint64_t bytes) {
  if (!own && !(own = find_own()))
    return false;
  if (!reserve(bytes)) {
    settle_ended();
    if (!reserve(bytes))
      return false;
  }
  __atomic_fetch_add(&own->bytes, bytes, __ATOMIC_ACQ_REL);
  return true;
}

void ek_account_give(uint64_t bytes) {
  if (own && bytes)
    leave(own, bytes);
}

uint64_t ek_account_room(void) {
  const uint64_t used = __atomic_load_n(&all->used, __ATOMIC_ACQUIRE);
  return used < most ? most - used : 0;
}
