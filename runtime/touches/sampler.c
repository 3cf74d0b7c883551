/*===- sampler.c - the thread that looks at pages -----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: one pass clears the accessed bits of the process, waits for the window
 * and reads what was touched; then memory is cut for the next pass. Passes are
 * paid for by the program's CPU time (pace.h).
 * The thread is made by clone() without the C library's help. It shares the
 * caller's thread-local storage, so everything here uses raw system calls, and
 * nothing may set errno, allocate, or take a lock of the C library.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "touches/sampler.h"
#include "core/tuning.h"
#include "touches/base/arena.h"
#include "touches/base/raw.h"
#include "touches/base/smaps.h"
#include "touches/blocks.h"
#include "touches/chunks.h"
#include "touches/mechanisms/pagemap.h"
#include "touches/mechanisms/watch.h"
#include "touches/pace.h"
#include "touches/places.h"
#include "touches/placing/account.h"
#include "touches/rows.h"
#include "touches/stream.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { STACK = 1 << 16, TEXT = 1 << 16, MOST_BLOCKS = 1 << 16 };

static ek_sampler_options options;
static char *stack, *text;
static ek_block *blocks; /* a copy for one pass */
static size_t block_count;
static uintptr_t page;
static uintptr_t own_from, own_to; /* where this library lies */
static uint32_t stream;            /* number of the process's stream, from 1 */
static uint32_t signals; /* an odd number: the thread shall stop; any change
                            wakes it */
static uint32_t opened, stopped;
static uint32_t waiting; /* threads that wait for memory to be whole */
static bool running;

/* Of the running thread. */
static struct {
  long smaps, statm, stat;
  ek_pace pace;
  ek_smaps reader;
  uint64_t start_ns;
  uint64_t chunk_bytes;
  uint64_t resident, touched, entries; /* of this pass, in pages */
  uint32_t mappings, not_split;
  double rate;        /* CPU time of the program per time */
  uint64_t waited_ns; /* by the program, for this pass */
  ek_touch_notes told;
  uint64_t decided_ns; /* when the policy decided last */
  ek_touch_moves moves;
} now;

static void find_own_library(void) {
  struct dl_find_object at;
  if (_dl_find_object((void *)(uintptr_t)find_own_library, &at) != 0)
    return;
  own_from = (uintptr_t)at.dlfo_map_start;
  own_to = ((uintptr_t)at.dlfo_map_end + page - 1) / page * page;
}

bool ek_sampler_prepare(const ek_sampler_options *o) {
  options = *o;
  page = (uintptr_t)sysconf(_SC_PAGESIZE);
  find_own_library();
  stack = ek_arena_take(STACK);
  text = ek_arena_take(TEXT);
  blocks = ek_arena_take(MOST_BLOCKS * sizeof *blocks);
  return stack && text && blocks && ek_stream_start() && ek_rows_start() &&
         ek_chunks_start(o->most_mappings);
}

/* --- the process's state -----------------------------------------------------
 */

static uint64_t spent_here(void) { return ek_raw_ns(CLOCK_THREAD_CPUTIME_ID); }

static uint64_t program_ns(void) {
  const uint64_t all = ek_raw_ns(CLOCK_PROCESS_CPUTIME_ID), own = spent_here();
  return all > own ? all - own : 0;
}

/* The second number of statm: resident pages. */
static uint64_t resident_pages(void) {
  char line[128];
  const long n =
      ek_raw_call(SYS_pread64, now.statm, (long)line, sizeof line - 1, 0, 0, 0);
  uint64_t pages = 0;
  long i = 0;
  while (i < n && line[i] != ' ')
    ++i;
  for (++i; i < n && line[i] >= '0' && line[i] <= '9'; ++i)
    pages = pages * 10 + (uint64_t)(line[i] - '0');
  return pages;
}

/* Whether all threads of the program have ended. The C library ends a process
 * with its last thread, but does not know ours; and threads that end by a
 * system call of their own do not ask it. Then the first thread is a zombie,
 * and
 * \p status is what it ended with. */
static bool is_alone(long *status) {
  enum { STATE = 3, THREADS = 20, EXIT_CODE = 52 };
  char line[1024];
  const long n =
      ek_raw_call(SYS_pread64, now.stat, (long)line, sizeof line - 1, 0, 0, 0);
  line[n > 0 ? n : 0] = 0;
  const char *p = strrchr(line, ')'); /* behind the name, field 2 */
  long threads = 0;
  bool zombie = false;
  *status = 0;
  for (int field = STATE; p && (p = strchr(p, ' ')); ++field) {
    ++p;
    if (field == STATE)
      zombie = *p == 'Z';
    for (const char *q = p; *q >= '0' && *q <= '9'; ++q) {
      if (field == THREADS)
        threads = threads * 10 + (*q - '0');
      if (field == EXIT_CODE)
        *status = *status * 10 + (*q - '0');
    }
  }
  *status = *status >> 8 & 0xff; /* as wait tells it */
  return zombie && threads == 2;
}

static uint32_t signals_seen(void) {
  return __atomic_load_n(&signals, __ATOMIC_ACQUIRE);
}

/* Sleeps for \p ns, or until signals differ from \p seen. Returns false if the
 * thread shall stop. */
static bool wait_for(uint64_t ns, uint32_t seen) {
  if (!(seen & 1))
    ek_raw_wait(&signals, seen, ns);
  return !(signals_seen() & 1);
}

static void signal_thread(uint32_t add) {
  __atomic_fetch_add(&signals, add, __ATOMIC_RELEASE);
  ek_raw_wake(&signals);
}

/* --- one pass ----------------------------------------------------------------
 */

/* Prepares what the last reading found. Protected memory is no single mapping:
 * calls that need one wait until the protection ends. */
static void prepare_memory(void) {
  if (options.mechanism & EK_TOUCH_BY_WRITES)
    ek_chunks_lock();
  size_t count;
  const ek_map_seen *maps = ek_chunks_maps(&count);
  ek_watch_begin();
  for (size_t i = 0; i < count; ++i)
    if (maps[i].resident)
      ek_watch_range(maps[i].from, maps[i].to, maps[i].resident,
                     maps[i].anonymous && !maps[i].huge);
}

static void release_memory(void) {
  ek_watch_end();
  if (options.mechanism & EK_TOUCH_BY_WRITES)
    ek_chunks_unlock();
}

/* The library's own memory, pages of the kernel ([vdso], [vvar]), and rings of
 * samples. */
static bool is_skipped(const ek_mapping *m) {
  return ek_arena_has(m->from, m->to) || strncmp(m->name, "[v", 2) == 0 ||
         strcmp(m->name, "anon_inode:[perf_event]") == 0 ||
         (m->from >= own_from && m->from < own_to);
}

static void mapping_found(const ek_mapping *m, void *data) {
  (void)data;
  ++now.mappings;
  if (is_skipped(m))
    return;
  const ek_watch_seen seen = ek_watch_found(m);
  const uint32_t used =
      seen.touched == EK_TOUCH_UNKNOWN ? seen.written : seen.touched;
  now.resident += m->resident / page;
  now.entries += (m->resident - m->huge_bytes) / page;
  if (used != EK_TOUCH_UNKNOWN)
    now.touched += used;
  if (!options.moves)
    ek_rows_add(m, &seen);
  else if (used != EK_TOUCH_UNKNOWN)
    ek_places_touched(m->from, m->to, used);
  ek_chunks_add(m);
}

static void read_mappings(void) {
  ek_chunks_read_again();
  now.mappings = 0;
  now.resident = now.touched = now.entries = 0;
  ek_smaps_start(&now.reader, mapping_found, NULL);
  ek_raw3(SYS_lseek, now.smaps, 0, SEEK_SET);
  for (;;) {
    const long n = ek_raw3(SYS_read, now.smaps, (long)text, TEXT);
    if (n <= 0)
      break;
    ek_smaps_feed(&now.reader, text, (size_t)n);
  }
}

static void cut_memory(void) {
  now.chunk_bytes =
      options.chunk_bytes
          ? options.chunk_bytes
          : ek_pace_chunk_bytes(ek_chunks_cuttable(), now.pace.chunks);
  ek_chunks_lock();
  now.not_split += ek_chunks_cut(now.chunk_bytes, blocks, block_count, page);
  ek_chunks_unlock();
}

static void tell_notes(void) {
  ek_touch_notes n = {.not_split = now.not_split,
                      .rows_left_out = ek_rows_left_out,
                      .samples_lost = ek_watch_lost()};
  ek_blocks_notes(&n);
  if (memcmp(&n, &now.told, sizeof n) != 0)
    ek_stream_item(EK_TOUCH_NOTES, &n, sizeof n, NULL, 0);
  now.told = n;
}

static void account(uint64_t cpu_ns) {
  const bool marks =
      options.mechanism & (EK_TOUCH_BY_ACCESSED | EK_TOUCH_BY_IDLE);
  ek_pace_passed(&now.pace, &(ek_pace_seen){.cpu_ns = cpu_ns,
                                            .entries = marks ? now.entries : 0,
                                            .faults = ek_watch_faults(),
                                            .resident = now.resident,
                                            .touched = now.touched,
                                            .mappings = now.mappings,
                                            .waited_ns = now.waited_ns +
                                                         ek_watch_samples() *
                                                             EK_SAMPLE_NS});
}

/* While the kernel goes through the mappings, calls that change them wait.
 * Other waiting is nobody's fault, but cannot be told apart. */
typedef struct held {
  uint64_t from_ns, program_ns, waits;
} held;

/* How often threads of the program have waited. */
static uint64_t waits_so_far(void) {
  struct rusage all, own;
  if (ek_raw3(SYS_getrusage, RUSAGE_SELF, (long)&all, 0) != 0 ||
      ek_raw3(SYS_getrusage, RUSAGE_THREAD, (long)&own, 0) != 0)
    return 0;
  return (uint64_t)(all.ru_nvcsw - own.ru_nvcsw);
}

static held hold(void) {
  return (held){ek_raw_ns(CLOCK_MONOTONIC), program_ns(), waits_so_far()};
}

static void let_go(const held *h) {
  now.waited_ns += ek_pace_waited(ek_raw_ns(CLOCK_MONOTONIC) - h->from_ns,
                                  program_ns() - h->program_ns, now.rate,
                                  waits_so_far() != h->waits);
}

/* Whether protection keeps a thread of the program from going on. */
static bool in_the_way(void) {
  return options.mechanism & EK_TOUCH_BY_WRITES &&
         __atomic_load_n(&waiting, __ATOMIC_ACQUIRE);
}

/* Waits until the program has computed for half the window: other programs may
 * take its processors. The window ends early if a call needs whole memory.
 * Returns false if the process ends. */
static bool wait_for_window(void) {
  const uint64_t from = ek_raw_ns(CLOCK_MONOTONIC), cpu = program_ns();
  uint64_t patience = now.pace.window_ns * EK_WINDOW_PATIENCE;
  do {
    const uint32_t seen = signals_seen();
    if (!in_the_way() && !wait_for(now.pace.window_ns, seen))
      return false;
  } while (!in_the_way() && program_ns() - cpu < now.pace.window_ns / 2 &&
           ek_raw_ns(CLOCK_MONOTONIC) - from < patience);
  return true;
}

/* --- moving ------------------------------------------------------------------
 */

static bool shall_stop(void) { return signals_seen() & 1; }

/* The policy decides by what the pass has seen. */
static void decide(uint64_t time_ns, uint64_t window_ns) {
  if (!options.moves)
    return;
  const uint64_t at = ek_raw_ns(CLOCK_MONOTONIC);
  now.moves.time_ns = time_ns;
  now.moves.window_ns = window_ns;
  ek_places_decide(at - now.decided_ns, &now.moves);
  now.decided_ns = at;
  ek_stream_item(EK_TOUCH_MOVES, &now.moves, sizeof now.moves, NULL, 0);
}

/* When the next chunk may move, in CPU time of the program: moves have to be
 * paid for as passes are. */
static uint64_t move_due(void) {
  return (uint64_t)((double)(now.pace.spent_ns + ek_places_next_ns()) /
                    now.pace.overhead);
}

static void move_chunk(void) {
  const uint64_t before = spent_here();
  ek_chunks_lock();
  ek_places_move(&now.moves, spent_here, shall_stop);
  ek_chunks_unlock();
  now.pace.spent_ns += spent_here() - before;
}

/* The first pass would find memory uncut. */
static void cut_at_first(void) {
  if (now.chunk_bytes)
    return;
  ek_rows_begin(blocks, block_count, stream, now.start_ns, page);
  read_mappings();
  cut_memory();
}

static void pass(void) {
  const uint64_t before = spent_here();
  block_count = ek_blocks_live(blocks, MOST_BLOCKS);
  cut_at_first();
  ek_rows_begin(blocks, block_count, stream, now.start_ns, page);
  if (options.moves) {
    ek_rows_tell_blocks();
    ek_places_begin(blocks, block_count);
  }
  now.waited_ns = 0;
  const held before_window = hold();
  prepare_memory();
  ek_watch_window_begins();
  let_go(&before_window);
  const uint64_t from = ek_raw_ns(CLOCK_MONOTONIC);
  const bool whole = wait_for_window();
  const uint64_t window = ek_raw_ns(CLOCK_MONOTONIC) - from;
  ek_watch_window_ends();
  if (!whole) {
    release_memory();
    return;
  }
  ek_touch_pass p = {.time_ns = from - now.start_ns,
                     .window_ns = window,
                     .chunk_bytes = now.chunk_bytes};
  const held after_window = hold();
  read_mappings();
  release_memory();
  cut_memory();
  let_go(&after_window);
  tell_notes();
  decide(p.time_ns, window);
  account(spent_here() - before);
  p.program_ns = program_ns();
  p.spent_ns = now.pace.spent_ns;
  p.resident_pages = now.resident;
  p.mappings = now.mappings;
  const ek_touch_row *rows = ek_rows_all(&p.row_count);
  ek_stream_write(&p, rows);
}

/* --- the thread --------------------------------------------------------------
 */

/* The thread got a copy of the program's descriptors; it closes its copies. */
static void close_descriptors(void) {
  if (ek_raw3(SYS_close_range, 0, ~0u, 0) == 0)
    return;
  for (long fd = 0; fd < 65536; ++fd)
    ek_raw3(SYS_close, fd, 0, 0);
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static bool open_files(void) {
  ek_touch_header header = {.magic = EK_TOUCH_MAGIC,
                            .page_bytes = (uint32_t)page,
                            .mechanism = options.mechanism,
                            .rank = options.rank,
                            .pid = (uint32_t)ek_raw3(SYS_getpid, 0, 0, 0),
                            .overhead = options.overhead};
  const char *name = base_name(options.executable);
  for (size_t i = 0; name[i] && i + 1 < sizeof header.program; ++i)
    header.program[i] = name[i];
  now.smaps = ek_open_own("/proc/thread-self/smaps", O_RDONLY);
  now.statm = ek_open_own("/proc/thread-self/statm", O_RDONLY);
  now.stat = ek_open_own("/proc/self/stat", O_RDONLY);
  return now.smaps >= 0 && now.statm >= 0 &&
         ek_watch_open(options.mechanism, page) &&
         ek_stream_open(options.prefix, &header);
}

static void earn_stacks(uint64_t ns) {
  ek_blocks_earn((uint64_t)((double)ns * options.overhead * EK_STACKS_SHARE /
                            EK_STACK_NS));
}

/* Returns what the process ends with if it has no other thread left, else 0. */
static long look_until_stopped(void) {
  const double idle = 0.01;
  uint64_t last_cpu = program_ns(), last_time = ek_raw_ns(CLOCK_MONOTONIC);
  for (uint32_t seen; !((seen = signals_seen()) & 1);) {
    const uint64_t cpu = program_ns(), time = ek_raw_ns(CLOCK_MONOTONIC);
    if (time > last_time + EK_LEAST_SLEEP_NS) {
      now.rate = (double)(cpu - last_cpu) / (double)(time - last_time);
      earn_stacks(cpu - last_cpu);
      last_cpu = cpu;
      last_time = time;
      long status;
      if (now.rate < idle && is_alone(&status))
        return status;
    }
    ek_pace_resident(&now.pace, resident_pages());
    const bool moves = options.moves && ek_places_pending();
    const uint64_t due = moves ? move_due() : ek_pace_due(&now.pace);
    const uint64_t sleep = ek_pace_sleep(due, cpu, now.rate);
    if (sleep)
      wait_for(sleep, seen);
    else if (moves)
      move_chunk();
    else
      pass();
  }
  return 0;
}

static int thread(void *unused) {
  (void)unused;
  long status = 0;
  close_descriptors();
  const bool open = open_files();
  __atomic_store_n(&opened, 1, __ATOMIC_RELEASE);
  ek_raw_wake(&opened);
  if (!open)
    ek_stream_why(options.prefix, "mechanism");
  if (open) {
    status = look_until_stopped();
    ek_chunks_lock();
    ek_chunks_join(0, UINTPTR_MAX);
    ek_chunks_unlock();
    if (options.moves) {
      now.moves.time_ns = ek_raw_ns(CLOCK_MONOTONIC) - now.start_ns;
      now.moves.window_ns = 0;
      ek_stream_item(EK_TOUCH_MOVES, &now.moves, sizeof now.moves, NULL, 0);
      ek_places_tell();
    }
    const ek_touch_end end = {ek_raw_ns(CLOCK_MONOTONIC) - now.start_ns,
                              program_ns(), now.pace.spent_ns};
    ek_stream_item(EK_TOUCH_END, &end, sizeof end, NULL, 0);
    ek_stream_write(NULL, NULL);
  }
  __atomic_store_n(&stopped, 1, __ATOMIC_RELEASE);
  ek_raw_wake(&stopped);
  ek_raw3(SYS_exit, status, 0, 0);
  return 0;
}

/* For a moment at most. */
static void wait_until(const uint32_t *word) {
  const uint64_t patience = 200000000, from = ek_raw_ns(CLOCK_MONOTONIC);
  for (uint64_t t; !__atomic_load_n(word, __ATOMIC_ACQUIRE) &&
                   (t = ek_raw_ns(CLOCK_MONOTONIC) - from) < patience;)
    ek_raw_wait(word, 0, patience - t);
}

bool ek_sampler_start(void) {
  memset(&now, 0, sizeof now);
  now.rate = 1;
  ek_pace_start(&now.pace, options.overhead, options.window_ns, 0);
  now.start_ns = now.decided_ns = ek_raw_ns(CLOCK_MONOTONIC);
  ++stream;
  signals = opened = stopped = waiting = 0;
  const uint64_t blocked = ek_raw_signals(SIG_BLOCK, ~(uint64_t)0);
  running =
      clone(thread, stack + STACK,
            CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM,
            NULL) > 0;
  ek_raw_signals(SIG_SETMASK, blocked);
  /* Events count threads that start after they were opened. */
  if (running && options.mechanism & EK_TOUCH_BY_LOADS)
    wait_until(&opened);
  return running;
}

void ek_sampler_stop(void) {
  if (!running)
    return;
  running = false;
  signal_thread(1);
  wait_until(&stopped);
}

/* --- the program's calls -----------------------------------------------------
 */

void ek_sampler_whole(uintptr_t from, uintptr_t to) {
  __atomic_fetch_add(&waiting, 1, __ATOMIC_ACQ_REL);
  if (in_the_way())
    signal_thread(2); /* which only ends the wait for the window */
  ek_chunks_lock();
  __atomic_fetch_sub(&waiting, 1, __ATOMIC_ACQ_REL);
  ek_chunks_join(from, to);
}

void ek_sampler_goes_on(void) { ek_chunks_unlock(); }

void ek_sampler_fork_prepare(void) {
  ek_sampler_whole(0, UINTPTR_MAX);
  ek_blocks_lock();
}

void ek_sampler_fork_parent(void) {
  ek_blocks_unlock();
  ek_chunks_unlock();
}

void ek_sampler_fork_child(void) {
  ek_sampler_fork_parent();
  if (!running)
    return;
  if (options.moves) {
    ek_account_forked();
    ek_blocks_forked();
    ek_places_forked();
  }
  ek_sampler_start();
}
