/*===- ek_touches.h - the stream of a process whose pages are watched -*- C
 *-*-===* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the byte layout that libevenkeel-touches writes while a program runs,
 * one file per process, and that `evenkeel record --pages` turns into one file
 * (touches/TouchRecord.h). Native byte order, 8-byte aligned:
 *   file = ek_touch_header, then items until the end
 *   item = ek_touch_item, then `bytes` bytes
 * Items of unknown kind are skipped. Each pass is written by one call, so a
 * process that is killed leaves whole passes; EK_TOUCH_END is missing then.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_EK_TOUCHES_H
#define EVENKEEL_EK_TOUCHES_H

#include <stdint.h>

#define EK_TOUCH_MAGIC "EKTCH\0\0\2" /* last byte: version */
#define EK_TOUCH_FRAMES 12
#define EK_TOUCH_UNKNOWN 0xffffffffu

typedef struct ek_touch_header {
  char magic[8];
  uint32_t page_bytes;
  uint32_t mechanism; /* EK_TOUCH_BY_* */
  int32_t rank;       /* of an MPI launch, or -1 */
  uint32_t pid;
  double overhead;  /* the limit, as a share of CPU time */
  char program[64]; /* file name without folders, ended by a zero */
} ek_touch_header;

/* Mechanisms: how touches, or writes, are seen. */
#define EK_TOUCH_BY_ACCESSED 1u   /* accessed bits: clear_refs and smaps */
#define EK_TOUCH_BY_WRITES 2u     /* userfaultfd write-protect, PAGEMAP_SCAN */
#define EK_TOUCH_BY_SOFT_DIRTY 4u /* writes: clear_refs and pagemap */
#define EK_TOUCH_BY_IDLE 8u       /* idle page tracking, by page frames */
#define EK_TOUCH_BY_LOADS 16u     /* sampled loads: PEBS, IBS */

/* Their names, and those of combinations that go together. */
#define EK_TOUCH_MECHANISMS(X)                                                 \
  X("accessed-bits", EK_TOUCH_BY_ACCESSED)                                     \
  X("write-protect", EK_TOUCH_BY_WRITES)                                       \
  X("soft-dirty", EK_TOUCH_BY_SOFT_DIRTY)                                      \
  X("idle-pages", EK_TOUCH_BY_IDLE)                                            \
  X("loads", EK_TOUCH_BY_LOADS)                                                \
  X("accessed-bits+write-protect", EK_TOUCH_BY_ACCESSED | EK_TOUCH_BY_WRITES)  \
  X("accessed-bits+soft-dirty", EK_TOUCH_BY_ACCESSED | EK_TOUCH_BY_SOFT_DIRTY)

static inline int ek_touch_equal(const char *a, const char *b) {
  for (; *a && *a == *b; ++a, ++b)
    ;
  return *a == *b;
}

/* The bits of the mechanism \p name; 0: there is none of that name. */
static inline uint32_t ek_touch_named(const char *name) {
#define EK_NAMED(text, bits)                                                   \
  if (ek_touch_equal(name, text))                                              \
    return bits;
  EK_TOUCH_MECHANISMS(EK_NAMED)
#undef EK_NAMED
  return 0;
}

/* The name of the mechanism with \p by as its bits; "": none. */
static inline const char *ek_touch_name(uint32_t by) {
#define EK_NAMED(text, bits)                                                   \
  if (by == (bits))                                                            \
    return text;
  EK_TOUCH_MECHANISMS(EK_NAMED)
#undef EK_NAMED
  return "";
}

typedef struct ek_touch_item {
  uint32_t kind;
  uint32_t bytes;
} ek_touch_item;

/* A loaded program or library. The path follows, padded with zeros. */
#define EK_TOUCH_MODULE 1u
typedef struct ek_touch_module {
  uint64_t bias; /* address at run time minus address as linked */
  uint32_t index, path_bytes;
} ek_touch_module;

/* A memory object; appears before its first row. */
#define EK_TOUCH_OBJECT 2u
enum ek_touch_kind {
  EK_TOUCH_BLOCK,  /* of the malloc family */
  EK_TOUCH_MAP,    /* an anonymous mapping that the program made */
  EK_TOUCH_HEAP,   /* small blocks */
  EK_TOUCH_STACK,  /* of the first thread */
  EK_TOUCH_DATA,   /* static storage of a module */
  EK_TOUCH_FILE,   /* a mapped file */
  EK_TOUCH_UNNAMED /* other anonymous memory: stacks of threads, arenas */
};
typedef struct ek_touch_object {
  uint64_t base, bytes;
  uint64_t born_ns; /* since the first item */
  uint32_t id, kind;
  uint32_t module; /* of EK_TOUCH_DATA and _FILE, or EK_TOUCH_UNKNOWN */
  uint32_t stack;  /* equal call stacks have equal numbers; or _UNKNOWN */
  uint32_t frame_count, reserved;
  struct {
    uint32_t module, reserved; /* EK_TOUCH_UNKNOWN: code of no file */
    uint64_t address;          /* as linked, of the call */
  } frames[EK_TOUCH_FRAMES];   /* innermost first */
} ek_touch_object;

/* One pass: accessed bits were cleared at `time_ns` and read `window_ns`
 * later. Its rows follow, in the order of addresses. */
#define EK_TOUCH_PASS 3u
typedef struct ek_touch_pass {
  uint64_t time_ns, window_ns;
  uint64_t program_ns; /* CPU time of the program up to here */
  uint64_t spent_ns;   /* what all passes cost up to here */
  uint64_t resident_pages;
  uint64_t chunk_bytes;
  uint32_t mappings, row_count;
} ek_touch_pass;
typedef struct ek_touch_row {
  uint32_t object, first, pages;       /* the chunk: pages of the object */
  uint32_t resident, touched, written; /* pages; or EK_TOUCH_UNKNOWN */
  uint32_t samples, reserved;          /* loads that were sampled */
} ek_touch_row;

/* The hash of a call stack, frame by frame from the innermost one: of the file
 * name of its module without folders ("?": code of no file) and the address of
 * the call as linked. It begins with 0. */
static inline uint64_t ek_touch_stack_hash(uint64_t hash, const char *name,
                                           uint64_t address) {
  for (; *name; ++name)
    hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
  hash = (hash ^ address) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 29;
}

/* How often something could not be done, since the start. */
#define EK_TOUCH_NOTES 4u
typedef struct ek_touch_notes {
  uint32_t table_full;       /* large blocks beyond the table's room */
  uint32_t not_named;        /* large blocks whose call stack was not taken */
  uint32_t not_split;        /* ranges that the kernel did not split */
  uint32_t rows_left_out;    /* chunks beyond the room for one pass */
  uint32_t modules_left_out; /* frames and mappings of further modules */
  uint32_t samples_lost;     /* by a full ring, or damaged */
} ek_touch_notes;

/* Of a process whose memory a policy moves: after each pass, its sums since the
 * start. */
#define EK_TOUCH_MOVES 6u
typedef struct ek_touch_moves {
  uint64_t time_ns, window_ns;    /* of the pass */
  uint64_t samples;               /* that the policy took */
  uint64_t touched, fast_touched; /* pages of chunks; those in fast memory */
  uint64_t up_bytes, down_bytes;  /* of chunks that moved */
  uint64_t refused;               /* pages that the kernel did not move */
  uint64_t fast_bytes, bytes;     /* of chunks, now */
  uint64_t waiting_bytes; /* of chunks that shall move and have not, now */
  uint64_t left_out;      /* chunks beyond the table's room */
} ek_touch_moves;

/* What became of chunks of an object, when it ends or the process does; an
 * object may have several such items, which add up. */
#define EK_TOUCH_PLACED 7u
typedef struct ek_touch_placed {
  uint32_t object, reserved;
  uint64_t bytes, fast_bytes; /* at the end */
  uint64_t touched, fast_touched, up_bytes, down_bytes;
} ek_touch_placed;

/* The process has ended by itself; an ek_touch_end. */
#define EK_TOUCH_END 5u
typedef struct ek_touch_end {
  uint64_t time_ns, program_ns, spent_ns;
} ek_touch_end;

#endif
