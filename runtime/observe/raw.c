/*===- raw.c - writing the raw stream -----------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: rows are kept in memory of the C library, under one lock. Only hooks
 * and large allocations add rows, and only while recording.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "observe/raw.h"
#include "core/file.h"
#include "core/options.h"
#include "core/say.h"
#include "core/state.h"
#include "core/stats.h"
#include "core/text.h"
#include "format/ek_sizes.h"

#include "format/ek_raw.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool on;

typedef struct rows {
  void *data;
  size_t count, slots;
} rows;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static rows dead;   /* of ek_raw_inst */
static rows phases; /* of ek_raw_phase */
static rows tasks;  /* of ek_raw_task */
static uint64_t phase_start_ns;
static uint32_t explicit_tasks; /* in the current phase */
static uint32_t phase_tasks;
static uint32_t workers = 1;

void ek_raw_lock(void) { pthread_mutex_lock(&lock); }
void ek_raw_unlock(void) { pthread_mutex_unlock(&lock); }

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Appends a zeroed row; NULL if there is no memory (counted). */
static void *add_row(rows *r, size_t size) {
  if (r->count == r->slots) {
    size_t slots = r->slots ? r->slots * 2 : 64;
    void *bigger = realloc(r->data, slots * size);
    if (!bigger) {
      ek_count(EK_WHY_record_lost, 1);
      return NULL;
    }
    r->data = bigger;
    r->slots = slots;
  }
  return memset((char *)r->data + r->count++ * size, 0, size);
}

void ek_raw_forked(void) {
  dead.count = phases.count = tasks.count = 0;
  explicit_tasks = phase_tasks = 0;
  phase_start_ns = now_ns();
}

static void instance(rows *r, const ek_told *o, uint32_t free_phase) {
  ek_raw_inst *row = add_row(r, sizeof *row);
  if (!row)
    return;
  row->site = o->site;
  row->context = o->context;
  row->in_context = o->in_context;
  row->ordinal = o->ordinal;
  row->creator = o->creator;
  row->bytes = o->peak_bytes;
  /* An object from before a fork exists since the child's first phase. */
  uint32_t now = __atomic_load_n(&ek_phase_now, __ATOMIC_RELAXED);
  row->alloc_phase = o->alloc_phase <= now ? o->alloc_phase : 0;
  row->free_phase = free_phase;
}

static void freed(const ek_told *o) {
  pthread_mutex_lock(&lock);
  instance(&dead, o, ek_phase_now);
  pthread_mutex_unlock(&lock);
}

static void region_ran(const ek_ran *ran) {
  const uint32_t thread = ran->thread, phase = ran->phase;
  const bool is_explicit = ran->explicit_task;
  pthread_mutex_lock(&lock);
  if (thread + 1 > workers)
    workers = thread + 1;
  ++phase_tasks;
  /* One row per thread and region of a phase; one per explicit task. */
  ek_raw_task *row = NULL;
  if (!is_explicit)
    for (size_t i = tasks.count; i-- > 0 && !row;) {
      ek_raw_task *t = (ek_raw_task *)tasks.data + i;
      if (t->phase != phase)
        break;
      if (t->region == ran->region && t->index == thread && !(t->flags & 1))
        row = t;
    }
  if (!row && (row = add_row(&tasks, sizeof *row))) {
    row->region = ran->region;
    row->phase = phase;
    row->index = is_explicit ? explicit_tasks++ : thread;
    row->worker = thread;
    row->flags = is_explicit;
  }
  if (row)
    row->wall_ns += ran->ns;
  pthread_mutex_unlock(&lock);
}

/* The caller holds the lock. */
static void end_phase(uint64_t sync) {
  uint64_t now = now_ns();
  ek_raw_phase *p = add_row(&phases, sizeof *p);
  if (p) {
    p->sync = sync;
    p->width = 1;
    if (!phase_tasks) { /* no region was timed: the phase is one task */
      ek_raw_task *t = add_row(&tasks, sizeof *t);
      if (t) {
        t->phase = (uint32_t)phases.count - 1;
        t->wall_ns = now - phase_start_ns;
      }
    }
  }
  phase_start_ns = now;
  explicit_tasks = phase_tasks = 0;
}

static void phase_ended(uint64_t sync, bool serial) {
  if (!serial)
    return;
  pthread_mutex_lock(&lock);
  end_phase(sync);
  pthread_mutex_unlock(&lock);
}

void ek_raw_start(void) {
  on = ek_opt.raw[0] != 0;
  phase_start_ns = now_ns();
  if (!on)
    return;
  ek_listen_freed(freed);
  ek_listen_region_ran(region_ran);
  ek_listen_phase_ended(phase_ended);
}

/* --- writing -----------------------------------------------------------------
 */

static void add_live(const ek_told *o, void *all) {
  instance(all, o, EK_NO_TASK);
}

#define COMPARE(a, b)                                                          \
  if ((a) != (b))                                                              \
  return (a) < (b) ? -1 : 1

static int by_identity(const void *a, const void *b) {
  const ek_raw_inst *x = a, *y = b;
  COMPARE(x->site, y->site);
  COMPARE(x->creator, y->creator);
  COMPARE(x->ordinal, y->ordinal);
  return 0;
}

static int by_phase(const void *a, const void *b) {
  const ek_raw_task *x = a, *y = b;
  COMPARE(x->phase, y->phase);
  COMPARE(x->flags, y->flags);
  COMPARE(x->index, y->index);
  COMPARE(x->region, y->region);
  return 0;
}

static bool section(FILE *f, uint32_t tag, const void *data, size_t count,
                    size_t size) {
  ek_raw_section s = {tag, (uint32_t)count, (uint64_t)count * size};
  return fwrite(&s, sizeof s, 1, f) == 1 &&
         (!count || fwrite(data, size, count, f) == count);
}

void ek_raw_write(uint32_t rank, ek_raw_alive *alive) {
  if (!on)
    return;
  char name[4096], path[4096], beside[4200];
  if (snprintf(name, sizeof name, "%s.%ld", ek_opt.raw, (long)getpid()) >=
          (int)sizeof name ||
      !ek_text_from_start(path, sizeof path, name)) {
    ek_count(EK_WHY_record_lost, 1);
    return;
  }
  rows all = {0};
  alive(add_live, &all);
  pthread_mutex_lock(&lock);
  end_phase(0);
  for (size_t i = 0; i < dead.count; ++i) {
    ek_raw_inst *row = add_row(&all, sizeof *row);
    if (row)
      *row = ((ek_raw_inst *)dead.data)[i];
  }
  if (all.count)
    qsort(all.data, all.count, sizeof(ek_raw_inst), by_identity);
  if (tasks.count)
    qsort(tasks.data, tasks.count, sizeof(ek_raw_task), by_phase);

  ek_raw_header header = {.process = rank, .mode = 3};
  memcpy(header.magic, EK_RAW_MAGIC, sizeof header.magic);
  ek_raw_conf conf = {.line_bytes = EK_LINE, .workers = workers};
  int file = ek_file_beside(path, beside, sizeof beside);
  FILE *f = file >= 0 ? fdopen(file, "wb") : NULL;
  bool ok =
      f && fwrite(&header, sizeof header, 1, f) == 1 &&
      section(f, EK_RAW_CONF, &conf, 1, sizeof conf) &&
      section(f, EK_RAW_INST, all.data, all.count, sizeof(ek_raw_inst)) &&
      section(f, EK_RAW_PHAS, phases.data, phases.count,
              sizeof(ek_raw_phase)) &&
      section(f, EK_RAW_TASK, tasks.data, tasks.count, sizeof(ek_raw_task)) &&
      section(f, EK_RAW_END, NULL, 0, 0);
  if (f)
    ok &= fclose(f) == 0;
  if (!ok || rename(beside, path) != 0) {
    ek_say("evenkeel: cannot write %s; check that its folder exists "
           "and can be written\n",
           name);
    if (file >= 0)
      unlink(beside);
    ek_count(EK_WHY_record_lost, all.count + tasks.count);
  }
  pthread_mutex_unlock(&lock);
  free(all.data);
}
