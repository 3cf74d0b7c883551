/*===- ring.h - a ring of sampled loads, as the kernel writes it --*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: records in the layout of perf_event_open(2), of events whose
 * sample_type is EK_LOAD_SAMPLE. A function of bytes: no kernel is needed.
 * Not here: which events (unit.h), and what becomes of samples.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_LOADS_RING_H
#define EVENKEEL_RUNTIME_LOADS_RING_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The members of a sample, in this order. */
#define EK_LOAD_SAMPLE                                                         \
  (PERF_SAMPLE_TID | PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT |                   \
   PERF_SAMPLE_DATA_SRC)

typedef struct ek_load {
  uint32_t pid, tid;
  uint64_t address, cycles, source; /* perf_mem_data_src */
} ek_load;

typedef struct ek_load_gaps {
  uint64_t lost;      /* samples for which the ring had no room */
  uint64_t throttled; /* how often the kernel stopped sampling for a moment */
  uint64_t damaged;   /* invalid records; what follows in the ring is dropped */
} ek_load_gaps;

/* Hands the samples from position \p tail up to \p head to \p take and adds to
 * \p gaps. The ring's \p bytes (a power of two) begin at \p records. Returns
 * the new tail: at most the beginning of a header is left. */
uint64_t ek_load_ring(const unsigned char *records, size_t bytes, uint64_t tail,
                      uint64_t head,
                      void (*take)(const ek_load *load, void *data), void *data,
                      ek_load_gaps *gaps);

/* The same for a mapped ring; its tail moves on. */
void ek_load_ring_drain(struct perf_event_mmap_page *ring,
                        const unsigned char *records, size_t bytes,
                        void (*take)(const ek_load *load, void *data),
                        void *data, ek_load_gaps *gaps);

#ifdef __cplusplus
}
#endif
#endif
