/*===- seen.c - what hooks saw, for later plans --------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: rows are added without locks and without allocating: a thread claims a
 * row (state 1), fills it, and publishes it (state 2). So a hook costs tens of
 * nanoseconds, and a signal or fork in between leaves at most one row unused.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "observe/seen.h"
#include "core/options.h"
#include "core/text.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

bool ek_seen_on;
ek_seen_table ek_seen;

enum { FREE, CLAIMED, DONE };

static uint64_t last_hook_ns;
static uint64_t freed_count;

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static size_t slot_of(uint64_t a, uint64_t b, size_t slots) {
  return (size_t)((a ^ b * 3) * 0x9e3779b97f4a7c15ULL >> 40) % slots;
}

/* Claims a row, or waits the few instructions until another thread has
 * published it. Returns whether the row is this caller's to fill. */
static bool claim(uint32_t *state) {
  uint32_t was = FREE;
  if (__atomic_compare_exchange_n(state, &was, CLAIMED, false, __ATOMIC_ACQUIRE,
                                  __ATOMIC_ACQUIRE))
    return true;
  for (int i = 0; was == CLAIMED && i < 100000; ++i)
    was = __atomic_load_n(state, __ATOMIC_ACQUIRE);
  return false;
}

static void publish(uint32_t *state) {
  __atomic_store_n(state, DONE, __ATOMIC_RELEASE);
}

static void extend(int64_t *to_least, int64_t *to_most, int64_t value) {
  int64_t least = __atomic_load_n(to_least, __ATOMIC_RELAXED);
  while (value < least &&
         !__atomic_compare_exchange_n(to_least, &least, value, true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  int64_t most = __atomic_load_n(to_most, __ATOMIC_RELAXED);
  while (value > most &&
         !__atomic_compare_exchange_n(to_most, &most, value, true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

static void handed(uint64_t region, uint64_t variable, int64_t value) {
  size_t at = slot_of(region, variable, EK_SEEN_VALUES);
  for (size_t i = 0; i < EK_SEEN_VALUES; ++i, at = (at + 1) % EK_SEEN_VALUES) {
    ek_seen_value *v = &ek_seen.values[at];
    if (__atomic_load_n(&v->state, __ATOMIC_ACQUIRE) != DONE &&
        claim(&v->state)) {
      v->region = region;
      v->variable = variable;
      v->first = v->last = v->least = v->most = value;
      publish(&v->state);
      return;
    }
    if (v->region == region && v->variable == variable) {
      if (__atomic_load_n(&v->last, __ATOMIC_RELAXED) != value) {
        __atomic_store_n(&v->last, value, __ATOMIC_RELAXED);
        extend(&v->least, &v->most, value);
      }
      return;
    }
  }
  __atomic_fetch_add(&ek_seen.more_values, 1, __ATOMIC_RELAXED);
}

static void totalled(uint64_t region, uint64_t total, uint32_t thread,
                     int64_t count) {
  size_t at = slot_of(total, thread, EK_SEEN_TOTALS);
  for (size_t i = 0; i < EK_SEEN_TOTALS; ++i, at = (at + 1) % EK_SEEN_TOTALS) {
    ek_seen_total *t = &ek_seen.totals[at];
    if (__atomic_load_n(&t->state, __ATOMIC_ACQUIRE) != DONE &&
        claim(&t->state)) {
      t->region = region;
      t->total = total;
      t->thread = thread;
      t->first = t->last = t->least = t->most = count;
      publish(&t->state);
      return;
    }
    if (t->region == region && t->total == total && t->thread == thread) {
      if (__atomic_load_n(&t->last, __ATOMIC_RELAXED) != count) {
        __atomic_store_n(&t->last, count, __ATOMIC_RELAXED);
        extend(&t->least, &t->most, count);
      }
      return;
    }
  }
  __atomic_fetch_add(&ek_seen.more_totals, 1, __ATOMIC_RELAXED);
}

static void freed(const ek_told *o) {
  const uint64_t n = __atomic_fetch_add(&freed_count, 1, __ATOMIC_RELAXED);
  if (n >= EK_SEEN_OBJECTS) {
    __atomic_fetch_add(&ek_seen.more_objects, 1, __ATOMIC_RELAXED);
    return;
  }
  ek_seen_object *row = &ek_seen.objects[n];
  row->site = o->site;
  row->context = o->context;
  row->bytes = o->peak_bytes;
  row->creator = o->creator;
  row->ordinal = o->ordinal;
  row->in_context = o->in_context;
  publish(&row->state);
}

static void phase_ended(uint64_t sync, bool serial) {
  if (!serial)
    return;
  const uint64_t now = now_ns();
  const uint64_t since =
      __atomic_exchange_n(&last_hook_ns, now, __ATOMIC_RELAXED);
  size_t at = slot_of(sync, 0, EK_SEEN_PHASES);
  for (size_t i = 0; i < EK_SEEN_PHASES; ++i, at = (at + 1) % EK_SEEN_PHASES) {
    ek_seen_phase *p = &ek_seen.phases[at];
    if (__atomic_load_n(&p->state, __ATOMIC_ACQUIRE) != DONE &&
        claim(&p->state)) {
      p->sync = sync;
      publish(&p->state);
    }
    if (p->sync == sync) {
      __atomic_fetch_add(&p->times, 1, __ATOMIC_RELAXED);
      __atomic_fetch_add(&p->ns, now > since ? now - since : 0,
                         __ATOMIC_RELAXED);
      return;
    }
  }
  __atomic_fetch_add(&ek_seen.more_phases, 1, __ATOMIC_RELAXED);
}

/* --- the start ---------------------------------------------------------------
 */

bool ek_seen_look(const char *path, ek_seen_named *its) {
  struct stat s;
  if (stat(path, &s) != 0 || !S_ISREG(s.st_mode))
    return false;
  its->device = s.st_dev;
  its->node = s.st_ino;
  its->bytes = (uint64_t)s.st_size;
  its->changed = s.st_mtim;
  return true;
}

/* Finds the program and the folder of its workspaces. Returns whether there may
 * be a workspace: seen_file.cpp looks closer, at the end. */
static bool find_workspace(void) {
  const ssize_t n =
      readlink("/proc/self/exe", ek_seen.program, sizeof ek_seen.program - 1);
  if (n <= 0)
    return false;
  ek_seen.program[n] = 0;
  const char *slash = strrchr(ek_seen.program, '/');
  if (!slash || !ek_seen_look(ek_seen.program, &ek_seen.file))
    return false;
  ek_seen.shared = ek_opt.workspace[0] != 0;
  char beside[4200], list[4600];
  snprintf(beside, sizeof beside, "%.*s/.evenkeel",
           (int)(slash - ek_seen.program), ek_seen.program);
  if (!ek_text_from_start(ek_seen.top, sizeof ek_seen.top,
                          ek_seen.shared ? ek_opt.workspace : beside))
    return false;
  const int length = snprintf(list, sizeof list, "%s/%s/workspace.json",
                              ek_seen.top, slash + 1);
  return length < (int)sizeof list && access(list, F_OK) == 0;
}

static bool read_command(void) {
  const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  ssize_t n;
  while (ek_seen.command_bytes < sizeof ek_seen.command &&
         (n = read(file, ek_seen.command + ek_seen.command_bytes,
                   sizeof ek_seen.command - ek_seen.command_bytes)) > 0)
    ek_seen.command_bytes += (size_t)n;
  close(file);
  /* A command that does not fit cannot be told from another. */
  return ek_seen.command_bytes > 0 &&
         ek_seen.command_bytes < sizeof ek_seen.command &&
         !ek_seen.command[ek_seen.command_bytes - 1];
}

static void look_at_files(void) {
  uint32_t word = 0;
  for (size_t at = 0; at < ek_seen.command_bytes;
       at += strlen(ek_seen.command + at) + 1, ++word) {
    ek_seen_named its = {.word = word};
    if (word && ek_seen.file_count < EK_SEEN_FILES &&
        ek_seen_look(ek_seen.command + at, &its))
      ek_seen.files[ek_seen.file_count++] = its;
  }
}

void ek_seen_start(void) {
  if (!ek_opt.seen || getauxval(AT_SECURE) || !find_workspace() ||
      !read_command())
    return;
  if (!getcwd(ek_seen.folder, sizeof ek_seen.folder))
    ek_seen.folder[0] = 0;
  look_at_files();
  ek_seen.owner = getpid();
  ek_seen.began_ns = last_hook_ns = now_ns();
  ek_listen_handed(handed);
  ek_listen_totalled(totalled);
  ek_listen_freed(freed);
  ek_listen_phase_ended(phase_ended);
  ek_seen_on = true;
}
