/*===- stack.h - placing what nobody annotated, by who calls ------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: libevenkeel-preload, for programs that cannot be rebuilt. It is the
 * whole of libevenkeel and the malloc family in front of it. All of this is
 * defined there only.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_STACK_H
#define EVENKEEL_RUNTIME_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EK_PRELOAD_ONLY __attribute__((weak, visibility("hidden")))

/* Where the return address of the function that says so lies. */
#define EK_RETURN_SLOT ((const uintptr_t *)__builtin_frame_address(0) + 1)

/* A placed object for the call that returns through \p slot, or NULL: the C
 * library shall do it, and why is counted. Keeps errno. Any thread, and from
 * inside itself, where it says NULL. */
EK_PRELOAD_ONLY void *ek_stack_alloc(size_t align, size_t n, bool *zeroed,
                                     const uintptr_t *slot);

/* An anonymous mapping by the call that returns through \p slot becomes an
 * object, if the table's own code called: allocators map for others. */
EK_PRELOAD_ONLY void ek_stack_mapped(void *p, size_t n, int protection,
                                     int flags, const uintptr_t *slot);

/* Whether this process has nothing to do with the table: a launcher or shell
 * that only passed LD_PRELOAD on. */
EK_PRELOAD_ONLY bool ek_stack_stranger(void);

/* The sync point of a call of MPI that returns to \p code; 0: the table does
 * not know it. */
EK_PRELOAD_ONLY uint64_t ek_stack_waited(const void *code);

/* Whether the table knows where parallel regions end. */
EK_PRELOAD_ONLY bool ek_stack_knows_joins(void);

/* There is one, and which sync point stands behind the code that a call returns
 * to, of MPI or not; 0: it does not know it. */
bool ek_stack_has_table(void);
uint64_t ek_stack_sync_behind(const void *code, bool mpi);

/* Static storage that the table knows, as objects; once, after the start. */
void ek_stack_globals(void);

#endif
