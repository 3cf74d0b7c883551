/*===- file.h - files that the runtime writes ---------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: how a file takes its place whole or not at all, under a name before
 * that nobody can foresee; and how one stays open in a process whose program
 * may close any descriptor and open another file under its number.
 * Part of libevenkeel and of libevenkeel-record. Never waits: what nobody reads
 * cannot be written.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_FILE_H
#define EVENKEEL_RUNTIME_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EK_FILE_HIDDEN __attribute__((visibility("hidden")))

/* An empty file beside \p path, with the mode of what lies there. Its
 * descriptor, and its name in \p name; -1 and errno. */
EK_FILE_HIDDEN int ek_file_beside(const char *path, char *name, size_t size);

/* All of \p data as the file \p path; into a device or pipe that is there as it
 * is. False, and errno: nothing has changed. */
EK_FILE_HIDDEN bool ek_file_put(const char *path, const void *data, size_t n);

/* A file that stays open. */
typedef struct ek_kept_file {
  int number; /* -1: none */
  dev_t device;
  ino_t node;
  char path[4096]; /* of a regular file, from the root; else empty */
} ek_kept_file;

/* Opens \p path, emptied. False, and errno: \p f is none. */
EK_FILE_HIDDEN bool ek_file_keep(ek_kept_file *f, const char *path);
/* False, and errno: it is not there any more, or takes nothing; \p f is none
 * then. */
EK_FILE_HIDDEN bool ek_file_add(ek_kept_file *f, const void *data, size_t n);
EK_FILE_HIDDEN void ek_file_leave(ek_kept_file *f);

#ifdef __cplusplus
}
#endif
#endif
