/*===- stream.h - the state of a relaxed all-reduce ---------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: what the program's thread (relaxed.c) and the helper thread (helper.c)
 * share: contributions that wait for a round, and the sum of the rounds that
 * the program has not seen. Rounds are numbered from 1; all ranks join each of
 * them, in order.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_RELAXED_STREAM_H
#define EVENKEEL_RUNTIME_RELAXED_STREAM_H

#include "hooks/mpi/mpi_ranks.h"
#include "relaxed/late.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct ek_sent ek_sent; /* messages.c */

/* The ranks that have rounds together: all, until they turn out to be of
 * different speeds. The first rank of each group exchanges sums with those of
 * the others. */
typedef struct ek_group {
  bool may_split;
  uint32_t groups;
  intptr_t comm; /* of its rounds */
  uint32_t *ranks, count, place;
  unsigned char *ended;     /* by place; scratch */
  uint32_t *firsts, others; /* first ranks of other groups, if this is one */
  /* Sums of other groups, with their weight, that no round of this group has
   * taken; and those that are in the round under way. */
  void *foreign, *lent, *got;
  bool any, lending;
} ek_group;

typedef struct ek_stream {
  struct ek_stream *next;
  unsigned long long id;
  ek_mpi_handles mpi;
  intptr_t given, type;     /* the program's communicator; the elements' type */
  intptr_t rounds, control; /* two copies of it */
  uint32_t rank, ranks, probes, bound;
  size_t count;
  uint64_t timeout_ns;
  pthread_t helper;

  /* Guards what follows. wake: the helper has work; news: the program's thread
   * may have a result. */
  pthread_mutex_t lock;
  pthread_cond_t wake, news;
  ek_late late;
  uint64_t left_ns;   /* when the program's last call returned; 0: none has */
  uint64_t worked_ns; /* between its calls, */
  uint64_t worked;    /* so many times */
  void *sum; /* of the completed rounds that the program has not seen */
  double sum_weight;
  uint64_t read;      /* rounds that the program has seen */
  uint64_t completed; /* rounds that this rank has the result of */
  bool waits, finishing, closed;
  int failed; /* EK_RELAXED_*; 0: the stream is in order */
  char why[256];

  /* Of the helper alone. */
  uint64_t joined, started; /* rounds; started: known to have been started */
  bool flying;              /* round \p joined has not ended */
  intptr_t request;
  /* Contribution, weight, and an age for each rank; while ranks may split, also
   * the mean time of each rank's work, 0: not known. */
  void *out, *in;
  ek_group group;
  unsigned char *ended; /* ranks whose last contribution was taken */
  uint32_t ended_count;
  uint64_t *let_go;     /* of each rank: the round it lets start */
  unsigned char *holds; /* ranks whose let_go round completed + 1 needs */
  bool broken;          /* an MPI call has failed: no more rounds */
  bool deaf;            /* receiving fails */
  bool closing;         /* counts of messages are on their way */
  ek_sent *sends;
  uint32_t *sent, *expected; /* messages to and from each rank */
  uint64_t received;
  uint64_t moved_ns, asked_ns; /* last progress; last question, 0: none */
  unsigned char *heard;        /* ranks that have answered it */
  unsigned char *gone;         /* ranks that are lost */
} ek_stream;

/* The helper's main function. */
void *ek_stream_helper(void *stream);
uint64_t ek_stream_now(void);

/* An element of a vector of the stream's type. */
static inline double ek_stream_at(const ek_stream *s, const void *values,
                                  size_t i) {
  return s->late.single ? (double)((const float *)values)[i]
                        : ((const double *)values)[i];
}
static inline void ek_stream_put(const ek_stream *s, void *values, size_t i,
                                 double x) {
  if (s->late.single)
    ((float *)values)[i] = (float)x;
  else
    ((double *)values)[i] = x;
}
static inline size_t ek_stream_width(const ek_stream *s) {
  return s->late.single ? sizeof(float) : sizeof(double);
}

#endif
