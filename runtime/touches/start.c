/*===- start.c - start and end of the page watcher ----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: what `evenkeel record --pages` and `evenkeel run --policy` ask for, in
 * EVENKEEL_TOUCHES_*. If something that is needed is missing, the program runs
 * unwatched, and a file <prefix>.<pid>.why says the reason in one line. With
 * EVENKEEL_TOUCHES_TRY, the process ends before its program begins.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "touches/base/arena.h"
#include "touches/base/raw.h"
#include "touches/blocks.h"
#include "touches/mechanisms/mechanism.h"
#include "touches/places.h"
#include "touches/placing/account.h"
#include "touches/placing/initial.h"
#include "touches/placing/tiers.h"
#include "touches/sampler.h"
#include "touches/split.h"
#include "touches/stream.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char prefix[3072], executable[4096];

static void say_why(const char *why) { ek_stream_why(prefix, why); }

static double number(const char *name, double otherwise) {
  const char *text = secure_getenv(name);
  return text && *text ? strtod(text, NULL) : otherwise;
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

/* With huge pages everywhere, a border within one would split it. */
static uint64_t whole_chunk(uint64_t bytes, uint64_t page) {
  char line[64] = "";
  const int fd =
      open("/sys/kernel/mm/transparent_hugepage/enabled", O_RDONLY | O_CLOEXEC);
  if (fd >= 0) {
    if (read(fd, line, sizeof line - 1) > 0 && strstr(line, "[always]"))
      page = EK_HUGE_PAGE;
    close(fd);
  }
  return (bytes + page - 1) / page * page;
}

/* The nodes of fast or slow memory, a bit for each; 0 with emulated tiers. */
static uint64_t nodes(const char *name) {
  const char *text = secure_getenv(name);
  return text ? strtoull(text, NULL, 16) : 0;
}

/* Prepares the policy \p name. Returns NULL, or why that fails. */
static const char *prepare_policy(const char *name, ek_sampler_options *o) {
  static char account[sizeof prefix + 16];
  const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  const ek_places_options options = {
      .stays = strcmp(name, "first-touch") == 0,
      .rule = strcmp(name, "shambles-lru") == 0 ? EK_SWAP_LRU : EK_SWAP_WINDOW,
      .interval_ns =
          (uint64_t)(number("EVENKEEL_TOUCHES_INTERVAL", 200e-6) * 1e9),
      .window = (size_t)number("EVENKEEL_TOUCHES_SAMPLES", 100)};
  const uint64_t chunk = whole_chunk(o->chunk_bytes, page);
  snprintf(account, sizeof account, "%s.account", prefix);
  if (!ek_account_start(account, (uint64_t)number("EVENKEEL_TOUCHES_FAST", 0)))
    return "account";
  if (!ek_tiers_start(nodes("EVENKEEL_TOUCHES_FAST_NODES"),
                      nodes("EVENKEEL_TOUCHES_SLOW_NODES"), page))
    return "moves";
  if (!ek_initial_start(secure_getenv("EVENKEEL_TOUCHES_INITIAL")))
    return "initial";
  if (!ek_places_start(&options, page))
    return "address-space";
  ek_charge_start(chunk, page);
  o->chunk_bytes = chunk ? chunk : (uint64_t)1 << 40; /* whole blocks */
  o->moves = true;
  return NULL;
}

static bool prepare(void) {
  const ssize_t n =
      readlink("/proc/self/exe", executable, sizeof executable - 1);
  executable[n > 0 ? n : 0] = 0;
  if (!ek_arena_start()) {
    say_why("address-space");
    return false;
  }
  const char *by = secure_getenv("EVENKEEL_TOUCHES_BY");
  const uint32_t mechanism =
      ek_touch_choose(by ? ek_touch_named(by) : 0, ek_touch_offered);
  if (!mechanism) {
    say_why(EK_RAW_CALLS ? "mechanism" : "processor");
    return false;
  }
  ek_sampler_options options = {
      .prefix = prefix,
      .overhead = number("EVENKEEL_TOUCHES_OVERHEAD", 0.01),
      .window_ns = (uint64_t)(number("EVENKEEL_TOUCHES_WINDOW", 0) * 1e9),
      .chunk_bytes = (uint64_t)number("EVENKEEL_TOUCHES_CHUNK", 0),
      .mechanism = mechanism,
      .rank = rank(),
      .executable = executable,
      .most_mappings = most_mappings() / 4};
  const size_t threshold = (size_t)number("EVENKEEL_TOUCHES_THRESHOLD", 65536);
  const char *policy = secure_getenv("EVENKEEL_TOUCHES_POLICY");
  const char *why = policy && *policy ? prepare_policy(policy, &options) : NULL;
  if (!why && (!ek_sampler_prepare(&options) ||
               !ek_blocks_start(threshold, executable)))
    why = "address-space";
  if (why)
    say_why(why);
  return !why;
}

__attribute__((constructor)) static void at_load(void) {
  const char *asked = secure_getenv("EVENKEEL_TOUCHES");
  if (!asked || !*asked || strlen(asked) >= sizeof prefix)
    return;
  memcpy(prefix, asked, strlen(asked) + 1);
  const bool ready = prepare(), tried = secure_getenv("EVENKEEL_TOUCHES_TRY");
  if (tried)
    _exit(0);
  if (!ready)
    return;
  pthread_atfork(ek_sampler_fork_prepare, ek_sampler_fork_parent,
                 ek_sampler_fork_child);
  if (!ek_sampler_start())
    say_why("thread");
}

__attribute__((destructor)) static void at_exit(void) { ek_sampler_stop(); }
