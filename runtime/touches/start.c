/*===- start.c - start and end of the page watcher ----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: what `evenkeel record --pages` asks for, in EVENKEEL_TOUCHES_*. If
 * something that is needed is missing, the program runs unwatched, and a file
 * <prefix>.<pid>.why says the reason in one line.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "touches/arena.h"
#include "touches/blocks.h"
#include "touches/mechanism.h"
#include "touches/raw.h"
#include "touches/sampler.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char prefix[3072], executable[4096];

static void say_why(const char *why) {
  char path[sizeof prefix + 32];
  snprintf(path, sizeof path, "%s.%d.why", prefix, (int)getpid());
  const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0)
    return;
  if (write(fd, why, strlen(why)) < 0) {
    /* then the reason stays unknown */
  }
  close(fd);
}

static double number(const char *name, double otherwise) {
  const char *text = secure_getenv(name);
  return text && *text ? strtod(text, NULL) : otherwise;
}

static uint32_t mechanism_asked(void) {
  const char *text = secure_getenv("EVENKEEL_TOUCHES_BY");
  uint32_t asked = 0;
  if (text && strstr(text, "accessed-bits"))
    asked |= EK_TOUCH_BY_ACCESSED;
  if (text && strstr(text, "write-protect"))
    asked |= EK_TOUCH_BY_WRITES;
  return asked;
}

static int rank(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK",
                                      "PMI_RANK", "MV2_COMM_WORLD_RANK",
                                      "SLURM_PROCID"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const char *text = getenv(names[i]);
    if (text && *text)
      return atoi(text);
  }
  return -1;
}

/* The number of mappings that the kernel allows a process; by default 65530. */
static uint32_t most_mappings(void) {
  char line[32] = "";
  unsigned long n = 65530;
  const int fd = open("/proc/sys/vm/max_map_count", O_RDONLY | O_CLOEXEC);
  if (fd >= 0) {
    if (read(fd, line, sizeof line - 1) > 0)
      n = strtoul(line, NULL, 10);
    close(fd);
  }
  return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

static bool prepare(void) {
  const ssize_t n =
      readlink("/proc/self/exe", executable, sizeof executable - 1);
  executable[n > 0 ? n : 0] = 0;
  const uint32_t mechanism =
      ek_touch_choose(ek_touch_probe(), mechanism_asked());
  if (!mechanism) {
    say_why(EK_RAW_CALLS ? "mechanism" : "processor");
    return false;
  }
  const ek_sampler_options options = {
      .prefix = prefix,
      .overhead = number("EVENKEEL_TOUCHES_OVERHEAD", 0.01),
      .window_ns = (uint64_t)(number("EVENKEEL_TOUCHES_WINDOW", 0) * 1e9),
      .chunk_bytes = (uint64_t)number("EVENKEEL_TOUCHES_CHUNK", 0),
      .mechanism = mechanism,
      .rank = rank(),
      .executable = executable,
      .most_mappings = most_mappings() / 4};
  const size_t threshold = (size_t)number("EVENKEEL_TOUCHES_THRESHOLD", 65536);
  if (!ek_arena_start() || !ek_sampler_prepare(&options) ||
      !ek_blocks_start(threshold, executable)) {
    say_why("address-space");
    return false;
  }
  return true;
}

__attribute__((constructor)) static void at_load(void) {
  const char *asked = secure_getenv("EVENKEEL_TOUCHES");
  if (!asked || !*asked || strlen(asked) >= sizeof prefix)
    return;
  memcpy(prefix, asked, strlen(asked) + 1);
  if (!prepare())
    return;
  pthread_atfork(ek_sampler_fork_prepare, ek_sampler_fork_parent,
                 ek_sampler_fork_child);
  if (!ek_sampler_start())
    say_why("thread");
}

__attribute__((destructor)) static void at_exit(void) { ek_sampler_stop(); }
