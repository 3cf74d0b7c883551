/*===- messages.c - what helpers send to each other ----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See messages.h.
 *===----------------------------------------------------------------------===*/
#include "relaxed/messages.h"
#include "evenkeel/ek_relaxed_codes.h"
#include "relaxed/mpi_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ek_sent {
  ek_sent *next;
  intptr_t request;
  uint64_t content[];
};

void ek_stream_fails(ek_stream *s, int code, const char *why) {
  if (s->failed)
    return;
  s->failed = code;
  snprintf(s->why, sizeof s->why, "%s", why);
  pthread_cond_broadcast(&s->news);
}

bool ek_stream_works(ek_stream *s, int result) {
  s->broken |= result != 0;
  return result == 0;
}

bool ek_stream_is_over(ek_stream *s, intptr_t *request) {
  int over = 0;
  return ek_stream_works(s,
                         PMPI_Test((W)request, (W)&over, s->mpi.no_status)) &&
         over;
}

static void send(ek_stream *s, uint32_t to, int tag, const void *content,
                 size_t bytes, size_t elements, W type) {
  ek_sent *m = calloc(1, sizeof *m + bytes);
  if (!m) {
    ek_stream_fails(s, EK_RELAXED_MPI, "no memory for a message");
    return;
  }
  memcpy(m->content, content, bytes);
  if (!ek_stream_works(s, PMPI_Isend((W)m->content, (W)elements, type, (W)to,
                                     tag, s->rounds, (W)&m->request))) {
    free(m);
    return;
  }
  ++s->sent[to];
  m->next = s->sends;
  s->sends = m;
}

void ek_stream_tell(ek_stream *s, uint32_t to, unsigned kind, uint64_t round) {
  const uint64_t message[2] = {(uint64_t)s->rank << 32 | kind, round};
  send(s, to, EK_TAG_WORD, message, sizeof message, sizeof message,
       s->mpi.byte);
}

void ek_stream_tell_all(ek_stream *s, unsigned kind, uint64_t round) {
  for (uint32_t r = 0; r < s->ranks && !s->failed; ++r)
    if (r != s->rank)
      ek_stream_tell(s, r, kind, round);
}

void ek_stream_tell_group(ek_stream *s, unsigned kind, uint64_t round) {
  for (uint32_t i = 0; i < s->group.count && !s->failed; ++i)
    if (i != s->group.place)
      ek_stream_tell(s, s->group.ranks[i], kind, round);
}

void ek_stream_send_sum(ek_stream *s, uint32_t to, const void *sum) {
  send(s, to, EK_TAG_SUM, sum, (s->count + 1) * ek_stream_width(s),
       s->count + 1, s->type);
}

void ek_stream_free_sent(ek_stream *s) {
  for (ek_sent **at = &s->sends; *at && !s->failed;) {
    ek_sent *m = *at;
    if (!ek_stream_is_over(s, &m->request)) {
      at = &m->next;
      continue;
    }
    *at = m->next;
    free(m);
  }
}
