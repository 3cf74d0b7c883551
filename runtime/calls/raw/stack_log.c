/*===- stack_log.c - whole call stacks of placed objects ----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * FlexMalloc tells objects apart by the return addresses of the whole call
 * stack. The table of call stacks has ranges and inlined frames instead, so the
 * stacks are those that a run shows. The log is text: a line "# evenkeel call
 * stacks", then for each stack "SITE CONTEXT BYTES FILE!OFFSET > FILE!OFFSET",
 * innermost return address first, to the root. Offsets are those in the file,
 * in hexadecimal. A line goes out with one write, so processes may share a log.
 * Not here: sites (stack.c).
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "calls/raw/stack_log.h"
#include "core/options.h"
#include "core/stats.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unwind.h>

enum { FRAMES = 128, SEEN = 1 << 16, LINE = 1 << 16 };

static const char head[] = "# evenkeel call stacks\n";

typedef struct walk {
  uintptr_t from, pcs[FRAMES];
  unsigned count;
  bool begun, cut;
} walk;

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *data) {
  walk *w = data;
  w->begun |= _Unwind_GetCFA(context) - sizeof(uintptr_t) == w->from;
  uintptr_t pc = _Unwind_GetIP(context);
  if (!w->begun || !pc)
    return _URC_NO_REASON;
  if (w->count == FRAMES) {
    w->cut = true;
    return _URC_END_OF_STACK;
  }
  w->pcs[w->count++] = pc;
  return _URC_NO_REASON;
}

/* Stacks that are in the log, by hash; 0: free. */
static uint64_t seen[SEEN];

typedef enum { NEW, OLD, FULL } remembered;

static remembered remember(uint64_t hash) {
  hash |= 1;
  for (unsigned i = 0; i < SEEN; ++i) {
    uint64_t *at = &seen[(hash + i) % SEEN], now = 0;
    if (__atomic_load_n(at, __ATOMIC_RELAXED) == hash)
      return OLD;
    if (__atomic_compare_exchange_n(at, &now, hash, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
      return NEW;
    if (now == hash)
      return OLD;
    if (i == 64)
      break; /* nearly full: searching would take longer and longer */
  }
  return FULL;
}

static uint64_t hash_of(const walk *w, uint64_t site, uint64_t context) {
  uint64_t h = site ^ context * 0x9e3779b97f4a7c15ULL;
  for (unsigned i = 0; i < w->count; ++i) {
    h = (h ^ w->pcs[i]) * 0xbf58476d1ce4e5b9ULL;
    h ^= h >> 31;
  }
  return h;
}

/* Writes "FILE!OFFSET" of a return address; false: it lies in no file. */
static bool print_frame(char *to, size_t size, uintptr_t pc) {
  static char path[PATH_MAX]; /* under the lock */
  struct dl_find_object at;
  /* The return address of a call at the end of its code is past the code. */
  if (_dl_find_object((void *)(pc - 1), &at) != 0)
    return false;
  const ElfW(Ehdr) *header = at.dlfo_map_start;
  if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
    return false;
  const char *name = at.dlfo_link_map->l_name;
  if (!realpath(name && name[0] ? name : "/proc/self/exe", path))
    return false;
  const ElfW(Phdr) *segment =
      (const void *)((const char *)header + header->e_phoff);
  for (unsigned i = 0; i < header->e_phnum; ++i, ++segment) {
    uintptr_t start = at.dlfo_link_map->l_addr + segment->p_vaddr;
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) ||
        pc - 1 < start || pc - 1 >= start + segment->p_memsz)
      continue;
    int n = snprintf(to, size, "%s!%lx", path,
                     (unsigned long)(pc - start + segment->p_offset));
    return n > 0 && (size_t)n < size;
  }
  return false;
}

/* Opens the log at the first stack; -1: it cannot be written. */
static int opened(void) {
  static int fd = -2;
  if (fd != -2)
    return fd;
  fd = open(ek_opt.stack_log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  struct stat s;
  if (fd >= 0 && fstat(fd, &s) == 0 && s.st_size == 0 &&
      write(fd, head, sizeof head - 1) != sizeof head - 1) {
    close(fd);
    fd = -1;
  }
  return fd;
}

static bool print_stack(const walk *w, uint64_t site, uint64_t context,
                        size_t n) {
  static char line[LINE];
  int fd = opened();
  if (fd < 0)
    return false;
  size_t at = (size_t)snprintf(line, sizeof line, "%016llx %016llx %zu",
                               (unsigned long long)site,
                               (unsigned long long)context, n);
  for (unsigned i = 0; i < w->count; ++i) {
    const char *between = i ? " > " : " ";
    size_t room = sizeof line - at - 8;
    if (room < 16 || room > sizeof line)
      return false;
    at += (size_t)snprintf(line + at, room, "%s", between);
    if (!print_frame(line + at, sizeof line - at - 8, w->pcs[i]))
      return false;
    at += strlen(line + at);
  }
  line[at++] = '\n';
  return write(fd, line, at) == (ssize_t)at;
}

void ek_stack_log(uint64_t site, uint64_t context, size_t n,
                  const uintptr_t *slot) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  if (!ek_opt.stack_log[0])
    return;
  walk w = {.from = (uintptr_t)slot};
  _Unwind_Backtrace(visit, &w);
  remembered r = remember(hash_of(&w, site, context));
  if (r == OLD)
    return;
  bool written = false;
  if (r == NEW && w.count && !w.cut) {
    pthread_mutex_lock(&lock);
    written = print_stack(&w, site, context, n);
    pthread_mutex_unlock(&lock);
  }
  if (!written)
    ek_count(EK_WHY_stack_not_logged, 1);
}
