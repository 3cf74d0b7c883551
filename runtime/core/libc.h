/*===- libc.h - the allocator underneath --------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the free/realloc/... that the process would have without us. malloc,
 * calloc, aligned_alloc and posix_memalign are not interposed; call those by
 * their own names.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_LIBC_H
#define EVENKEEL_RUNTIME_LIBC_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ek_libc_t {
  void (*free)(void *);
  void *(*realloc)(void *, size_t);
  size_t (*usable_size)(void *);
} ek_libc_t;

/* Both valid at any time, before ek_libc_resolve, too. ek_libc ends what the
 * process's malloc gives. ek_behind_us is for those who stand before us and
 * pass on: the same, unless another allocator is in front, which does not. */
extern ek_libc_t ek_libc, ek_behind_us;

/* Looks the real ones up. Called at start, outside of every free(). */
void ek_libc_resolve(void);

/* True if the process's free() reaches ours; calls free(NULL) to find out. */
bool ek_free_is_ours(void);
/* True if operator delete and delete[] (if there are any) are ours or end in
 * free(); calls them on NULL. Their aligned forms apart. */
bool ek_delete_is_free(void);
bool ek_aligned_delete_is_free(void);
/* Of new.cpp's plain forms of operator delete, and of the aligned ones: whether
 * they are the process's, and those behind them do no more than free(), which
 * is called at once then. False until ek_probe_deletes, at start. */
extern bool ek_deletes_just_free, ek_aligned_deletes_just_free;
/* Of operator delete and delete[] and of the aligned ones, by which the other
 * forms are defined ([new.delete]): whether they are new.cpp's, those of arrays
 * with the ones they are defined by. Where the program has its own, the other
 * forms end in those, whatever the pointer. False until ek_probe_deletes. */
typedef struct ek_own_deletes_t {
  bool one, array, one_aligned, array_aligned;
} ek_own_deletes_t;
extern ek_own_deletes_t ek_own_deletes;
void ek_probe_deletes(void);
/* Whether new.cpp has plain forms; built with AddressSanitizer it has none, and
 * those beside it in one file are the sanitizer's. */
extern const bool ek_has_plain_new;
/* True if the process's operator new and new[] are those of new.cpp. */
bool ek_new_is_ours(void);

/* The process's operator new and delete behind ours; NULL in C. The last
 * argument of the nothrow forms is std::nothrow. */
typedef struct ek_cxx_t {
  void *(*new_one)(size_t), *(*new_array)(size_t);
  void *(*new_one_nothrow)(size_t, const void *);
  void *(*new_array_nothrow)(size_t, const void *);
  void *(*new_one_aligned)(size_t, size_t);
  void *(*new_array_aligned)(size_t, size_t);
  void *(*new_one_aligned_nothrow)(size_t, size_t, const void *);
  void *(*new_array_aligned_nothrow)(size_t, size_t, const void *);
  void (*delete_one)(void *), (*delete_array)(void *);
  void (*delete_one_nothrow)(void *, const void *);
  void (*delete_array_nothrow)(void *, const void *);
  void (*delete_one_aligned)(void *, size_t);
  void (*delete_array_aligned)(void *, size_t);
  void (*delete_one_aligned_nothrow)(void *, size_t, const void *);
  void (*delete_array_aligned_nothrow)(void *, size_t, const void *);
  /* The first two NULL where the C++ library is older than C++14. */
  void (*delete_one_sized)(void *, size_t);
  void (*delete_array_sized)(void *, size_t);
  void (*delete_one_sized_aligned)(void *, size_t, size_t);
  void (*delete_array_sized_aligned)(void *, size_t, size_t);
} ek_cxx_t;
const ek_cxx_t *ek_cxx(void);

#endif
