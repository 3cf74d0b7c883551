/*===- unit.c - the processor's unit that samples loads -----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See unit.h.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "loads/unit.h"
#include "core/raw_call.h"
#include "core/tuning.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

enum { IBS_STEP = 16 };

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

bool ek_load_unit(const char *folder, struct perf_event_attr *attr) {
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

long ek_load_open(struct perf_event_attr *attr, long tid, int cpu) {
  long fd = ek_raw_call(SYS_perf_event_open, (long)attr, tid, cpu, -1,
                        PERF_FLAG_FD_CLOEXEC, 0);
  if (fd == -EINVAL && attr->exclude_kernel) {
    attr->exclude_kernel = attr->exclude_hv = 0; /* IBS of older kernels */
    fd = ek_raw_call(SYS_perf_event_open, (long)attr, tid, cpu, -1,
                     PERF_FLAG_FD_CLOEXEC, 0);
  }
  return fd;
}

long ek_load_map(long fd, size_t pages, size_t page_bytes) {
  return ek_raw_call(SYS_mmap, 0, (long)((pages + 1) * page_bytes),
                     PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}
