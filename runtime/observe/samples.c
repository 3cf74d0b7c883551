/*===- samples.c - sampling addresses -----------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: one ring buffer per processor, so that threads that start later use it
 * too: a thread's ring is not inherited. Rings are read whenever a phase ends,
 * and at exit. A full ring loses the newest samples, which the kernel reports
 * and the summary shows.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "observe/samples.h"
#include "core/events.h"
#include "core/options.h"
#include "core/stats.h"
#include "loads/ring.h"
#include "loads/unit.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* By default, users may lock 129 pages per processor for a ring. */
enum { MOST_RINGS = 1024, RING_PAGES = 32, SITES = 4096 };

bool ek_samples_on;
const char *ek_samples_why = "";

static struct perf_event_mmap_page *rings[MOST_RINGS];
static unsigned ring_count;
static size_t ring_bytes;
static ek_site_of *site_of;
static ek_sample_sum sums[SITES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* --- records -----------------------------------------------------------------
 */

/* The sum for a site; NULL: no room. Slot 0 is for addresses in no object. */
static ek_sample_sum *sum_of(uint64_t site) {
  if (!site)
    return &sums[0];
  uint64_t at = site * 0x9e3779b97f4a7c15ULL >> 52; /* SITES is 2^12 */
  for (unsigned tries = 0; tries < SITES; ++tries, at = (at + 1) % SITES) {
    if (at == 0)
      continue;
    if (!sums[at].site)
      sums[at].site = site;
    if (sums[at].site == site)
      return &sums[at];
  }
  return NULL;
}

/* Whether the data came from memory. Older kernels report levels as bits, newer
 * ones as a number. */
static bool from_memory(uint64_t source) {
  const union perf_mem_data_src s = {.val = source};
  if (s.mem_lvl &
      (PERF_MEM_LVL_LOC_RAM | PERF_MEM_LVL_REM_RAM1 | PERF_MEM_LVL_REM_RAM2))
    return true;
  return s.mem_lvl_num >= 0x8 && s.mem_lvl_num <= 0xe && /* CXL .. memory */
         s.mem_lvl_num != PERF_MEM_LVLNUM_ANY_CACHE &&
         s.mem_lvl_num != PERF_MEM_LVLNUM_LFB;
}

static void take(const ek_load *load, void *data) {
  (void)data;
  ek_sample_sum *s = sum_of(site_of((const void *)(uintptr_t)load->address));
  if (!s) {
    ek_count(EK_WHY_sample_lost, 1);
    return;
  }
  ++s->samples;
  if (from_memory(load->source)) {
    ++s->memory;
    s->memory_cycles += load->cycles;
  }
}

void ek_samples_take_ring(struct perf_event_mmap_page *head,
                          const unsigned char *records, size_t bytes) {
  ek_load_gaps gaps = {0, 0, 0};
  ek_load_ring_drain(head, records, bytes, take, NULL, &gaps);
  if (gaps.lost + gaps.damaged)
    ek_count(EK_WHY_sample_lost, gaps.lost + gaps.damaged);
}

void ek_samples_drain(void) {
  if (pthread_mutex_trylock(&lock) != 0)
    return;
  for (unsigned i = 0; i < ring_count; ++i)
    ek_samples_take_ring(
        rings[i], (unsigned char *)rings[i] + (size_t)sysconf(_SC_PAGESIZE),
        ring_bytes);
  pthread_mutex_unlock(&lock);
}

static int by_site(const void *a, const void *b) {
  const ek_sample_sum *x = a, *y = b;
  return x->site < y->site ? -1 : x->site > y->site;
}

size_t ek_samples_sums(ek_sample_sum **out) {
  size_t count = 0;
  ek_sample_sum *all = calloc(SITES, sizeof *all);
  *out = all;
  if (!all)
    return 0;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < SITES; ++i)
    if (sums[i].samples)
      all[count++] = sums[i];
  pthread_mutex_unlock(&lock);
  qsort(all, count, sizeof *all, by_site);
  return count;
}

/* --- what is sampled ---------------------------------------------------------
 */

/* False, with the error number in \p failed. */
static bool add_ring(struct perf_event_attr *attr, int cpu, long *failed) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const long fd = ek_load_open(attr, 0, cpu);
  const long at = fd < 0 ? fd : ek_load_map(fd, RING_PAGES, page);
  /* The mapping keeps the event open; the program might close a descriptor. */
  if (fd >= 0)
    close((int)fd);
  if (at < 0 && at > -4096) {
    *failed = -at;
    return false;
  }
  ring_bytes = RING_PAGES * page;
  rings[ring_count++] = (struct perf_event_mmap_page *)at;
  return true;
}

void ek_samples_by(ek_site_of *of) { site_of = of; }

static void phase_ended(uint64_t sync, bool serial) {
  (void)sync, (void)serial;
  if (ek_samples_on) /* false in a forked child */
    ek_samples_drain();
}

static void unavailable(const char *why) {
  ek_samples_why = why;
  ek_count(EK_WHY_samples_unavailable, 1);
}

void ek_samples_start(void) {
  struct perf_event_attr attr = {.size = sizeof attr,
                                 .sample_type = EK_LOAD_SAMPLE,
                                 .inherit = 1,
                                 .exclude_kernel = 1,
                                 .exclude_hv = 1};
  if (!ek_opt.samples[0])
    return;
  if (strcmp(ek_opt.samples, "faults") == 0) {
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = PERF_COUNT_SW_PAGE_FAULTS;
    attr.sample_period = 1;
  } else if (!ek_load_unit(EK_LOAD_UNITS, &attr)) {
    unavailable(
        "the processor samples no addresses here (neither PEBS nor IBS; "
        "virtual machines often hide them)");
    return;
  }
  long cpus = sysconf(_SC_NPROCESSORS_CONF);
  long failed = 0;
  for (int cpu = 0; cpu < cpus && cpu < MOST_RINGS; ++cpu)
    if (!add_ring(&attr, cpu, &failed) && failed != ENODEV) /* offline */
      break;
  if (ring_count) {
    ek_samples_on = true;
    ek_listen_phase_ended(phase_ended);
  } else if (failed == EACCES || failed == EPERM) {
    unavailable("perf_event_open is not permitted (perf_event_paranoid, or a "
                "container's filter)");
  } else if (failed == ENOSYS) {
    unavailable("the kernel has no perf_event_open");
  } else {
    unavailable("the kernel refuses to sample addresses (perf_event_open)");
  }
}

void ek_samples_forked(void) {
  ek_samples_on = false;
  for (unsigned i = 0; i < ring_count; ++i) {
    munmap(rings[i], ring_bytes + (size_t)sysconf(_SC_PAGESIZE));
  }
  ring_count = 0;
  memset(sums, 0, sizeof sums);
  pthread_mutex_init(&lock, NULL);
}
