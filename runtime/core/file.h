/*===- file.h - files that the runtime writes ---------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: how to write a file completely or not at all, through a temporary name
 * that nobody can predict; and how to keep a file open in a process whose
 * program may close any descriptor and reuse its number.
 * Part of libevenkeel and libevenkeel-record. A write fails rather than wait
 * for a reader that does not read. Nothing here locks: callers serialize.
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

/* Creates an empty file next to \p path, with the mode of the existing file if
 * there is one, and writes its name to \p name. Returns a descriptor that the
 * caller closes, or -1 and errno. */
EK_FILE_HIDDEN int ek_file_beside(const char *path, char *name, size_t size);

/* Replaces the file \p path by \p data; an existing device or pipe is written
 * to instead. Returns false and errno if that fails; a file is then
 * unchanged. */
EK_FILE_HIDDEN bool ek_file_put(const char *path, const void *data, size_t n);

/* A file that stays open. */
typedef struct ek_kept_file {
  int number; /* -1: none */
  dev_t device;
  ino_t node;
  char path[4096]; /* absolute path of a regular file, else empty */
} ek_kept_file;

/* Opens \p path and truncates it. Returns false and errno if that fails; \p f
 * then holds no file. */
EK_FILE_HIDDEN bool ek_file_keep(ek_kept_file *f, const char *path);
/* Appends \p data. Returns false and errno if the file is gone or cannot be
 * written; \p f then holds no file. */
EK_FILE_HIDDEN bool ek_file_add(ek_kept_file *f, const void *data, size_t n);
EK_FILE_HIDDEN void ek_file_leave(ek_kept_file *f);

#ifdef __cplusplus
}
#endif
#endif
