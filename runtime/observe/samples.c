/*===- samples.c - sampling addresses -----------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: one ring buffer per processor, so that threads that start later use it
 * too (a thread's ring is not inherited); records in the layout of
 * perf_event_open(2). Rings are read at the end of each phase and at exit. A
 * full ring loses the newest samples; the kernel reports that, and the summary
 * shows it.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "observe/samples.h"
#include "core/events.h"
#include "core/options.h"
#include "core/stats.h"
#include "core/tuning.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define UNITS "/sys/bus/event_source/devices"
/* By default, users may lock 129 pages per processor for a ring. */
enum { MOST_RINGS = 1024, RING_PAGES = 32, SITES = 4096 };
enum { IBS_STEP = 16 };

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

static void sample(uint64_t address, uint64_t cycles, uint64_t source) {
  ek_sample_sum *s = sum_of(site_of((const void *)(uintptr_t)address));
  if (!s) {
    ek_count(EK_WHY_sample_lost, 1);
    return;
  }
  ++s->samples;
  if (from_memory(source)) {
    ++s->memory;
    s->memory_cycles += cycles;
  }
}

/* Copies \p size bytes at position \p at of a ring, which may wrap around. */
static void copy(void *to, const unsigned char *records, size_t bytes,
                 uint64_t at, size_t size) {
  size_t from = (size_t)(at & (bytes - 1));
  size_t first = size < bytes - from ? size : bytes - from;
  memcpy(to, records + from, first);
  memcpy((unsigned char *)to + first, records, size - first);
}

void ek_samples_take_ring(struct perf_event_mmap_page *head,
                          const unsigned char *records, size_t bytes) {
  uint64_t end = __atomic_load_n(&head->data_head, __ATOMIC_ACQUIRE);
  uint64_t at = head->data_tail;
  struct perf_event_header h;
  if (end - at > bytes) { /* corrupt */
    ek_count(EK_WHY_sample_lost, 1);
    at = end;
  }
  while (end - at >= sizeof h) {
    copy(&h, records, bytes, at, sizeof h);
    if (h.size < sizeof h || h.size > end - at) {
      ek_count(EK_WHY_sample_lost, 1);
      at = end;
      break;
    }
    struct {
      uint32_t pid, tid;
      uint64_t address, weight, source;
    } body;
    struct {
      uint64_t id, lost;
    } gap;
    if (h.type == PERF_RECORD_SAMPLE && h.size >= sizeof h + sizeof body) {
      copy(&body, records, bytes, at + sizeof h, sizeof body);
      sample(body.address, body.weight, body.source);
    } else if (h.type == PERF_RECORD_LOST && h.size >= sizeof h + sizeof gap) {
      copy(&gap, records, bytes, at + sizeof h, sizeof gap);
      ek_count(EK_WHY_sample_lost, gap.lost);
    }
    at += h.size;
  }
  __atomic_store_n(&head->data_tail, at, __ATOMIC_RELEASE);
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

/* --- what can be sampled -----------------------------------------------------
 */

/* Reads the first line of a file in \p folder; false: there is none. */
static bool line_of(const char *folder, const char *name, char *out,
                    size_t size) {
  char path[512];
  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
    return false;
  FILE *f = fopen(path, "re");
  if (!f)
    return false;
  bool ok = fgets(out, (int)size, f) != NULL;
  fclose(f);
  return ok;
}

/* Parses "event=0xcd,umask=0x1,ldlat=3" of Intel's mem-loads. The layout of the
 * configuration is the same on all processors that have this event. */
static bool intel(const char *text, struct perf_event_attr *attr) {
  const char *event = strstr(text, "event="), *umask = strstr(text, "umask=");
  if (!event || !umask)
    return false;
  attr->config = (strtoull(event + 6, NULL, 0) & 0xff) |
                 (strtoull(umask + 6, NULL, 0) & 0xff) << 8;
  attr->config1 = EK_SAMPLED_LATENCY;
  attr->precise_ip = 2;
  attr->sample_period = EK_LOAD_PERIOD;
  return true;
}

bool ek_samples_unit(const char *folder, struct perf_event_attr *attr) {
  static const char *const cores[] = {"cpu", "cpu_core"};
  char text[256], name[64];
  for (size_t i = 0; i < sizeof cores / sizeof *cores; ++i) {
    snprintf(name, sizeof name, "%s/events/mem-loads", cores[i]);
    if (!line_of(folder, name, text, sizeof text) || !intel(text, attr))
      continue;
    snprintf(name, sizeof name, "%s/type", cores[i]);
    if (!line_of(folder, name, text, sizeof text))
      continue;
    attr->type = (uint32_t)strtoul(text, NULL, 10);
    return true;
  }
  if (!line_of(folder, "ibs_op/type", text, sizeof text))
    return false;
  attr->type = (uint32_t)strtoul(text, NULL, 10);
  attr->config = 1ull << 19; /* count operations, not cycles */
  attr->sample_period = EK_LOAD_PERIOD * IBS_STEP;
  return true;
}

/* Samples the calling thread and all threads it will start, on one
 * processor. */
static int open_on(struct perf_event_attr *attr, int cpu) {
  int fd =
      (int)syscall(SYS_perf_event_open, attr, 0, cpu, -1, PERF_FLAG_FD_CLOEXEC);
  if (fd < 0 && errno == EINVAL && attr->exclude_kernel) {
    attr->exclude_kernel = attr->exclude_hv = 0; /* IBS of older kernels */
    fd = (int)syscall(SYS_perf_event_open, attr, 0, cpu, -1,
                      PERF_FLAG_FD_CLOEXEC);
  }
  return fd;
}

static bool add_ring(struct perf_event_attr *attr, int cpu) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  int fd = open_on(attr, cpu);
  if (fd < 0)
    return false;
  void *head = mmap(NULL, (RING_PAGES + 1) * page, PROT_READ | PROT_WRITE,
                    MAP_SHARED, fd, 0);
  if (head == MAP_FAILED) {
    int why = errno;
    close(fd);
    errno = why;
    return false;
  }
  /* The mapping keeps the event open; the program might close a descriptor. */
  close(fd);
  ring_bytes = RING_PAGES * page;
  rings[ring_count++] = head;
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
                                 .sample_type = EK_SAMPLE_TYPE,
                                 .inherit = 1,
                                 .exclude_kernel = 1,
                                 .exclude_hv = 1};
  if (!ek_opt.samples[0])
    return;
  if (strcmp(ek_opt.samples, "faults") == 0) {
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = PERF_COUNT_SW_PAGE_FAULTS;
    attr.sample_period = 1;
  } else if (!ek_samples_unit(UNITS, &attr)) {
    unavailable(
        "the processor samples no addresses here (neither PEBS nor IBS; "
        "virtual machines often hide them)");
    return;
  }
  long cpus = sysconf(_SC_NPROCESSORS_CONF);
  for (int cpu = 0; cpu < cpus && cpu < MOST_RINGS; ++cpu)
    if (!add_ring(&attr, cpu) && errno != ENODEV) /* ENODEV: offline */
      break;
  if (ring_count) {
    ek_samples_on = true;
    ek_listen_phase_ended(phase_ended);
  } else if (errno == EACCES || errno == EPERM) {
    unavailable("perf_event_open is not permitted (perf_event_paranoid, or a "
                "container's filter)");
  } else if (errno == ENOSYS) {
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
