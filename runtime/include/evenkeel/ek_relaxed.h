/*===- ek_relaxed.h - an all-reduce that waits for no straggler ---*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For sums that tolerate it, such as gradients: ranks that are late contribute
 * nothing to a round, and what they bring later goes into a later round. THE
 * RESULT DEPENDS ON WHO IS LATE. Never use it where every contribution has to
 * be in the sum that is returned.
 *
 * A round starts when the first of two ranks, drawn at random, is ready. All
 * ranks take part, without the program: a helper thread adds what its rank has
 * brought, or nothing. The call returns the sum of all rounds since this rank's
 * last call, and waits for one if there was none. So all ranks see the same
 * rounds, each exactly once, if sums of rounds are applied as sums:
 *
 *   ek_relaxed_result r;
 *   gradient(x, g);
 *   if (ek_allreduce_relaxed(1, g, g, n, MPI_DOUBLE, comm, 3, &r) != 0)
 *     MPI_Abort(comm, 1);
 *   for (i = 0; i < n; ++i)
 *     x[i] -= rate * r.rate * (r.weight * g[i]);
 *   ...
 *   ek_relaxed_finish(1, g, &r);      the rounds that are left
 *   for (i = 0; i < n; ++i)
 *     x[i] -= rate * r.rate * (r.weight * g[i]);
 *
 * From a stream's first call to its end, ranks must not wait for each other
 * elsewhere, in another collective or another stream: a round may need a rank
 * that waits there for the one that waits here.
 *
 * With EVENKEEL_RELAXED_GROUPS=1, ranks that are always slower than others get
 * rounds of their own: while the mean times between calls differ by more than
 * their mean, ranks are split at the mean, once each has made nine calls.
 * Groups send each other the sums of their rounds and wait for none, so a bound
 * holds within a group. In the end, all ranks have been given the same
 * contributions.
 *
 * Needs MPI 3 with MPI_THREAD_MULTIPLE (MPI_Init_thread); link with
 * -levenkeel-relaxed. Ranks may end after different numbers of calls. If a rank
 * does not answer for EVENKEEL_RELAXED_TIMEOUT seconds, calls in the others
 * fail with a line that says which; from then on all calls of the stream fail.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_EK_RELAXED_H
#define EVENKEEL_EK_RELAXED_H

#include "evenkeel/ek_relaxed_codes.h"
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef EVENKEEL_DISABLE

/* \p stream: a number that is the same in all ranks for calls that belong
 * together; each stream has one communicator, count, type and bound. The first
 * call of a stream waits for all ranks. \p type is MPI_FLOAT or MPI_DOUBLE; \p
 * in may be \p out, or MPI_IN_PLACE. \p bound:
 * a contribution misses at most this many rounds that other ranks have seen;
 * before it would miss more, rounds wait for the rank. With 0, each round has
 * all contributions, as in MPI_Allreduce. Contributions of one rank that no
 * round has taken yet are merged, with weights that grow linearly; those older
 * than
 * \p bound calls are dropped. \p result may be NULL. One thread at a time calls
 * this for a stream.
 * Returns EK_RELAXED_OK, or another value after a line on stderr. */
int ek_allreduce_relaxed(unsigned long long stream, const void *in, void *out,
                         int count, MPI_Datatype type, MPI_Comm comm,
                         unsigned bound, ek_relaxed_result *result);

/* The rank's last call of a stream: contributes, and ends the stream as
 * ek_relaxed_finish does. If every rank's last call is this one, all ranks have
 * then been given the same contributions, and each of them once. */
int ek_allreduce_relaxed_last(unsigned long long stream, const void *in,
                              void *out, int count, MPI_Datatype type,
                              MPI_Comm comm, unsigned bound,
                              ek_relaxed_result *result);

/* Ends a stream, in all ranks of its communicator. Waits until every rank's
 * last contribution has been taken, and sets \p out to the sum of the rounds
 * since this rank's last call. If there were none, rounds and rate are 0, and
 * \p out is left alone. Frees everything. A stream that has failed is only
 * forgotten. MPI_Finalize ends streams that are left. */
int ek_relaxed_finish(unsigned long long stream, void *out,
                      ek_relaxed_result *result);

/* What the last failed call of this process said; "" if none failed. */
const char *ek_relaxed_why(void);

#else /* every rank contributes to every sum; no library is needed */

static inline int ek_allreduce_relaxed(unsigned long long stream,
                                       const void *in, void *out, int count,
                                       MPI_Datatype type, MPI_Comm comm,
                                       unsigned bound,
                                       ek_relaxed_result *result) {
  ek_relaxed_result r = {0, 0, 1, 1, 0, 0, 1};
  int ranks = 1;
  (void)stream, (void)bound;
  MPI_Comm_size(comm, &ranks);
  r.contributors = ranks;
  r.weight = 1.0 / ranks;
  if (result)
    *result = r;
  return MPI_Allreduce(in == out ? MPI_IN_PLACE : in, out, count, type, MPI_SUM,
                       comm) == MPI_SUCCESS
             ? EK_RELAXED_OK
             : EK_RELAXED_MPI;
}
static inline int ek_allreduce_relaxed_last(unsigned long long stream,
                                            const void *in, void *out,
                                            int count, MPI_Datatype type,
                                            MPI_Comm comm, unsigned bound,
                                            ek_relaxed_result *result) {
  return ek_allreduce_relaxed(stream, in, out, count, type, comm, bound,
                              result);
}
static inline int ek_relaxed_finish(unsigned long long stream, void *out,
                                    ek_relaxed_result *result) {
  ek_relaxed_result r = {0, 0, 0, 0, 0, 0, 1};
  (void)stream, (void)out;
  if (result)
    *result = r;
  return EK_RELAXED_OK;
}
static inline const char *ek_relaxed_why(void) { return ""; }

#endif

#ifdef __cplusplus
}
#endif
#endif
