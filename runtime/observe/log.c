/*===- log.c - the event log --------------------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: a line is formatted on the stack and copied to one buffer under a
 * lock; a full buffer is written with one call. If the process is killed, the
 * buffer is lost, but the file contains only whole lines.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "observe/log.h"
#include "core/events.h"
#include "core/file.h"
#include "core/options.h"
#include "core/say.h"
#include "core/stats.h"
#include "core/text.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LINE = 512, LAST = 64 };

static bool is_on;
static ek_log_about about;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ek_kept_file file = {.number = -1};
static uint64_t began_ns, written;
static size_t used;
static char buffer[16 << 10];

void ek_log_lock(void) { pthread_mutex_lock(&lock); }
void ek_log_unlock(void) { pthread_mutex_unlock(&lock); }

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* --- under the lock ----------------------------------------------------------
 */

static void stop(void) {
  __atomic_store_n(&is_on, false, __ATOMIC_RELAXED);
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

static bool on(void) { return __atomic_load_n(&is_on, __ATOMIC_RELAXED); }

#define OBJECT                                                                 \
  "\"site\":\"%016" PRIx64                                                     \
  "\",\"creator\":%u,\"ordinal\":%u,\"at\":\"%#" PRIxPTR "\","
#define OF(o) (o)->site, (o)->creator, (o)->ordinal, (o)->base

static void placed(const ek_told *o) {
  if (on())
    say("\"event\":\"place\"," OBJECT
        "\"bytes\":%zu,\"fast\":%u,\"slow\":%u,\"short\":%u}\n",
        OF(o), o->bytes, o->fast_pages, o->slow_pages, o->short_pages);
}

static void released(const ek_told *o) {
  if (on())
    say("\"event\":\"release\"," OBJECT "\"bytes\":%zu}\n", OF(o), o->bytes);
}

static void moved(const ek_told *o, int from, unsigned to, size_t pages,
                  size_t refused, uint64_t ns) {
  char source[12] = "null";
  if (from >= 0)
    snprintf(source, sizeof source, "%d", from);
  if (on())
    say("\"event\":\"move\"," OBJECT "\"from\":%s,\"to\":%u,\"pages\":%zu,"
        "\"refused\":%zu,\"seconds\":%.9f}\n",
        OF(o), source, to, pages, refused, (double)ns * 1e-9);
}

static void phase_took(uint64_t sync, uint32_t phase, double seconds) {
  if (on())
    say("\"event\":\"phase\",\"ended_by\":\"%016" PRIx64
        "\",\"phase\":%u,\"seconds\":%.9f}\n",
        sync, phase, seconds);
}

static void looked(bool plans, double seconds, double promised) {
  if (on())
    say("\"event\":\"look\",\"plans\":%s,\"seconds\":%.9f,\"promised\":%.6f}\n",
        plans ? "true" : "false", seconds, promised);
}

static void decided(uint32_t phase, const ek_decided *part) {
  if (on())
    say("\"event\":\"decide\",\"phase\":%u,\"site\":\"%016" PRIx64
        "\",\"creator\":%" PRIu64 ",\"ordinal\":%u,\"from\":%u,\"to\":%u,"
        "\"was\":%.4f,\"share\":%.4f}\n",
        phase, part->site, part->creator, part->ordinal, part->from, part->to,
        part->was, part->share);
}

/* --- start and end -----------------------------------------------------------
 */

static void say_start(void) {
  char line[3 * LINE], text[LINE];
  ek_text_json(text, sizeof text, ek_opt.plan);
  int n = snprintf(line, sizeof line,
                   "{\"event\":\"start\",\"process\":%ld,\"provider\":\"%s\","
                   "\"plan\":%s,\"tiers\":",
                   (long)getpid(), about.provider(), text);
  if (n >= (int)sizeof line)
    return;
  size_t used = (size_t)n;
  used += about.tiers(line + used, sizeof line - used);
  if (used + 2 >= sizeof line)
    return;
  memcpy(line + used, "}\n", 2);
  put(line, used + 2);
}

/* Called under the lock, or while there is no other thread. */
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
    __atomic_store_n(&is_on, true, __ATOMIC_RELAXED);
  }
}

void ek_log_start(const ek_log_about *of) {
  if (!ek_opt.log[0])
    return;
  about = *of;
  ek_listen_placed(placed);
  ek_listen_released(released);
  ek_listen_moved(moved);
  ek_listen_phase_took(phase_took);
  ek_listen_looked(looked);
  ek_listen_decided(decided);
  pthread_mutex_lock(&lock);
  begin();
  pthread_mutex_unlock(&lock);
}

void ek_log_end(void) {
  if (!on())
    return;
  say("\"event\":\"end\"}\n");
  pthread_mutex_lock(&lock);
  if (file.number >= 0)
    flush();
  stop();
  pthread_mutex_unlock(&lock);
}

void ek_log_forked(void) {
  if (!on())
    return;
  stop(); /* the buffered lines are the parent's */
  if (strstr(ek_opt.log, "%p"))
    begin(); /* without the lock: interrupted code may hold it */
}
