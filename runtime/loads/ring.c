/*===- ring.c - a ring of sampled loads, as the kernel writes it --*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See ring.h.
 *===----------------------------------------------------------------------===*/
#include "loads/ring.h"

#include <string.h>

/* Copies \p size bytes at position \p at of a ring, which may wrap around. */
static void copy(void *to, const unsigned char *records, size_t bytes,
                 uint64_t at, size_t size) {
  const size_t from = (size_t)(at & (bytes - 1));
  const size_t first = size < bytes - from ? size : bytes - from;
  memcpy(to, records + from, first);
  memcpy((unsigned char *)to + first, records, size - first);
}

uint64_t ek_load_ring(const unsigned char *records, size_t bytes, uint64_t tail,
                      uint64_t head,
                      void (*take)(const ek_load *load, void *data), void *data,
                      ek_load_gaps *gaps) {
  struct perf_event_header h;
  if (head - tail > bytes) {
    ++gaps->damaged;
    return head;
  }
  for (uint64_t at = tail; head - at >= sizeof h; at += h.size, tail = at) {
    copy(&h, records, bytes, at, sizeof h);
    if (h.size < sizeof h || h.size > head - at) {
      ++gaps->damaged;
      return head;
    }
    const size_t room = h.size - sizeof h;
    ek_load load;
    uint64_t lost[2]; /* id and count; or only the count */
    if (h.type == PERF_RECORD_SAMPLE && room >= sizeof load) {
      copy(&load, records, bytes, at + sizeof h, sizeof load);
      take(&load, data);
    } else if (h.type == PERF_RECORD_LOST && room >= sizeof lost) {
      copy(lost, records, bytes, at + sizeof h, sizeof lost);
      gaps->lost += lost[1];
    } else if (h.type == PERF_RECORD_LOST_SAMPLES && room >= sizeof *lost) {
      copy(lost, records, bytes, at + sizeof h, sizeof *lost);
      gaps->lost += lost[0];
    } else if (h.type == PERF_RECORD_THROTTLE) {
      ++gaps->throttled;
    }
  }
  return tail;
}

void ek_load_ring_drain(struct perf_event_mmap_page *ring,
                        const unsigned char *records, size_t bytes,
                        void (*take)(const ek_load *load, void *data),
                        void *data, ek_load_gaps *gaps) {
  const uint64_t head = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE);
  const uint64_t tail =
      ek_load_ring(records, bytes, ring->data_tail, head, take, data, gaps);
  __atomic_store_n(&ring->data_tail, tail, __ATOMIC_RELEASE);
}
