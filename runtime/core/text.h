/*===- text.h - names of files, and texts in JSON -----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TEXT_H
#define EVENKEEL_RUNTIME_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* At start, before the program may change its working directory. */
void ek_text_start(void);
/* \p name as it was meant at start: relative names begin in the folder of that
 * time. False, with errno: that folder is not known, or the path is too long.
 */
bool ek_text_from_start(char *out, size_t size, const char *name);
/* \p pattern with the process's number for its first %p: a file for each. */
void ek_text_path(char *out, size_t size, const char *pattern);
/* Why a file could not be opened or written. */
const char *ek_text_error(int error);
/* \p text in quotes; control characters become blanks, what does not fit is
 * left out. */
void ek_text_json(char *out, size_t size, const char *text);

#ifdef __cplusplus
}
#endif
#endif
