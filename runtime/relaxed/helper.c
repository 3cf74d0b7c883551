/*===- helper.c - the thread that takes part in rounds ------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: a candidate for the next round that has a contribution tells all ranks
 * that it starts (START). Several may do so; each rank joins the round once, by
 * posting the same MPI_Iallreduce, with what it has or with nothing. Along with
 * the data goes each rank's age: the rounds that its program has not seen. A
 * rank that would become too old holds the next round until it has contributed
 * or caught up (GO). A rank that ends stays until all have (DONE). All messages
 * are counted, and received before a stream is closed.
 * The helper sleeps between looks, for longer the longer nothing happens. Only
 * while the program waits, it looks more often, and at first only yields. A
 * rank that does not answer a question (ASK, HERE) is lost, and all others are
 * told (GONE). When MPI returns an error, as some libraries do when a process
 * dies, rounds stop and the question is asked at once. Not here: what
 * contributions are merged to (late.h).
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "collectives/ek_choice.h"
#include "collectives/ek_groups.h"
#include "evenkeel/ek_relaxed_codes.h"
#include "relaxed/groups.h"
#include "relaxed/messages.h"
#include "relaxed/mpi_words.h"
#include "relaxed/stream.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

enum { START = 1, GO, DONE, ASK, HERE, GONE };
enum { SHORTEST_NAP_NS = 20000, LONGEST_NAP_NS = 1000000 };
/* While the program waits: without stragglers, a round is over soon. */
enum { YIELDS_NS = 100000, WAITING_NAP_NS = 100000 };

uint64_t ek_stream_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void take(ek_stream *s, const uint64_t *message) {
  const uint32_t from = (uint32_t)(message[0] >> 32);
  const uint64_t round = message[1];
  if (from >= s->ranks)
    return;
  switch ((uint32_t)message[0]) {
  case START:
    s->started = round > s->started ? round : s->started;
    break;
  case GO:
    s->let_go[from] = round > s->let_go[from] ? round : s->let_go[from];
    break;
  case DONE:
    s->ended_count += !s->ended[from];
    s->ended[from] = 1;
    break;
  case ASK:
    if (!s->closing)
      ek_stream_tell(s, from, HERE, round);
    break;
  case HERE:
    s->heard[from] = 1;
    break;
  case GONE:
    if (round < s->ranks)
      s->gone[round] = 1;
    break;
  default:;
  }
}

/* Receives what has come. Returns whether anything has. */
static bool receive(ek_stream *s) {
  bool any = false;
  for (;;) {
    int there = 0;
    uint64_t message[2];
    if (s->failed)
      return any;
    s->deaf =
        !ek_stream_works(s,
                         PMPI_Iprobe(s->mpi.any_source, EK_TAG_WORD, s->rounds,
                                     (W)&there, s->mpi.no_status)) ||
        (there &&
         !ek_stream_works(s, PMPI_Recv((W)message, sizeof message, s->mpi.byte,
                                       s->mpi.any_source, EK_TAG_WORD,
                                       s->rounds, s->mpi.no_status)));
    if (s->deaf || !there)
      return any;
    any = true;
    ++s->received;
    take(s, message);
  }
}

/* --- rounds -------------------------------------------------------------- */

static void join_round(ek_stream *s) {
  const bool any = ek_late_take(&s->late, s->out);
  const size_t ages = s->count + 1, means = ages + s->ranks;
  const bool tells = s->group.may_split;
  ek_stream_put(s, s->out, s->count, any);
  for (size_t i = ages; i < means + (tells ? s->ranks : 0); ++i)
    ek_stream_put(s, s->out, i, 0);
  ++s->joined;
  /* Having ended, it will not contribute: it never holds a round. */
  ek_stream_put(s, s->out, ages + s->rank,
                s->finishing ? -1 : (double)(s->joined - s->read));
  if (tells && s->worked >= EK_GROUPS_LEAST)
    ek_stream_put(s, s->out, means + s->rank,
                  (double)s->worked_ns / (double)s->worked);
  ek_groups_lend(s);
  s->flying = ek_stream_works(
      s,
      PMPI_Iallreduce((W)s->out, (W)s->in, (W)(means + (tells ? s->ranks : 0)),
                      s->type, s->mpi.sum, s->group.comm, (W)&s->request));
}

static void end_round(ek_stream *s) {
  s->flying = false;
  for (size_t i = 0; i < s->count; ++i)
    ek_stream_put(s, s->sum, i,
                  ek_stream_at(s, s->sum, i) + ek_stream_at(s, s->in, i));
  s->sum_weight += ek_stream_at(s, s->in, s->count);
  /* A rank that misses the next round as well would be this much older. */
  for (uint32_t r = 0; r < s->ranks; ++r)
    s->holds[r] = ek_stream_at(s, s->in, s->count + 1 + r) + 1 > s->bound;
  s->completed = s->joined;
  pthread_cond_broadcast(&s->news);
  ek_groups_send(s);
  if (s->group.may_split)
    ek_groups_split_ranks(s);
}

static bool is_held(const ek_stream *s) {
  for (uint32_t i = 0; i < s->group.count; ++i) {
    const uint32_t r = s->group.ranks[i];
    if (s->holds[r] && !s->ended[r] && s->let_go[r] <= s->completed)
      return true;
  }
  return false;
}

/* Lets the next round start, if this rank holds it and need not any more. */
static bool let_go(ek_stream *s) {
  const bool ready = ek_late_any(&s->late) || s->finishing;
  if (!s->holds[s->rank] || s->let_go[s->rank] > s->completed ||
      !(ready || (s->read == s->completed && s->bound)))
    return false;
  s->let_go[s->rank] = s->completed + 1;
  ek_stream_tell_group(s, GO, s->completed + 1);
  return true;
}

static bool is_candidate(ek_stream *s) {
  ek_group *g = &s->group;
  for (uint32_t i = 0; i < g->count; ++i)
    g->ended[i] = s->ended[g->ranks[i]];
  return ek_choice_is_candidate(s->completed + 1, g->place, g->count, s->probes,
                                g->ended);
}

static bool may_start(ek_stream *s) {
  return s->started == s->completed && ek_late_any(&s->late) && !is_held(s) &&
         is_candidate(s);
}

/* Does all that can be done now. Returns whether there was anything. */
static bool move(ek_stream *s) {
  if (s->broken)
    return false;
  if (s->flying) {
    if (!ek_stream_is_over(s, &s->request))
      return false;
    end_round(s);
    return true;
  }
  if (let_go(s))
    return true;
  if (may_start(s)) {
    ++s->started;
    ek_stream_tell_group(s, START, s->started);
  }
  if (s->joined < s->started) {
    join_round(s);
    return true;
  }
  if (s->finishing && !s->ended[s->rank] && !ek_late_any(&s->late)) {
    s->ended[s->rank] = 1;
    ++s->ended_count;
    ek_stream_tell_all(s, DONE, 0);
    return true;
  }
  return false;
}

/* --- lost ranks ---------------------------------------------------------- */

/* Fails with the names of the ranks that are gone, if there are any. */
static void name_gone(ek_stream *s) {
  char text[200] = "", why[256];
  size_t n = 0;
  for (uint32_t r = 0; r < s->ranks && n < sizeof text - 16; ++r)
    if (s->gone[r])
      n +=
          (size_t)snprintf(text + n, sizeof text - n, "%s%u", n ? ", " : "", r);
  if (!n)
    return;
  if (s->broken)
    snprintf(why, sizeof why,
             "rank %s does not answer, after an MPI call failed", text);
  else
    snprintf(why, sizeof why, "rank %s does not answer for %.1f s", text,
             (double)s->timeout_ns * 1e-9);
  ek_stream_fails(s, EK_RELAXED_LOST, why);
}

/* Whoever has not answered is gone. The others are told, because this rank will
 * not answer them any more. */
static void give_up_silent(ek_stream *s) {
  for (uint32_t r = 0; r < s->ranks; ++r)
    if (r != s->rank && !s->heard[r]) {
      s->gone[r] = 1;
      ek_stream_tell_all(s, GONE, r);
    }
  name_gone(s);
  if (s->broken)
    ek_stream_fails(s, EK_RELAXED_MPI, "an MPI call failed");
}

/* If this rank waits for others and nothing happens, asks all; later, whoever
 * has not answered is lost. */
static void watch(ek_stream *s, bool moved) {
  const uint64_t now = ek_stream_now();
  if (s->broken && (s->closing || s->deaf)) {
    ek_stream_fails(s, EK_RELAXED_MPI, "an MPI call failed");
  } else if ((moved || !(s->waits || s->finishing || s->flying)) &&
             !s->broken) {
    s->moved_ns = now;
    s->asked_ns = 0;
  } else if (s->asked_ns) {
    if (now - s->asked_ns < s->timeout_ns / 2)
      return;
    give_up_silent(s);
    s->moved_ns = now; /* all are alive: one takes its time */
    s->asked_ns = 0;
  } else if ((s->broken || now - s->moved_ns > s->timeout_ns / 2) &&
             !s->closing) {
    memset(s->heard, 0, s->ranks);
    ek_stream_tell_all(s, ASK, s->completed);
    s->asked_ns = now;
  } else if (s->closing && now - s->moved_ns > s->timeout_ns) {
    ek_stream_fails(s, EK_RELAXED_LOST, "some rank does not answer at the end");
  }
}

/* --- the thread ---------------------------------------------------------- */

/* Sleeps, or until the program's thread has something to do. */
static void nap(ek_stream *s, uint64_t ns) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += (long)ns;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_cond_timedwait(&s->wake, &s->lock, &until);
}

/* Sleeps or yields, after a time \p quiet without anything to do. */
static void rest(ek_stream *s, uint64_t quiet) {
  const uint64_t longest =
      s->waits || s->flying ? WAITING_NAP_NS : LONGEST_NAP_NS;
  if (s->waits && quiet < YIELDS_NS) {
    pthread_mutex_unlock(&s->lock);
    sched_yield();
    pthread_mutex_lock(&s->lock);
    return;
  }
  const uint64_t ns = quiet > SHORTEST_NAP_NS ? quiet : SHORTEST_NAP_NS;
  nap(s, ns < longest ? ns : longest);
}

/* Works until \p over says so, or the stream fails. */
static void work_until(ek_stream *s, bool (*over)(ek_stream *)) {
  uint64_t active_ns = ek_stream_now();
  bool waited = false;
  while (!s->failed && !over(s)) {
    bool received = receive(s);
    received |= ek_groups_receive(s);
    if (received)
      name_gone(s);
    const bool moved = !s->closing && move(s);
    ek_stream_free_sent(s);
    /* Answers are no progress. */
    watch(s, moved || (received && !s->asked_ns));
    const uint64_t now = ek_stream_now();
    if (moved || received || (s->waits && !waited))
      active_ns = now;
    waited = s->waits;
    if (!moved && !received)
      rest(s, now - active_ns);
  }
}

static bool all_ended(ek_stream *s) {
  return s->ended_count == s->ranks && !s->flying;
}

static bool is_answered(ek_stream *s) {
  return ek_stream_is_over(s, &s->request);
}

static bool all_came(ek_stream *s) {
  uint64_t expected = 0;
  for (uint32_t r = 0; r < s->ranks; ++r)
    expected += s->expected[r];
  return s->received == expected && !s->sends;
}

void *ek_stream_helper(void *stream) {
  ek_stream *s = stream;
  prctl(PR_SET_TIMERSLACK, 1000); /* short naps stay short */
  pthread_mutex_lock(&s->lock);
  s->moved_ns = ek_stream_now();
  work_until(s, all_ended);
  if (!s->failed) {
    s->closing = true;
    ek_stream_works(s,
                    PMPI_Ialltoall((W)s->sent, 4, s->mpi.byte, (W)s->expected,
                                   4, s->mpi.byte, s->control, (W)&s->request));
    work_until(s, is_answered);
    work_until(s, all_came);
    if (!s->failed && s->group.groups > 1) {
      ek_groups_begin_last(s);
      work_until(s, is_answered);
      if (!s->failed)
        ek_groups_end_last(s);
    }
  }
  s->closed = true;
  pthread_cond_broadcast(&s->news);
  pthread_mutex_unlock(&s->lock);
  return NULL;
}
