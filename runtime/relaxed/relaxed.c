/*===- relaxed.c - ek_allreduce_relaxed and ek_relaxed_finish -----*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the streams of the process, the checks of arguments, and what the
 * program's thread does: it adds its contribution, waits for a round that it
 * has not seen, and takes the sum. Also the form of the call that the rewriter
 * writes (ek_relaxed_call).
 * Not here: rounds (helper.c).
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "evenkeel/ek_relaxed_codes.h"
#include "relaxed/groups.h"
#include "relaxed/mpi_words.h"
#include "relaxed/stream.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* libevenkeel, if the program has it: waiting is no work of this rank. */
void ek_ranks_wait(void) __attribute__((weak, visibility("default")));
void ek_ranks_go_on(void) __attribute__((weak, visibility("default")));

static void ranks_wait(void) {
  if (ek_ranks_wait && ek_ranks_go_on)
    ek_ranks_wait();
}

static void ranks_go_on(void) {
  if (ek_ranks_wait && ek_ranks_go_on)
    ek_ranks_go_on();
}

int ek_allreduce_relaxed(unsigned long long id, const void *in, void *out,
                         int count, W type, W comm, unsigned bound,
                         ek_relaxed_result *result);
int ek_allreduce_relaxed_last(unsigned long long id, const void *in, void *out,
                              int count, W type, W comm, unsigned bound,
                              ek_relaxed_result *result);
int ek_relaxed_finish(unsigned long long id, void *out,
                      ek_relaxed_result *result);
/* As ek.h has it, which would ask for libevenkeel. */
int ek_relaxed_call(uint64_t id, unsigned bound, int last, const void *in,
                    void *out, int count, size_t type, size_t comm);
const char *ek_relaxed_why(void);

static pthread_mutex_t streams_lock = PTHREAD_MUTEX_INITIALIZER;
static ek_stream *streams;
static char said[400];

EXPORT const char *ek_relaxed_why(void) { return said; }

static int fail(int code, unsigned long long id, const char *form, ...) {
  char what[300];
  va_list list;
  va_start(list, form);
  vsnprintf(what, sizeof what, form, list);
  va_end(list);
  /* Large numbers are ids that the rewriter gave. */
  snprintf(said, sizeof said,
           id < 1u << 31 ? "relaxed all-reduce, stream %llu: %s"
                         : "relaxed all-reduce, stream 0x%016llx: %s",
           id, what);
  fprintf(stderr, "evenkeel: %s\n", said);
  return code;
}

/* --- streams ------------------------------------------------------------- */

static ek_stream *find(unsigned long long id) {
  pthread_mutex_lock(&streams_lock);
  ek_stream *s = streams;
  while (s && s->id != id)
    s = s->next;
  pthread_mutex_unlock(&streams_lock);
  return s;
}

static void forget(ek_stream *s) {
  pthread_mutex_lock(&streams_lock);
  for (ek_stream **at = &streams; *at; at = &(*at)->next)
    if (*at == s) {
      *at = s->next;
      break;
    }
  pthread_mutex_unlock(&streams_lock);
}

static void free_stream(ek_stream *s) {
  ek_late_free(&s->late);
  ek_groups_free(s);
  free(s->sum);
  free(s->in);
  free(s->out);
  free(s->ended);
  free(s->holds);
  free(s->heard);
  free(s->gone);
  free(s->let_go);
  free(s->sent);
  free(s->expected);
  free(s);
}

/* MPI_Finalize deletes the attributes of MPI_COMM_SELF first. */
static int at_finalize(W comm, W key, W value, W extra) {
  (void)comm, (void)key, (void)value, (void)extra;
  while (streams) {
    const unsigned long long id = streams->id;
    fail(EK_RELAXED_OK, id,
         "ends in MPI_Finalize; its last rounds are lost to this rank: call "
         "ek_relaxed_finish, or say last=CONDITION in the pragma");
    ek_relaxed_finish(id, NULL, NULL);
  }
  return 0;
}

static int copies_nothing(W comm, W key, W extra, W value, W copy, W flag) {
  (void)comm, (void)key, (void)extra, (void)value, (void)copy;
  *(int *)flag = 0;
  return 0;
}

static void wait_for_finalize(const ek_mpi_handles *h) {
  static bool asked;
  W key = 0;
  if (!asked && PMPI_Comm_create_keyval && PMPI_Comm_set_attr &&
      PMPI_Comm_create_keyval((W)copies_nothing, (W)at_finalize, (W)&key, 0) ==
          0)
    asked = PMPI_Comm_set_attr(h->self, (W)(int)key, (W)&streams) == 0;
}

/* Why a stream of these arguments cannot be; NULL: it can. */
static const char *why_not(ek_mpi_handles *h, int count, W type, W comm) {
  int level = -1, yes = 0, inter = 0;
  if (!PMPI_Iallreduce || !PMPI_Initialized || !ek_mpi_find_handles(h) ||
      !h->sum || !h->real)
    return "there is no MPI library of version 3 (Open MPI, MPICH or its kin)";
  if (PMPI_Initialized((W)&yes) != 0 || !yes)
    return "MPI is not initialized; call MPI_Init_thread first";
  if (PMPI_Finalized((W)&yes) != 0 || yes)
    return "MPI is finalized";
  if (PMPI_Query_thread((W)&level) != 0 || level < 3)
    return "MPI does not allow helper threads; ask for MPI_THREAD_MULTIPLE in "
           "MPI_Init_thread";
  if (count < 1)
    return "the count must be 1 or more";
  if (type != h->single && type != h->real)
    return "the type must be MPI_FLOAT or MPI_DOUBLE";
  if (comm == h->none || PMPI_Comm_test_inter(comm, (W)&inter) != 0 || inter)
    return "the communicator must be an intracommunicator";
  return NULL;
}

/* Of a handle that is an int, the upper half of the word is undefined. */
static W handle(W word) {
  ek_mpi_handles h;
  return ek_mpi_find_handles(&h) && h.shared ? (W)(uint32_t)word : word;
}

static uint64_t number_of(const char *name, double least, double most,
                          double otherwise, double unit) {
  const char *text = getenv(name);
  char *end = NULL;
  const double x = text ? strtod(text, &end) : otherwise;
  if (text && (!*text || *end || !(x >= least && x <= most))) {
    fprintf(stderr, "evenkeel: %s=%s: must be %g to %g; using %g\n", name, text,
            least, most, otherwise);
    return (uint64_t)(otherwise * unit);
  }
  return (uint64_t)(x * unit);
}

static bool make_buffers(ek_stream *s, bool single, bool groups) {
  const size_t width = single ? sizeof(float) : sizeof(double);
  const size_t all = s->count + 1 + 2 * (size_t)s->ranks;
  s->sum = calloc(s->count, width);
  s->in = calloc(all, width);
  s->out = calloc(all, width);
  s->ended = calloc(s->ranks, 1);
  s->holds = calloc(s->ranks, 1);
  s->heard = calloc(s->ranks, 1);
  s->gone = calloc(s->ranks, 1);
  s->let_go = calloc(s->ranks, sizeof *s->let_go);
  s->sent = calloc(s->ranks, sizeof *s->sent);
  s->expected = calloc(s->ranks, sizeof *s->expected);
  /* Without a round so far, all ranks are as old as possible with bound 0. */
  if (s->holds && !s->bound)
    memset(s->holds, 1, s->ranks);
  return ek_late_make(&s->late, s->count, single, s->bound) &&
         ek_groups_make(s, groups) && s->sum && s->in && s->out && s->ended &&
         s->holds && s->heard && s->gone && s->let_go && s->sent && s->expected;
}

/* Whether all ranks have called with the same arguments and have memory. */
static bool all_agree(const ek_stream *s, bool ok) {
  struct {
    uint64_t count, type, bound, id, probes, groups, ok;
  } its = {s->count,  s->late.single,     s->bound, s->id,
           s->probes, s->group.may_split, ok},
    *all = calloc(s->ranks, sizeof *all);
  bool agree = all && PMPI_Allgather((W)&its, sizeof its, s->mpi.byte, (W)all,
                                     sizeof its, s->mpi.byte, s->control) == 0;
  for (uint32_t r = 0; agree && r < s->ranks; ++r)
    agree = memcmp(&all[r], &its, sizeof its) == 0;
  free(all);
  return agree && ok;
}

static bool start_helper(ek_stream *s) {
  pthread_condattr_t clock;
  pthread_mutex_init(&s->lock, NULL);
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&s->wake, &clock);
  pthread_cond_init(&s->news, &clock);
  pthread_condattr_destroy(&clock);
  return pthread_create(&s->helper, NULL, ek_stream_helper, s) == 0;
}

/* The copies take over the communicator's error handler, which aborts unless
 * the program says otherwise; the stream names the rank that is lost. */
static bool return_errors(W comm, const ek_mpi_handles *h) {
  return PMPI_Comm_set_errhandler && h->errors_return &&
         PMPI_Comm_set_errhandler(handle(comm), h->errors_return) == 0;
}

static int open_stream(ek_stream **out, unsigned long long id, int count,
                       W type, W comm, unsigned bound) {
  ek_mpi_handles h;
  const char *why = why_not(&h, count, type, comm);
  if (why)
    return fail(EK_RELAXED_WRONG, id, "%s", why);
  ek_stream *s = calloc(1, sizeof *s);
  if (!s)
    return fail(EK_RELAXED_WRONG, id, "no memory");
  int rank = 0, ranks = 0;
  s->id = id;
  s->mpi = h;
  s->given = comm;
  s->type = type;
  s->count = (size_t)count;
  s->bound = bound;
  s->timeout_ns = number_of("EVENKEEL_RELAXED_TIMEOUT", 0.1, 1e6, 30, 1e9);
  s->probes = (uint32_t)number_of("EVENKEEL_RELAXED_PROBES", 1, 1e6, 2, 1);
  if (PMPI_Comm_rank(comm, (W)&rank) != 0 ||
      PMPI_Comm_size(comm, (W)&ranks) != 0 ||
      PMPI_Comm_dup(comm, (W)&s->rounds) != 0 ||
      PMPI_Comm_dup(comm, (W)&s->control) != 0 ||
      !return_errors(s->rounds, &h) || !return_errors(s->control, &h)) {
    free(s);
    return fail(EK_RELAXED_MPI, id, "the communicator cannot be copied");
  }
  s->rank = (uint32_t)rank;
  s->ranks = (uint32_t)ranks;
  const bool groups =
      number_of("EVENKEEL_RELAXED_GROUPS", 0, 1, 0, 1) && bound && ranks > 1;
  const bool ok = make_buffers(s, type == h.single, groups);
  if (!all_agree(s, ok)) {
    PMPI_Comm_free((W)&s->rounds);
    PMPI_Comm_free((W)&s->control);
    free_stream(s);
    return fail(EK_RELAXED_WRONG, id,
                ok ? "ranks call it with other arguments" : "no memory");
  }
  wait_for_finalize(&h);
  if (!start_helper(s))
    return fail(EK_RELAXED_WRONG, id, "no helper thread can be started");
  pthread_mutex_lock(&streams_lock);
  s->next = streams;
  streams = s;
  pthread_mutex_unlock(&streams_lock);
  *out = s;
  return EK_RELAXED_OK;
}

/* --- calls --------------------------------------------------------------- */

/* Hands the rounds over that the program has not seen. Holds the lock. */
static void deliver(ek_stream *s, void *out, ek_relaxed_result *result) {
  const ek_relaxed_result r = {s->sum_weight,
                               s->sum_weight > 0 ? 1 / s->sum_weight : 0,
                               s->sum_weight / s->ranks,
                               (unsigned)(s->completed - s->read),
                               (unsigned)s->late.merged,
                               (unsigned)s->late.dropped,
                               s->group.groups};
  const size_t bytes = s->count * ek_stream_width(s);
  if (r.rounds && out)
    memcpy(out, s->sum, bytes);
  memset(s->sum, 0, bytes);
  s->sum_weight = 0;
  s->late.merged = s->late.dropped = 0;
  s->read = s->completed;
  if (result)
    *result = r;
}

static int ends_with(ek_stream *s) {
  return s->failed ? fail(s->failed, s->id, "%s", s->why) : EK_RELAXED_OK;
}

static const void *in_or(const void *in, const void *out) {
  const bool in_place = in == (const void *)1 || in == (const void *)-1;
  return in_place ? out : in; /* MPI_IN_PLACE */
}

/* The stream of a call, which opens it if it is the first one. MPI_IN_PLACE in
 * \p in becomes the buffer that it stands for. */
static int stream_of(ek_stream **out_stream, unsigned long long id,
                     const void **in, const void *out, int count, W type,
                     W comm, unsigned bound) {
  ek_stream *s = find(id);
  *in = in_or(*in, out);
  type = handle(type);
  comm = handle(comm);
  if (!*in || !out)
    return fail(EK_RELAXED_WRONG, id, "a buffer is NULL");
  if (!s) {
    const int code = open_stream(&s, id, count, type, comm, bound);
    if (code)
      return code;
  }
  if (s->count != (size_t)count || s->type != type || s->given != comm ||
      s->bound != bound)
    return fail(EK_RELAXED_WRONG, id,
                "it was begun with another count, type, communicator or bound; "
                "give each place a number of its own");
  *out_stream = s;
  return EK_RELAXED_OK;
}

EXPORT int ek_allreduce_relaxed(unsigned long long id, const void *in,
                                void *out, int count, W type, W comm,
                                unsigned bound, ek_relaxed_result *result) {
  ek_stream *s = NULL;
  const int wrong = stream_of(&s, id, &in, out, count, type, comm, bound);
  if (wrong)
    return wrong;
  ranks_wait();
  pthread_mutex_lock(&s->lock);
  if (!s->failed) {
    if (s->left_ns) {
      s->worked_ns += ek_stream_now() - s->left_ns;
      ++s->worked;
    }
    ek_late_add(&s->late, in);
    s->waits = true;
    pthread_cond_signal(&s->wake);
    while (s->completed == s->read && !s->failed)
      pthread_cond_wait(&s->news, &s->lock);
    s->waits = false;
  }
  if (!s->failed) {
    deliver(s, out, result);
    s->left_ns = ek_stream_now();
    pthread_cond_signal(&s->wake);
  }
  const int code = ends_with(s);
  pthread_mutex_unlock(&s->lock);
  ranks_go_on();
  return code;
}

/* Ends the stream, after a last contribution \p in (NULL: none). */
static int end_stream(ek_stream *s, const void *in, void *out,
                      ek_relaxed_result *result) {
  pthread_mutex_lock(&s->lock);
  if (in && !s->failed)
    ek_late_add(&s->late, in);
  s->finishing = true;
  pthread_cond_signal(&s->wake);
  while (!s->closed)
    pthread_cond_wait(&s->news, &s->lock);
  if (!s->failed)
    deliver(s, out, result);
  const int code = ends_with(s);
  pthread_mutex_unlock(&s->lock);
  pthread_join(s->helper, NULL);
  forget(s);
  if (code) /* what was sent to a lost rank still uses the buffers */
    return code;
  if (s->group.groups > 1)
    PMPI_Comm_free((W)&s->group.comm);
  PMPI_Comm_free((W)&s->rounds);
  PMPI_Comm_free((W)&s->control);
  free_stream(s);
  return code;
}

EXPORT int ek_relaxed_finish(unsigned long long id, void *out,
                             ek_relaxed_result *result) {
  ek_stream *s = find(id);
  if (!s)
    return fail(EK_RELAXED_WRONG, id, "there is no such stream");
  return end_stream(s, NULL, out, result);
}

EXPORT int ek_allreduce_relaxed_last(unsigned long long id, const void *in,
                                     void *out, int count, W type, W comm,
                                     unsigned bound,
                                     ek_relaxed_result *result) {
  ek_stream *s = NULL;
  const int wrong = stream_of(&s, id, &in, out, count, type, comm, bound);
  if (wrong)
    return wrong;
  ranks_wait();
  const int code = end_stream(s, in, out, result);
  ranks_go_on();
  return code;
}

EXPORT int ek_relaxed_call(uint64_t id, unsigned bound, int last,
                           const void *in, void *out, int count, size_t type,
                           size_t comm) {
  const int code = (last ? ek_allreduce_relaxed_last : ek_allreduce_relaxed)(
      id, in, out, count, (W)type, (W)comm, bound, NULL);
  ek_mpi_handles h;
  if (!code)
    return 0; /* MPI_SUCCESS */
  /* The program expects that MPI deals with errors. */
  if (!PMPI_Comm_call_errhandler || !ek_mpi_find_handles(&h))
    return code;
  PMPI_Comm_call_errhandler(handle((W)comm), h.other_error);
  return h.other_error;
}
