/*===- shim.c - free & co. inside a sanitized executable ----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: AddressSanitizer's runtime is part of the executable and defines
 * free() weakly, ahead of any shared library. This file, linked whole into the
 * executable (libevenkeel-shim.a), defines it strongly and forwards it: our
 * pointers to us, all others to the sanitizer. Without it a sanitized program
 * runs, but nothing is placed (reason not-interposed).
 *===----------------------------------------------------------------------===*/
#include <stddef.h>

void ek_shim_free(void *p);
void *ek_shim_realloc(void *p, size_t n);
void *ek_shim_reallocarray(void *p, size_t k, size_t n);
size_t ek_shim_malloc_usable_size(void *p);

#define EXPORT __attribute__((visibility("default")))
EXPORT void free(void *p) { ek_shim_free(p); }
EXPORT void *realloc(void *p, size_t n) { return ek_shim_realloc(p, n); }
EXPORT void *reallocarray(void *p, size_t k, size_t n) {
  return ek_shim_reallocarray(p, k, n);
}
EXPORT size_t malloc_usable_size(void *p) {
  return ek_shim_malloc_usable_size(p);
}
