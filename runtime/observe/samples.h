/*===- samples.h - addresses that the processor samples -----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: EVENKEEL_SAMPLES: every so many loads the processor notes an address,
 * where it came from and how long it took (PEBS of Intel, IBS of AMD, by
 * perf_event_open); or the kernel each page fault. They are summed by the site
 * of the object that the address lies in. Where nothing can be sampled the
 * summary says why; nothing else depends on it.
 * Leaves out: the kernel's own accesses; processors that sample into another
 * kind of buffer (SPE of Arm).
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
/* Why there are none, in words; "" if nobody asked or all is well. */
extern const char *ek_samples_why;

/* What a sample holds: this, in this order. */
#define EK_SAMPLE_TYPE                                                         \
  (PERF_SAMPLE_TID | PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT |                   \
   PERF_SAMPLE_DATA_SRC)

/* The site of the object that an address lies in; 0: none. */
typedef uint64_t ek_site_of(const void *address);
/* By whom samples are given to sites. */
void ek_samples_by(ek_site_of *site_of);
/* Before other threads are there: what they do later is sampled, too. Takes
 * what has come at each end of a phase. */
void ek_samples_start(void);
/* Takes what has come; one thread at a time does, others return at once. */
void ek_samples_drain(void);
/* In a child: its samples are its parent's. */
void ek_samples_forked(void);

/* Takes all complete records out of one ring whose \p bytes (a power of two)
 * of records begin at \p records. What cannot be a record ends it: the rest is
 * dropped and counted. */
void ek_samples_take_ring(struct perf_event_mmap_page *head,
                          const unsigned char *records, size_t bytes);

typedef struct ek_sample_sum {
  uint64_t site; /* 0: no object's */
  uint64_t samples;
  uint64_t memory;        /* of them from behind the caches */
  uint64_t memory_cycles; /* that these took */
} ek_sample_sum;
/* Sorted by site, those of no object first, in *out (free() it). */
size_t ek_samples_sums(ek_sample_sum **out);

/* How loads are sampled here: the unit's number and event, from the files in
 * \p folder (/sys/bus/event_source/devices). False: not at all. */
bool ek_samples_unit(const char *folder, struct perf_event_attr *attr);

#ifdef __cplusplus
}
#endif
#endif
