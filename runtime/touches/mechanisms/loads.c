/*===- loads.c - pages that are touched, by sampled loads ---------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See loads.h.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "touches/mechanisms/loads.h"
#include "loads/ring.h"
#include "loads/unit.h"
#include "touches/base/arena.h"
#include "touches/base/raw.h"

#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_RINGS = 1024, MOST_PAGES = 32, MOST_SAMPLES = 1 << 16 };

typedef struct ring {
  struct perf_event_mmap_page *head;
  long fd;
} ring;

static struct perf_event_attr event;
static int processors;
static uintptr_t page;
static ring *rings;
static int ring_count;
static size_t ring_pages;
static uint64_t *samples; /* numbers of pages */
static uint32_t sample_count, left_out;
static uint32_t process;
static ek_load_gaps gaps;

/* --- samples by page ---------------------------------------------------------
 */

void ek_loads_add(uint32_t pid, uint64_t address) {
  if (pid != process)
    return;
  if (sample_count == MOST_SAMPLES)
    ++left_out;
  else
    samples[sample_count++] = address / page;
}

static void sift(size_t root, size_t n) {
  for (size_t child; (child = 2 * root + 1) < n; root = child) {
    if (child + 1 < n && samples[child] < samples[child + 1])
      ++child;
    if (samples[root] >= samples[child])
      return;
    const uint64_t t = samples[root];
    samples[root] = samples[child];
    samples[child] = t;
  }
}

/* Heap sort: the C library's qsort may allocate. */
void ek_loads_sort(void) {
  for (size_t i = sample_count / 2; i-- > 0;)
    sift(i, sample_count);
  for (size_t i = sample_count; i-- > 1;) {
    const uint64_t t = samples[0];
    samples[0] = samples[i];
    samples[i] = t;
    sift(0, i);
  }
}

/* The number of samples on pages before \p number. */
static uint32_t before(uint64_t number) {
  uint32_t low = 0, high = sample_count;
  while (low < high) {
    const uint32_t mid = low + (high - low) / 2;
    if (samples[mid] < number)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

ek_loads_seen ek_loads_in(uintptr_t from, uintptr_t to) {
  const uint32_t first = before(from / page), end = before(to / page);
  ek_loads_seen seen = {0, end - first};
  for (uint32_t i = first; i < end; ++i)
    seen.pages += i == first || samples[i] != samples[i - 1];
  return seen;
}

uint32_t ek_loads_count(void) { return sample_count; }

uint32_t ek_loads_lost(void) {
  const uint64_t all = gaps.lost + gaps.damaged + left_out;
  return all < UINT32_MAX ? (uint32_t)all : UINT32_MAX;
}

/* --- rings -------------------------------------------------------------------
 */

bool ek_loads_start(const struct perf_event_attr *attr, int cpus) {
  event = *attr;
  event.size = sizeof event;
  event.sample_type = EK_LOAD_SAMPLE;
  event.disabled = event.inherit = 1;
  event.exclude_kernel = event.exclude_hv = 1;
  processors = cpus < MOST_RINGS ? cpus : MOST_RINGS;
  if (!rings)
    rings = ek_arena_take(MOST_RINGS * sizeof *rings);
  if (!samples)
    samples = ek_arena_take(MOST_SAMPLES * sizeof *samples);
  return rings && samples;
}

static long map(long fd) {
  long at = -ENOMEM;
  for (; ring_pages; ring_pages /= 2) {
    at = ek_load_map(fd, ring_pages, page);
    if (!(at < 0 && at > -4096))
      break;
  }
  return at;
}

/* The rings share a size: users may lock little memory. */
static bool add_ring(int cpu) {
  const long fd = ek_load_open(&event, process, cpu);
  if (fd == -ENODEV) /* this processor is offline */
    return true;
  const long at = fd < 0 ? fd : map(fd);
  if (at < 0 && at > -4096) {
    if (fd >= 0)
      ek_raw3(SYS_close, fd, 0, 0);
    return false;
  }
  rings[ring_count++] = (ring){(struct perf_event_mmap_page *)at, fd};
  return true;
}

bool ek_loads_open(uintptr_t page_bytes) {
  page = page_bytes;
  process = (uint32_t)ek_raw3(SYS_getpid, 0, 0, 0);
  ring_count = 0; /* those of a parent are not mapped here */
  sample_count = 0;
  left_out = 0;
  gaps = (ek_load_gaps){0, 0, 0};
  ring_pages = MOST_PAGES;
  for (int cpu = 0; cpu < processors; ++cpu)
    if (!add_ring(cpu)) {
      ek_loads_close();
      return false;
    }
  return ring_count;
}

static void tell_all(unsigned long request) {
  for (int i = 0; i < ring_count; ++i)
    ek_raw3(SYS_ioctl, rings[i].fd, (long)request, 0);
}

void ek_loads_begin(void) {
  sample_count = 0;
  tell_all(PERF_EVENT_IOC_ENABLE);
}

static void take(const ek_load *load, void *data) {
  (void)data;
  ek_loads_add(load->pid, load->address);
}

void ek_loads_end(void) {
  tell_all(PERF_EVENT_IOC_DISABLE);
  for (int i = 0; i < ring_count; ++i) {
    const struct perf_event_mmap_page *head = rings[i].head;
    const uint64_t bytes = head->data_size;
    ek_load_ring_drain(rings[i].head, (const unsigned char *)head + page, bytes,
                       take, NULL, &gaps);
  }
  ek_loads_sort();
}

void ek_loads_close(void) {
  for (int i = 0; i < ring_count; ++i) {
    ek_raw3(SYS_munmap, (long)rings[i].head,
            (long)(rings[i].head->data_size + page), 0);
    ek_raw3(SYS_close, rings[i].fd, 0, 0);
  }
  ring_count = 0;
}

bool ek_loads_offered(void) {
  struct perf_event_attr attr = {0};
  if (!ek_load_unit(EK_LOAD_UNITS, &attr) ||
      !ek_loads_start(&attr, (int)sysconf(_SC_NPROCESSORS_CONF)))
    return false;
  const long fd = ek_load_open(&event, 0, -1);
  if (fd >= 0)
    ek_raw3(SYS_close, fd, 0, 0);
  return fd >= 0;
}
