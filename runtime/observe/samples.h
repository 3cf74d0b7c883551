/*===- samples.h - sampling addresses -----------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: EVENKEEL_SAMPLES: every N loads the processor records an address, the
 * source of the data and the latency (PEBS of Intel, IBS of AMD, by
 * perf_event_open); or the kernel records each page fault. Samples are counted
 * by the site of the object that contains the address. If sampling is not
 * possible the summary says why; nothing else depends on it.
 * Not here: the kernel's own accesses; events and records (loads/).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_SAMPLES_H
#define EVENKEEL_RUNTIME_SAMPLES_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

extern bool ek_samples_on;
/* Why nothing is sampled, as text; "" if sampling is off or works. */
extern const char *ek_samples_why;

/* The site of the object that contains \p address; 0: none. */
typedef uint64_t ek_site_of(const void *address);
/* Sets the function that maps samples to sites. */
void ek_samples_by(ek_site_of *site_of);
/* Starts sampling, before there are other threads: threads started later are
 * included. Rings are read at the end of each phase. */
void ek_samples_start(void);
/* Reads all rings, unless another thread is doing so. */
void ek_samples_drain(void);
/* In a forked child: stops sampling, as the events are the parent's. */
void ek_samples_forked(void);

/* Takes all complete records from one ring, whose \p bytes of records (a power
 * of two) begin at \p records. An invalid record ends this: the rest of the
 * ring is dropped and counted. */
void ek_samples_take_ring(struct perf_event_mmap_page *head,
                          const unsigned char *records, size_t bytes);

typedef struct ek_sample_sum {
  uint64_t site; /* 0: in no object */
  uint64_t samples;
  uint64_t memory;        /* samples whose data came from memory */
  uint64_t memory_cycles; /* total latency of these */
} ek_sample_sum;
/* The sums by site, sorted by site, 0 first. The caller frees *out. Returns
 * their number. */
size_t ek_samples_sums(ek_sample_sum **out);

#ifdef __cplusplus
}
#endif
#endif
