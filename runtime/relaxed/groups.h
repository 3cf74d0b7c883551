/*===- groups.h - groups of ranks of like speed --------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: when ranks split into groups (ek_groups.h), which is once, and how
 * groups exchange the sums of their rounds: the first rank of a group sends
 * them to those of the others, which bring them into a round of their own
 * groups. Nobody waits for another group, except at the end.
 * Callers hold the stream's lock.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_RELAXED_GROUPS_H
#define EVENKEEL_RUNTIME_RELAXED_GROUPS_H

#include "relaxed/stream.h"

/* All ranks in one group. Returns false if there is no memory. */
bool ek_groups_make(ek_stream *s, bool may_split);
void ek_groups_free(ek_stream *s);

/* After a round in which ranks said how long they work: splits them, if they
 * are of different speeds. Releases the lock for a while. */
void ek_groups_split_ranks(ek_stream *s);

/* Adds other groups' sums to this rank's part of a round. */
void ek_groups_lend(ek_stream *s);
/* Sends the sum of a round, which is in s->in, to other groups; changes it. */
void ek_groups_send(ek_stream *s);
/* Receives other groups' sums. Returns whether there were any. */
bool ek_groups_receive(ek_stream *s);

/* At the end, when all sums have been received: those that no round has taken.
 * begin starts a request of the stream; when that is over, end adds them. */
void ek_groups_begin_last(ek_stream *s);
void ek_groups_end_last(ek_stream *s);

#endif
