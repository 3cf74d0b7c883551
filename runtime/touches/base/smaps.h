/*===- smaps.h - reading /proc/PID/smaps --------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the text of smaps, which comes in pieces; one mapping is reported when
 * its last line (VmFlags) has been read. Allocates nothing and calls nothing.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TOUCHES_SMAPS_H
#define EVENKEEL_RUNTIME_TOUCHES_SMAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ek_mapping {
  uintptr_t from, to;
  bool writable, shared;
  bool file;         /* has an inode */
  bool not_dumped;   /* MADV_DONTDUMP */
  bool huge;         /* huge pages may back it */
  bool fresh;        /* new or grown since soft-dirty bits were cleared */
  uint64_t resident; /* bytes */
  uint64_t referenced, huge_bytes;
  char name[256]; /* path or [heap]; empty: anonymous */
} ek_mapping;

/* Whether a mapping is a reservation that is mostly untouched. */
static inline bool ek_mapping_sparse(uint64_t bytes, uint64_t resident) {
  const uint64_t least = (uint64_t)1 << 30;
  return bytes >= least && resident < bytes / 16;
}

typedef struct ek_smaps {
  ek_mapping at;
  bool begun;
  size_t filled;
  char line[512]; /* the unfinished line; longer ones are cut */
  void (*found)(const ek_mapping *m, void *data);
  void *data;
} ek_smaps;

void ek_smaps_start(ek_smaps *s, void (*found)(const ek_mapping *m, void *data),
                    void *data);
void ek_smaps_feed(ek_smaps *s, const char *text, size_t n);

#ifdef __cplusplus
}
#endif
#endif
