/*===- text.h - file names, and strings in JSON -------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TEXT_H
#define EVENKEEL_RUNTIME_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Remembers the working directory; called at start, before the program can
 * change it. */
void ek_text_start(void);
/* Writes \p name as an absolute path, relative to the working directory at
 * start. Returns false and errno if that is unknown or the path is too long. */
bool ek_text_from_start(char *out, size_t size, const char *name);
/* Copies \p pattern with the process id for its first %p. */
void ek_text_path(char *out, size_t size, const char *pattern);
/* Why a file could not be opened or written: a static string. */
const char *ek_text_error(int error);
/* Writes \p text in quotes. Control characters become blanks; text that does
 * not fit in \p size bytes is cut. */
void ek_text_json(char *out, size_t size, const char *text);

#ifdef __cplusplus
}
#endif
#endif
