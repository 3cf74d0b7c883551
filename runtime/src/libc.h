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

/* Valid at any time, before ek_libc_resolve, too. */
extern ek_libc_t ek_libc;

/* Looks the real ones up. Called at start, outside of every free(). */
void ek_libc_resolve(void);

/* True if the process's free() reaches ours; calls free(NULL) to find out. */
bool ek_free_is_ours(void);
/* True if operator delete[] (if there is any) ends in free(); calls it on NULL.
 */
bool ek_delete_is_free(void);

/* The process's plain operator new, new[], delete, delete[]; NULL in C. */
typedef struct ek_cxx_t {
  void *(*new_one)(size_t), *(*new_array)(size_t);
  void (*delete_one)(void *), (*delete_array)(void *);
} ek_cxx_t;
const ek_cxx_t *ek_cxx(void);

#endif
