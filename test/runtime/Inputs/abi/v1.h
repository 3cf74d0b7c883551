/*===- v1.h - version 1 of the ABI, as released -------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Declares once more what programs of version 1 call, in types of the language:
 * where evenkeel/ek.h says something else, the compiler refuses it. A line that
 * is here stays as it is for as long as the library is libevenkeel.so.1; new
 * functions get a line when they are released.
 * Not here: names without a declaration (libevenkeel1.symbols in debian/).
 *===----------------------------------------------------------------------===*/
#include <stddef.h>
#include <stdint.h>

#define SAME(condition) _Static_assert(condition, #condition)
SAME(EK_ABI_VERSION == 1);
SAME(EK_FAST(37) == 37 && EK_PINNED(37) == 293);
SAME(EK_SERIAL == 0 && EK_TEAM == 1 && EK_PARTIAL == 2 && EK_EITHER == 4);
SAME(EK_READ == 1 && EK_WRITE == 2 && EK_READ_WRITE == 3);
SAME(EK_IN_PLACE == 4 && EK_WHOLE == 8);
SAME(EK_OF_SITE == 0 && EK_OF_CALL == 1);

SAME(sizeof(ek_need) == 2 * sizeof(void *) + sizeof(size_t) + 2 * 8);
SAME(offsetof(ek_need, n) == sizeof(void *));
SAME(offsetof(ek_need, mode) == sizeof(void *) + sizeof(size_t));
SAME(offsetof(ek_need, at) == sizeof(void *) + sizeof(size_t) + 8);
SAME(offsetof(ek_need, held) == 2 * sizeof(void *) + sizeof(size_t) + 8);
SAME(sizeof(ek_value) == 16 && offsetof(ek_value, value) == 8);
SAME(sizeof(ek_relaxed_result) == 40);
SAME(offsetof(ek_relaxed_result, rounds) == 24);
SAME(offsetof(ek_relaxed_result, groups) == 36);
SAME(sizeof(ek_rows_options) == 3 * sizeof(size_t) + 32);
SAME(offsetof(ek_rows_options, home) == sizeof(size_t) + 8);
SAME(offsetof(ek_rows_options, decay) == 3 * sizeof(size_t) + 16);
SAME(offsetof(ek_rows_options, flags) == 3 * sizeof(size_t) + 24);
SAME(sizeof(ek_rows_counts) == 2 * sizeof(size_t) + 56);
SAME(offsetof(ek_rows_counts, step_fast) == 2 * sizeof(size_t) + 48);
SAME(sizeof(ek_rows) == 5 * sizeof(size_t));
SAME(offsetof(ek_rows, ways) == 3 * sizeof(size_t));
SAME(offsetof(ek_rows, sets) == 4 * sizeof(size_t));
SAME(EK_ROWS_WAYS == 15);
SAME(EK_ROWS_READ_ONLY == 1 && EK_ROWS_AT_HOOKS == 2);
SAME(EK_RELAXED_OK == 0 && EK_RELAXED_WRONG == 1);
SAME(EK_RELAXED_LOST == 2 && EK_RELAXED_MPI == 3);

void *(ek_acquire)(uint64_t, void *, size_t, unsigned);
int (ek_acquire_all)(uint64_t, ek_need *, unsigned);
int (ek_after)(uint64_t, unsigned, int);
void *(ek_aligned_alloc)(uint64_t, size_t, size_t);
void *(ek_aligned_alloc_at)(uint64_t, unsigned, size_t, size_t);
void (ek_announce)(uint64_t, const ek_need *, unsigned);
void (ek_before)(void);
void (ek_bring_home)(void);
void *(ek_calloc)(uint64_t, size_t, size_t);
void *(ek_calloc_at)(uint64_t, unsigned, size_t, size_t);
void (ek_context_pop)(uint64_t, const void *, const void *);
void (ek_context_push)(uint64_t, unsigned, unsigned, const void *, const void *);
void (ek_context_push_if)(void *, uint64_t, const void *);
void *(ek_forget)(void *);
void (ek_free)(void *);
int (ek_given)(uint64_t, unsigned, int);
void *(ek_given_pointer)(void *);
size_t (ek_given_size)(size_t);
void (ek_global)(uint64_t, void *, size_t);
void (ek_global_at)(uint64_t, unsigned, void *, size_t);
void *(ek_malloc)(uint64_t, size_t);
void *(ek_malloc_at)(uint64_t, unsigned, size_t);
void *(ek_memalign)(uint64_t, size_t, size_t);
void *(ek_memalign_at)(uint64_t, unsigned, size_t, size_t);
void (ek_mm_free)(void *);
void *(ek_mm_malloc)(uint64_t, size_t, size_t);
void *(ek_mm_malloc_at)(uint64_t, unsigned, size_t, size_t);
void *(ek_mmap)(uint64_t, void *, size_t, int, int, int, long);
void *(ek_mmap_at)(uint64_t, unsigned, void *, size_t, int, int, int, long);
int (ek_munmap)(void *, size_t);
int (ek_posix_memalign)(uint64_t, void **, size_t, size_t);
int (ek_posix_memalign_at)(uint64_t, unsigned, void **, size_t, size_t);
void *(ek_pvalloc)(uint64_t, size_t);
void *(ek_pvalloc_at)(uint64_t, unsigned, size_t);
void *(ek_realloc)(uint64_t, void *, size_t);
void *(ek_realloc_at)(uint64_t, unsigned, void *, size_t);
void *(ek_reallocarray)(uint64_t, void *, size_t, size_t);
void *(ek_reallocarray_at)(uint64_t, unsigned, void *, size_t, size_t);
void (ek_region_begin)(uint64_t);
void (ek_region_end)(uint64_t);
int (ek_relaxed_call)(uint64_t, unsigned, int, const void *, void *, int, size_t, size_t);
int (ek_release)(uint64_t, void *);
int (ek_release_all)(uint64_t, ek_need *, unsigned);
void (ek_rows_close)(ek_rows *);
int (ek_rows_count)(const ek_rows *, ek_rows_counts *, size_t);
unsigned (ek_rows_looked_up)(const ek_rows *, size_t);
int (ek_rows_open)(ek_rows **, size_t, size_t, const ek_rows_options *);
int (ek_rows_step)(ek_rows *);
void (ek_static)(uint64_t, unsigned, unsigned char *, void *, size_t);
void (ek_sync)(uint64_t, unsigned);
void (ek_total)(uint64_t, uint64_t, long long);
size_t (ek_usable_size)(void *);
void *(ek_valloc)(uint64_t, size_t);
void *(ek_valloc_at)(uint64_t, unsigned, size_t);
void (ek_values)(uint64_t, const ek_value *, unsigned);
