/*===- interpose.h - calls that take pointers of either side -------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the program or a library may free what the other allocator returned.
 * Not here: the C library's functions that use these (interpose.c).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_INTERPOSE_H
#define EVENKEEL_RUNTIME_INTERPOSE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* free, realloc and malloc_usable_size for our blocks and the C library's.
 * Thread-safe. */
void ek_any_free(void *p);
void *ek_any_realloc(void *p, size_t n);
size_t ek_any_usable_size(void *p);

#ifdef __cplusplus
}
#endif
#endif
