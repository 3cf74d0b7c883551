/*===- libc.h - the allocator underneath --------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the free, realloc and malloc_usable_size that the process would have
 * without us. malloc, calloc, aligned_alloc and posix_memalign are not
 * interposed; call those by their own names.
 * Calls are thread-safe; ek_libc_resolve and ek_probe_deletes run at start.
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

/* Both are valid at any time, also before ek_libc_resolve. ek_libc frees what
 * the process's malloc returned. ek_behind_us is for our interposed functions
 * to forward to. The two are equal unless another allocator precedes us and
 * does not forward. */
extern ek_libc_t ek_libc, ek_behind_us;

/* Looks up the real functions. Called at start, never from within free(). */
void ek_libc_resolve(void);

/* Whether the process's free() reaches ours; calls free(NULL) to find out. */
bool ek_free_is_ours(void);
/* Whether operator delete and delete[], if the process has them, are ours or
 * end in free(); calls them with NULL. The second function: the aligned
 * forms. */
bool ek_delete_is_free(void);
bool ek_aligned_delete_is_free(void);
/* Whether the process's plain (or aligned) operators delete are those of
 * new.cpp and the operators behind them only call free(); new.cpp then calls
 * free() directly. False until ek_probe_deletes. */
extern bool ek_deletes_just_free, ek_aligned_deletes_just_free;
/* Whether these operators delete, on which the other forms are defined
 * ([new.delete]), are those of new.cpp; an array form counts only if the form
 * it is defined on does. If the program defines its own, the other forms call
 * it for every pointer. False until ek_probe_deletes. */
typedef struct ek_own_deletes_t {
  bool one, array, one_aligned, array_aligned;
} ek_own_deletes_t;
extern ek_own_deletes_t ek_own_deletes;
void ek_probe_deletes(void);
/* Whether new.cpp has plain forms. Built with AddressSanitizer it has none, and
 * plain forms found in the same file are the sanitizer's. */
extern const bool ek_has_plain_new;
/* Whether the process's operator new and new[] are those of new.cpp. */
bool ek_new_is_ours(void);

/* The process's operators new and delete behind ours; NULL in C programs. The
 * last argument of the nothrow forms is std::nothrow. */
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
  /* The first two are NULL if the C++ library is older than C++14. */
  void (*delete_one_sized)(void *, size_t);
  void (*delete_array_sized)(void *, size_t);
  void (*delete_one_sized_aligned)(void *, size_t, size_t);
  void (*delete_array_sized_aligned)(void *, size_t, size_t);
} ek_cxx_t;
const ek_cxx_t *ek_cxx(void);

#endif
