/*===- pace.h - how often to look, and how finely -----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the cost of passes against the program's CPU time. A pass may begin
 * when all passes, with the next one, stay within the overhead's limit. The
 * number of chunks follows from what their mappings add to a pass, the window
 * from how many of the pages it sees touched.
 * Not here: clocks; callers hand in times, so tests need none.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TOUCHES_PACE_H
#define EVENKEEL_RUNTIME_TOUCHES_PACE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ek_pace {
  double overhead;   /* limit, as a share of the program's CPU time */
  uint64_t spent_ns; /* by all passes */
  uint64_t last_ns, last_pages; /* cost and resident pages of the last pass */
  uint64_t next_ns;             /* expected cost of the next pass */
  uint64_t window_ns;           /* between clearing and reading */
  uint32_t chunks;              /* wanted in all */
  bool fixed_window, fixed_chunks;
} ek_pace;

/* What one pass cost and saw. */
typedef struct ek_pace_seen {
  uint64_t cpu_ns;  /* of the sampler's thread */
  uint64_t entries; /* page table entries cleared; each costs a walk later */
  uint64_t faults;  /* write faults in the window */
  uint64_t resident, touched; /* pages */
  uint32_t mappings;
  uint64_t waited_ns; /* by the program (ek_pace_waited) */
} ek_pace_seen;

/* \p window_ns and \p chunks: 0 to adapt them. */
void ek_pace_start(ek_pace *p, double overhead, uint64_t window_ns,
                   uint32_t chunks);
/* Sets the expected cost of the next pass, now that \p pages are resident: what
 * the last one cost, or more where there are more pages now. */
void ek_pace_resident(ek_pace *p, uint64_t pages);
/* The CPU time of the program, without the sampler's, from which on the next
 * pass may begin. */
uint64_t ek_pace_due(const ek_pace *p);
/* How long to sleep until the program's CPU time is \p due, if it is \p now
 * and grew by \p rate seconds per second. */
uint64_t ek_pace_sleep(uint64_t due, uint64_t now, double rate);
/* The CPU time that the program did not get while a pass held its mappings for
 * \p took_ns: it got \p got_ns, and gets \p rate seconds per second otherwise.
 * Nothing, unless \p waits: threads have waited, and were not just preempted.
 */
uint64_t ek_pace_waited(uint64_t took_ns, uint64_t got_ns, double rate,
                        bool waits);
/* Accounts for a pass and sets the next one's window and chunks. */
void ek_pace_passed(ek_pace *p, const ek_pace_seen *seen);
/* The least power of two that cuts \p bytes into at most \p chunks, at least
 * EK_LEAST_CHUNK. */
uint64_t ek_pace_chunk_bytes(uint64_t bytes, uint32_t chunks);

#ifdef __cplusplus
}
#endif
#endif
