/* damon.c - a program under the kernel's DAMON
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * damon FILE ADDRESS MIB PROGRAM ARGUMENT...
 * Watches MIB MiB at ADDRESS of the program with DAMON's own intervals (a sample
 * each 5 ms, sums each 100 ms) through sysfs, and writes each sum to FILE as
 * lines of `perf script`, as damo does where it has no perf. Ends with the
 * program's status, or with 125 and a line that says what DAMON refused.
 *
 * DAMON clears accessed bits and leaves the TLB as it is, and relies on the
 * processor to forget translations soon. QEMU's never does, so a second process
 * takes the processor for a moment each millisecond: that makes it forget.
 */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ADMIN "/sys/kernel/mm/damon/admin/kdamonds/"
#define CONTEXT "0/contexts/0/"
#define SCHEME CONTEXT "schemes/0/"

static int set(const char *name, const char *format, ...) {
  char path[256], text[64];
  snprintf(path, sizeof path, ADMIN "%s", name);
  va_list more;
  va_start(more, format);
  vsnprintf(text, sizeof text, format, more);
  va_end(more);
  FILE *f = fopen(path, "w");
  int bad = !f || fputs(text, f) < 0;
  bad |= f && fclose(f) != 0;
  if (bad)
    fprintf(stderr, "damon: %s = %s: %s\n", name, text, strerror(errno));
  return !bad;
}

static int get(int region, const char *name, unsigned long *value) {
  char path[256];
  snprintf(path, sizeof path, ADMIN SCHEME "tried_regions/%d/%s", region, name);
  FILE *f = fopen(path, "r");
  if (!f)
    return 0;
  int good = fscanf(f, "%lu", value) == 1;
  fclose(f);
  return good;
}

/* One context with one target and one scheme that only counts: what it was tried
 * on are the regions. */
static int start(pid_t pid, unsigned long address, unsigned long bytes) {
  return set("nr_kdamonds", "1") && set("0/contexts/nr_contexts", "1") &&
         set(CONTEXT "operations", "fvaddr") &&
         set(CONTEXT "targets/nr_targets", "1") &&
         set(CONTEXT "targets/0/pid_target", "%d", (int)pid) &&
         set(CONTEXT "targets/0/regions/nr_regions", "1") &&
         set(CONTEXT "targets/0/regions/0/start", "%lu", address) &&
         set(CONTEXT "targets/0/regions/0/end", "%lu", address + bytes) &&
         set(CONTEXT "monitoring_attrs/intervals/sample_us", "5000") &&
         set(CONTEXT "monitoring_attrs/intervals/aggr_us", "100000") &&
         set(CONTEXT "schemes/nr_schemes", "1") && set(SCHEME "action", "stat") &&
         set(SCHEME "access_pattern/sz/max", "%lu", ~0ul) &&
         set(SCHEME "access_pattern/nr_accesses/max", "%lu", ~0ul) &&
         set(SCHEME "access_pattern/age/max", "%lu", ~0ul) &&
         set("0/state", "on");
}

/* Regions of the last sum, all with one time: as many as there are at most. */
static void print(FILE *out) {
  enum { MOST = 2000 };
  static unsigned long start[MOST], end[MOST], count[MOST], age[MOST];
  int n = 0;
  /* Numbers of directories go on from update to update. */
  while (n < MOST && get(n, "start", &start[n]) && get(n, "end", &end[n]) &&
         get(n, "nr_accesses", &count[n]) && get(n, "age", &age[n]))
    ++n;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  for (int i = 0; i < n; ++i)
    fprintf(out,
            "kdamond.0 0 [000] %ld.%06ld: damon:damon_aggregated: target_id=0 "
            "nr_regions=%d %lu-%lu: %lu %lu\n",
            (long)now.tv_sec, now.tv_nsec / 1000, n, start[i], end[i], count[i],
            age[i]);
}

/* The process that changes address spaces; until it is killed. */
static pid_t tick(void) {
  pid_t pid = fork();
  while (pid == 0)
    usleep(1000);
  return pid;
}

int main(int argc, char **argv) {
  if (argc < 5)
    return 125;
  FILE *out = fopen(argv[1], "w");
  pid_t child = fork();
  if (child == 0) {
    execvp(argv[4], argv + 4);
    _exit(126);
  }
  pid_t ticks = tick();
  usleep(20000); /* until it has its memory */
  int status = 0;
  if (!out || !start(child, strtoul(argv[2], NULL, 0),
                     strtoul(argv[3], NULL, 0) << 20)) {
    kill(child, SIGKILL);
    kill(ticks, SIGKILL);
    waitpid(child, &status, 0);
    return 125;
  }
  while (waitpid(child, &status, WNOHANG) == 0) {
    usleep(50000);
    /* Returns when the next sum is there; fails once the target is gone. */
    FILE *f = fopen(ADMIN "0/state", "w");
    if (!f)
      continue;
    int bad = fputs("update_schemes_tried_regions", f) < 0;
    bad |= fclose(f) != 0;
    if (!bad)
      print(out);
  }
  set("0/state", "off");
  kill(ticks, SIGKILL);
  return fclose(out) ? 125 : WIFEXITED(status) ? WEXITSTATUS(status) : 124;
}
