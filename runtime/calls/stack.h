/*===- stack.h - finding sites from the call stack ----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: libevenkeel-preload, for programs that cannot be rebuilt. It contains
 * all of libevenkeel plus the malloc family. The EK_PRELOAD_ONLY functions are
 * defined only there.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_STACK_H
#define EVENKEEL_RUNTIME_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EK_PRELOAD_ONLY __attribute__((weak, visibility("hidden")))

/* The address of the return address of the function that uses this. */
#define EK_RETURN_SLOT ((const uintptr_t *)__builtin_frame_address(0) + 1)

/* Returns a placed object for the call that returns through \p slot, or NULL to
 * let the C library allocate; the reason is counted. Keeps errno. Thread-safe;
 * returns NULL if called recursively. */
EK_PRELOAD_ONLY void *ek_stack_alloc(size_t align, size_t n, bool *zeroed,
                                     const uintptr_t *slot);

/* Makes an anonymous mapping an object if the call that returns through \p slot
 * is made by code in the table. Mappings that an allocator makes for its
 * callers do not count. */
EK_PRELOAD_ONLY void ek_stack_mapped(void *p, size_t n, int protection,
                                     int flags, const uintptr_t *slot);

/* Whether this process runs no module of the table: a launcher or shell that
 * only passed LD_PRELOAD on. */
EK_PRELOAD_ONLY bool ek_stack_stranger(void);

/* The sync point of an MPI call that returns to \p code; 0: not in the
 * table. */
EK_PRELOAD_ONLY uint64_t ek_stack_waited(const void *code);

/* Whether the table contains the ends of parallel regions. */
EK_PRELOAD_ONLY bool ek_stack_knows_joins(void);

/* Whether there is a table; and the sync point after the call (of MPI if \p
 * mpi) that returns to \p code, 0: not in the table. */
bool ek_stack_has_table(void);
uint64_t ek_stack_sync_after(const void *code, bool mpi);

/* Registers the table's static storage as objects; once, after the start. */
void ek_stack_globals(void);

#endif
