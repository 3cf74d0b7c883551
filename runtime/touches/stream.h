/*===- stream.h - the file that the watcher writes ----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: format/ek_touches.h. Used by the sampler's thread alone, which has a
 * table of descriptors of its own. Items are collected and written before a
 * pass, the pass with its rows by one call.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TOUCHES_STREAM_H
#define EVENKEEL_RUNTIME_TOUCHES_STREAM_H

#include "format/ek_touches.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Creates <prefix>.<pid>; false: that fails. */
bool ek_stream_open(const char *prefix, const ek_touch_header *header);
/* Creates <prefix>.<pid>.why with the reason why this process is not watched.
 */
void ek_stream_why(const char *prefix, const char *why);
/* Adds an item of \p n bytes, and \p more bytes of text behind it. */
void ek_stream_item(uint32_t kind, const void *item, size_t n, const char *text,
                    size_t more);
/* Writes what was collected, and then the pass; or only what was collected, if
 * \p pass is NULL. */
void ek_stream_write(const ek_touch_pass *pass, const ek_touch_row *rows);
/* Buffers, once. */
bool ek_stream_start(void);

#endif
