/*===- counters.c - what the processor counts of tasks ------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: PAPI's low-level interface: one event set per thread, read while it
 * counts. Built without papi.h, nothing is counted and the summary says so.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "core/counters.h"
#include "core/options.h"
#include "core/stats.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

const char *const ek_counter_names[EK_COUNTERS] = {"instructions", "cycles",
                                                   "llc_misses"};
bool ek_counters_on;
unsigned ek_counters_mask;
const char *ek_counters_why = "";

static void unavailable(const char *why) {
  ek_counters_why = why;
  ek_counters_on = false;
  ek_count(EK_WHY_counters_unavailable, 1);
}

#if defined(__has_include) && __has_include(<papi.h>)
#include <papi.h>

static const int events[EK_COUNTERS] = {PAPI_TOT_INS, PAPI_TOT_CYC,
                                        PAPI_L3_TCM};
static struct {
  int (*library_init)(int);
  int (*thread_init)(unsigned long (*)(void));
  int (*create_eventset)(int *);
  int (*add_event)(int, int);
  int (*start)(int);
  int (*read)(int, long long *);
} papi;

static _Thread_local struct {
  int set;
  bool tried, counts;
  unsigned char at[EK_COUNTERS]; /* 1 + index of its value; 0: none */
} mine __attribute__((tls_model("initial-exec")));

static unsigned long self(void) { return (unsigned long)pthread_self(); }

static bool load(void) {
  void *library = dlopen("libpapi.so.7.0", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    library = dlopen("libpapi.so", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return false;
  struct {
    void *to;
    const char *name;
  } names[] = {{&papi.library_init, "PAPI_library_init"},
               {&papi.thread_init, "PAPI_thread_init"},
               {&papi.create_eventset, "PAPI_create_eventset"},
               {&papi.add_event, "PAPI_add_event"},
               {&papi.start, "PAPI_start"},
               {&papi.read, "PAPI_read"}};
  for (unsigned i = 0; i < sizeof names / sizeof *names; ++i) {
    void *symbol = dlsym(library, names[i].name);
    if (!symbol)
      return false;
    memcpy(names[i].to, &symbol, sizeof symbol);
  }
  return true;
}

/* Starts the calling thread's event set. Returns the mask of counted events. */
static unsigned begin(void) {
  unsigned mask = 0, count = 0;
  mine.tried = true;
  mine.set = PAPI_NULL;
  if (papi.create_eventset(&mine.set) != PAPI_OK)
    return 0;
  for (unsigned i = 0; i < EK_COUNTERS; ++i) {
    mine.at[i] = 0;
    if (papi.add_event(mine.set, events[i]) == PAPI_OK) {
      mine.at[i] = (unsigned char)++count;
      mask |= 1u << i;
    }
  }
  mine.counts = mask && papi.start(mine.set) == PAPI_OK;
  return mine.counts ? mask : 0;
}

void ek_counters_start(void) {
  if (!ek_opt.counters)
    return;
  if (!load())
    unavailable("no PAPI library (libpapi) was found");
  else if (papi.library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT)
    unavailable("the PAPI library has another version, or does not initialize");
  else if (papi.thread_init(self) != PAPI_OK)
    unavailable("the PAPI library cannot tell threads apart");
  else if (!(ek_counters_mask = begin()))
    unavailable("PAPI counts none of the events here (no access, or a virtual "
                "machine)");
  else
    ek_counters_on = true;
}

void ek_counters_read(uint64_t *out) {
  long long values[EK_COUNTERS] = {0};
  memset(out, 0, EK_COUNTERS * sizeof *out);
  if (!ek_counters_on || (!mine.tried && !begin()) || !mine.counts ||
      papi.read(mine.set, values) != PAPI_OK)
    return;
  for (unsigned i = 0; i < EK_COUNTERS; ++i)
    out[i] = mine.at[i] ? (uint64_t)values[mine.at[i] - 1] : 0;
}

#else
void ek_counters_start(void) {
  if (ek_opt.counters)
    unavailable("built without papi.h");
}
void ek_counters_read(uint64_t *out) {
  memset(out, 0, EK_COUNTERS * sizeof *out);
}
#endif

void ek_counters_forked(void) { ek_counters_on = false; }
