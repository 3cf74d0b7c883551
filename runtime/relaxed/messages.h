/*===- messages.h - what helpers send to each other ----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: messages that are sent without waiting, and counted, so that all of
 * them are received before a stream is closed; and errors of MPI.
 * Callers hold the stream's lock.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_RELAXED_MESSAGES_H
#define EVENKEEL_RUNTIME_RELAXED_MESSAGES_H

#include "relaxed/stream.h"

/* Tags: a word of a helper, and the sum of a group. */
enum { EK_TAG_WORD = 7, EK_TAG_SUM = 8 };

void ek_stream_fails(ek_stream *s, int code, const char *why);
/* Whether an MPI call worked. If one fails, the stream is broken. */
bool ek_stream_works(ek_stream *s, int result);
bool ek_stream_is_over(ek_stream *s, intptr_t *request);

void ek_stream_tell(ek_stream *s, uint32_t to, unsigned kind, uint64_t round);
void ek_stream_tell_all(ek_stream *s, unsigned kind, uint64_t round);
void ek_stream_tell_group(ek_stream *s, unsigned kind, uint64_t round);
/* Sends count + 1 elements. */
void ek_stream_send_sum(ek_stream *s, uint32_t to, const void *sum);
/* Frees messages that are on their way no more. */
void ek_stream_free_sent(ek_stream *s);

#endif
