/*===- event.c - what happened, one line each ---------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: lines are put together on the stack and copied into one buffer under a
 * lock; a full buffer is written with one call. What a killed process had in
 * its buffer is lost, what it had written are whole lines.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "observe/event.h"
#include "core/file.h"
#include "core/options.h"
#include "core/say.h"
#include "core/stats.h"
#include "core/text.h"
#include "placement/place.h"
#include "providers/provider.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#if defined(__has_include) && __has_include(<sys/sdt.h>)
#include <sys/sdt.h>
#define PROBE4(name, a, b, c, d) DTRACE_PROBE4(evenkeel, name, a, b, c, d)
#define PROBE3(name, a, b, c) DTRACE_PROBE3(evenkeel, name, a, b, c)
#else
#define PROBE4(name, a, b, c, d) ((void)0)
#define PROBE3(name, a, b, c) ((void)0)
#endif

enum { LINE = 512, LAST = 64 };

bool ek_events_on;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ek_kept_file file = {.number = -1};
static uint64_t began_ns, written;
static size_t used;
static char buffer[16 << 10];

void ek_events_lock(void) { pthread_mutex_lock(&lock); }
void ek_events_unlock(void) { pthread_mutex_unlock(&lock); }

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* --- under the lock ----------------------------------------------------------
 */

static void stop(void) {
  __atomic_store_n(&ek_events_on, false, __ATOMIC_RELAXED);
  ek_file_leave(&file);
  used = 0;
}

static void flush(void) {
  if (!ek_file_add(&file, buffer, used)) {
    ek_say("evenkeel: the log ends: %s\n", ek_text_error(errno));
    ek_count(EK_WHY_log_lost, 1);
    stop();
  }
  used = 0;
}

static void put(const char *line, size_t n) {
  if (used + n > sizeof buffer)
    flush();
  if (file.number < 0)
    return;
  memcpy(buffer + used, line, n);
  used += n;
  written += n;
}

/* --- lines -------------------------------------------------------------------
 */

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...) {
  char line[LINE];
  int saved = errno;
  va_list list;
  va_start(list, format);
  int n = snprintf(line, sizeof line, "{\"t\":%.9f,",
                   (double)(now_ns() - began_ns) * 1e-9);
  n += vsnprintf(line + n, sizeof line - (size_t)n, format, list);
  va_end(list);
  pthread_mutex_lock(&lock);
  if (file.number >= 0 && n < (int)sizeof line) {
    if (written + (size_t)n + LAST > ek_opt.log_size) {
      static const char full[] = "{\"event\":\"full\"}\n";
      put(full, sizeof full - 1);
      if (file.number >= 0)
        flush();
      ek_count(EK_WHY_log_full, 1);
      stop();
    } else {
      put(line, (size_t)n);
    }
  }
  pthread_mutex_unlock(&lock);
  errno = saved;
}

static bool on(void) {
  return __atomic_load_n(&ek_events_on, __ATOMIC_RELAXED);
}

#define OBJECT                                                                 \
  "\"site\":\"%016" PRIx64                                                     \
  "\",\"creator\":%u,\"ordinal\":%u,\"at\":\"%#" PRIxPTR "\","
#define OF(o) (o)->site, (o)->creator, (o)->ordinal, (o)->base

void ek_event_place(const ek_object *o) {
  PROBE4(place, o->site, o->base, o->bytes, o->fast_pages);
  if (on())
    say("\"event\":\"place\"," OBJECT
        "\"bytes\":%zu,\"fast\":%u,\"slow\":%u,\"short\":%u}\n",
        OF(o), o->bytes, o->fast_pages, o->slow_pages, o->short_pages);
}

void ek_event_release(const ek_object *o) {
  PROBE3(release, o->site, o->base, o->bytes);
  if (on())
    say("\"event\":\"release\"," OBJECT "\"bytes\":%zu}\n", OF(o), o->bytes);
}

void ek_event_move(const ek_object *o, unsigned from, unsigned to, size_t pages,
                   size_t refused, uint64_t ns) {
  PROBE4(move, o->site, to, pages, refused);
  char source[8] = "null";
  if (from < EK_MAX_TIERS)
    snprintf(source, sizeof source, "%u", from);
  if (on())
    say("\"event\":\"move\"," OBJECT "\"from\":%s,\"to\":%u,\"pages\":%zu,"
        "\"refused\":%zu,\"seconds\":%.9f}\n",
        OF(o), source, to, pages, refused, (double)ns * 1e-9);
}

void ek_event_phase(uint64_t sync, uint32_t phase, double seconds) {
  PROBE3(phase, sync, phase, (uint64_t)(seconds * 1e9));
  if (on())
    say("\"event\":\"phase\",\"ended_by\":\"%016" PRIx64
        "\",\"phase\":%u,\"seconds\":%.9f}\n",
        sync, phase, seconds);
}

void ek_event_look(bool plans, double seconds, double promised) {
  /* Of a share of time, millionths; below 0: a plan for other reasons. */
  PROBE3(look, plans, (uint64_t)(seconds * 1e9), (int64_t)(promised * 1e6));
  if (on())
    say("\"event\":\"look\",\"plans\":%s,\"seconds\":%.9f,\"promised\":%.6f}\n",
        plans ? "true" : "false", seconds, promised);
}

/* --- start and end -----------------------------------------------------------
 */

static void say_start(void) {
  char line[2 * LINE], text[LINE];
  ek_text_json(text, sizeof text, ek_opt.plan);
  int n = snprintf(line, sizeof line,
                   "{\"event\":\"start\",\"process\":%ld,\"provider\":\"%s\","
                   "\"plan\":%s,\"tiers\":[",
                   (long)getpid(),
                   ek_provider_now ? ek_provider_now->name : "none", text);
  for (unsigned t = 0; t < ek_tier_count && n < LINE; ++t) {
    uint64_t bytes = ek_place_capacity(t);
    ek_text_json(text, sizeof text, ek_tiers[t].name);
    n += snprintf(line + n, sizeof line - (size_t)n, "%s{\"name\":%s,",
                  t ? "," : "", text);
    if (bytes == EK_UNLIMITED)
      n += snprintf(line + n, sizeof line - (size_t)n, "\"bytes\":null}");
    else
      n += snprintf(line + n, sizeof line - (size_t)n, "\"bytes\":%" PRIu64 "}",
                    bytes);
  }
  n += snprintf(line + n, sizeof line - (size_t)n, "]}\n");
  if (n < (int)sizeof line)
    put(line, (size_t)n);
}

/* Under the lock, or where there is no other thread. */
static void begin(void) {
  char path[4096], from_start[4096];
  ek_text_path(path, sizeof path, ek_opt.log);
  began_ns = now_ns();
  if (!ek_text_from_start(from_start, sizeof from_start, path) ||
      !ek_file_keep(&file, from_start)) {
    ek_say("evenkeel: cannot write the log to %s: %s\n", path,
           ek_text_error(errno));
    ek_count(EK_WHY_log_lost, 1);
  } else {
    written = used = 0;
    say_start();
    __atomic_store_n(&ek_events_on, true, __ATOMIC_RELAXED);
  }
}

void ek_events_start(void) {
  if (!ek_opt.log[0])
    return;
  pthread_mutex_lock(&lock);
  begin();
  pthread_mutex_unlock(&lock);
}

void ek_events_end(void) {
  if (!on())
    return;
  say("\"event\":\"end\"}\n");
  pthread_mutex_lock(&lock);
  if (file.number >= 0)
    flush();
  stop();
  pthread_mutex_unlock(&lock);
}

void ek_events_forked(void) {
  if (!on())
    return;
  stop(); /* the lines in the buffer are the parent's */
  if (strstr(ek_opt.log, "%p"))
    begin(); /* the lock may be held by code that a signal handler stopped */
}
