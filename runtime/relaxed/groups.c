/*===- groups.c - groups of ranks of like speed --------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See groups.h.
 *===----------------------------------------------------------------------===*/
#include "relaxed/groups.h"
#include "collectives/ek_groups.h"
#include "evenkeel/ek_relaxed_codes.h"
#include "relaxed/messages.h"
#include "relaxed/mpi_words.h"

#include <stdlib.h>
#include <string.h>

bool ek_groups_make(ek_stream *s, bool may_split) {
  ek_group *g = &s->group;
  g->may_split = may_split;
  g->groups = 1;
  g->comm = s->rounds;
  g->count = s->ranks;
  g->place = s->rank;
  g->ranks = calloc(s->ranks, sizeof *g->ranks);
  g->ended = calloc(s->ranks, 1);
  for (uint32_t r = 0; g->ranks && r < s->ranks; ++r)
    g->ranks[r] = r;
  return g->ranks && g->ended;
}

void ek_groups_free(ek_stream *s) {
  ek_group *g = &s->group;
  free(g->ranks);
  free(g->ended);
  free(g->firsts);
  free(g->foreign);
  free(g->lent);
  free(g->got);
}

/* The members of this rank's group, and the first ranks of the others. */
static void enter(ek_stream *s, const uint32_t *group) {
  ek_group *g = &s->group;
  uint32_t first = s->ranks;
  g->count = g->others = 0;
  for (uint32_t r = 0; r < s->ranks; ++r) {
    bool leads = true;
    for (uint32_t q = 0; q < r; ++q)
      leads = leads && group[q] != group[r];
    if (group[r] == group[s->rank]) {
      first = leads ? r : first;
      g->place = r == s->rank ? g->count : g->place;
      g->ranks[g->count++] = r;
    } else {
      s->holds[r] = 0;
      if (leads)
        g->firsts[g->others++] = r;
    }
  }
  if (first != s->rank)
    g->others = 0;
}

void ek_groups_split_ranks(ek_stream *s) {
  ek_group *g = &s->group;
  const size_t width = ek_stream_width(s);
  double *mean = calloc(s->ranks, sizeof *mean);
  uint32_t *group = calloc(s->ranks, sizeof *group);
  for (uint32_t r = 0; mean && r < s->ranks; ++r)
    mean[r] = ek_stream_at(s, s->in, s->count + 1 + s->ranks + r);
  const uint32_t groups =
      mean && group ? ek_groups_split(mean, s->ranks, group) : 0;
  if (groups != 1) {
    g->firsts = calloc(s->ranks, sizeof *g->firsts);
    g->foreign = calloc(s->count + 1, width);
    g->lent = calloc(s->count + 1, width);
    g->got = calloc(s->count + 1, width);
    if (!groups || !g->firsts || !g->foreign || !g->lent || !g->got) {
      ek_stream_fails(s, EK_RELAXED_WRONG, "no memory");
    } else {
      enter(s, group);
      g->may_split = false;
      g->groups = groups;
      /* All ranks get here after the same round, soon: helpers do no work. */
      pthread_mutex_unlock(&s->lock);
      intptr_t comm = 0;
      const int code =
          PMPI_Comm_split(s->control, (W)group[s->rank], (W)s->rank, (W)&comm);
      pthread_mutex_lock(&s->lock);
      if (ek_stream_works(s, code)) {
        g->comm = comm;
        PMPI_Comm_set_errhandler(comm, s->mpi.errors_return);
      }
    }
  }
  free(mean);
  free(group);
}

/* to += sign * x, with the weight behind the sum. */
static void add(const ek_stream *s, void *to, const void *x, double sign) {
  for (size_t i = 0; i <= s->count; ++i)
    ek_stream_put(s, to, i,
                  ek_stream_at(s, to, i) + sign * ek_stream_at(s, x, i));
}

void ek_groups_lend(ek_stream *s) {
  ek_group *g = &s->group;
  g->lending = g->any;
  if (!g->any)
    return;
  void *lent = g->foreign;
  g->foreign = g->lent;
  g->lent = lent;
  memset(g->foreign, 0, (s->count + 1) * ek_stream_width(s));
  g->any = false;
  add(s, s->out, lent, 1);
}

void ek_groups_send(ek_stream *s) {
  ek_group *g = &s->group;
  if (!g->others)
    return;
  if (g->lending)
    add(s, s->in, g->lent, -1);
  if (ek_stream_at(s, s->in, s->count) > 0)
    for (uint32_t i = 0; i < g->others; ++i)
      ek_stream_send_sum(s, g->firsts[i], s->in);
}

bool ek_groups_receive(ek_stream *s) {
  ek_group *g = &s->group;
  bool any = false;
  /* Another group may have been quicker, and this rank not split yet. */
  while (g->groups > 1 && !s->failed && !s->broken) {
    int there = 0;
    if (!ek_stream_works(s,
                         PMPI_Iprobe(s->mpi.any_source, EK_TAG_SUM, s->rounds,
                                     (W)&there, s->mpi.no_status)) ||
        !there ||
        !ek_stream_works(s, PMPI_Recv((W)g->got, (W)(s->count + 1), s->type,
                                      s->mpi.any_source, EK_TAG_SUM, s->rounds,
                                      s->mpi.no_status)))
      break;
    any = g->any = true;
    ++s->received;
    add(s, g->foreign, g->got, 1);
  }
  return any;
}

void ek_groups_begin_last(ek_stream *s) {
  /* Only the group's first rank has been sent any. */
  memcpy(s->out, s->group.foreign, (s->count + 1) * ek_stream_width(s));
  ek_stream_works(s, PMPI_Iallreduce((W)s->out, (W)s->in, (W)(s->count + 1),
                                     s->type, s->mpi.sum, s->group.comm,
                                     (W)&s->request));
}

void ek_groups_end_last(ek_stream *s) {
  const double weight = ek_stream_at(s, s->in, s->count);
  if (!(weight > 0))
    return;
  for (size_t i = 0; i < s->count; ++i)
    ek_stream_put(s, s->sum, i,
                  ek_stream_at(s, s->sum, i) + ek_stream_at(s, s->in, i));
  s->sum_weight += weight;
  ++s->completed;
}
