/*===- board.c - the board in shared memory -----------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: one file in /dev/shm per launch, with mode 0600; a file of another
 * version or plan is refused. Each rank writes only its own row, and the leader
 * the head, so there is no lock that a dead rank could hold. Counters that
 * publish other data are stored last and loaded first.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "ranks/board.h"
#include "core/stats.h"
#include "core/tuning.h"
#include "providers/provider.h"
#include "ranks/rank.h"
#include "ranks/share.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER "/dev/shm"
enum { MOST_RANKS = 1024, INTERVALS = 64 };
static const uint64_t magic = 0x656b2d626f617264; /* "ek-board" */
static const uint32_t version = 1;

typedef struct interval {
  uint64_t step, ns;
} interval;

typedef struct row {
  uint64_t pid, start; /* 0: not joined yet, or left */
  uint64_t reported;   /* intervals so far; the last INTERVALS are kept */
  uint32_t new_objects;
  uint64_t answered;     /* number of the last question answered */
  uint64_t follows;      /* number of the plan it follows */
  uint64_t settled;      /* number of the plan its pages have reached */
  uint64_t object_count; /* SIZE_MAX: too many */
  uint64_t moved_pages, move_ns;
  interval intervals[INTERVALS];
  ek_board_object objects[EK_BOARD_OBJECTS];
} __attribute__((aligned(64))) row;

typedef struct board {
  uint64_t magic;
  uint32_t version, ranks;
  uint64_t plan;     /* identity of the plan: ek_board_open */
  uint64_t asked;    /* number of questions so far */
  uint64_t plan_now; /* number of plans published so far */
  row rows[];
} board;

bool ek_board_on;
static board *here;
static row *mine;
static uint64_t taken;        /* intervals that the leader has taken */
static bool waits;            /* the leader waits for answers */
static uint64_t published_at; /* the leader's intervals at the last plan */
static char path[512], plan_path[512], lost[96];

#define READ(x) __atomic_load_n(&(x), __ATOMIC_ACQUIRE)
#define WRITE(x, v) __atomic_store_n(&(x), (v), __ATOMIC_RELEASE)

static size_t bytes_for(uint32_t ranks) {
  return sizeof(board) + ranks * sizeof(row);
}

/* Maps the whole file; NULL on failure. */
static board *map(int fd, size_t size) {
  board *b = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  return b == MAP_FAILED ? NULL : b;
}

static bool anybody(const board *b) {
  for (uint32_t r = 0; r < b->ranks; ++r)
    if (b->rows[r].pid && ek_process_lives(b->rows[r].pid, b->rows[r].start))
      return true;
  return false;
}

static bool sound(const board *b, size_t size) {
  return b->magic == magic && b->version == version && b->ranks <= MOST_RANKS &&
         size == bytes_for(b->ranks);
}

/* Whether no rank of the board's launch is alive; then also removes its
 * plan. */
static bool is_dead(int fd, size_t size, const char *rest) {
  board *b = size >= sizeof(board) ? map(fd, size) : NULL;
  if (!b)
    return false;
  bool dead = sound(b, size) && !anybody(b);
  munmap(b, size);
  if (dead) {
    char plan[512];
    snprintf(plan, sizeof plan, FOLDER "/evenkeel-plan.%u.%s", geteuid(), rest);
    unlink(plan);
  }
  return dead;
}

/* Joins the board in a locked file, and creates it if necessary. Returns "" or
 * why that failed. */
static const char *join(int fd, uint32_t ranks, uint64_t plan, uint32_t rank) {
  const size_t size = bytes_for(ranks);
  struct stat st;
  if (fstat(fd, &st) != 0)
    return "no shared memory is available";
  if (st.st_size && (size_t)st.st_size != size)
    return "the ranks run under different plans";
  if (!ek_share_room(fd, size))
    return "no shared memory is available";
  board *b = map(fd, size);
  if (!b)
    return "no shared memory is available";
  if (!b->magic) {
    b->version = version;
    b->ranks = ranks;
    b->plan = plan;
    b->magic = magic;
  }
  if (!sound(b, size) || b->plan != plan) {
    munmap(b, size);
    return "the ranks run under different plans";
  }
  row *r = &b->rows[rank];
  if (r->pid && r->pid != (uint64_t)getpid() &&
      ek_process_lives(r->pid, r->start)) {
    munmap(b, size);
    return "several processes claim the same rank";
  }
  r->start = ek_process_start((uint64_t)getpid());
  r->pid = (uint64_t)getpid();
  here = b;
  mine = r;
  return "";
}

const char *ek_board_open(uint32_t ranks, uint64_t plan) {
  char name[256];
  unsigned here_are;
  const uint32_t rank = ek_rank();
  if (!ek_share_name(name, sizeof name, &here_are)[0] || !ek_share_is_open())
    return "the ranks have no shared account";
  /* If the user named the account, the number of ranks is unknown. */
  if (here_are != ranks || rank >= ranks)
    return "the plan was made for other ranks than those on this node";
  if (ranks > MOST_RANKS)
    return "the plan was made for more ranks than a node can have";
  ek_share_sweep("evenkeel-board", is_dead);
  snprintf(path, sizeof path, FOLDER "/evenkeel-board.%u.%s", geteuid(), name);
  snprintf(plan_path, sizeof plan_path, FOLDER "/evenkeel-plan.%u.%s",
           geteuid(), name);
  int fd = ek_share_file(path, true);
  if (fd < 0)
    return "no shared memory is available";
  const char *why = join(fd, ranks, plan, rank);
  flock(fd, LOCK_UN);
  close(fd);
  ek_board_on = here != NULL;
  return why;
}

void ek_board_close(void) {
  if (!ek_board_on)
    return;
  int fd = ek_share_file(path, false);
  /* Other ranks may still read the row, so it stays mapped. */
  WRITE(mine->pid, 0);
  ek_board_on = false;
  if (fd < 0)
    return;
  if (!anybody(here)) {
    unlink(plan_path);
    unlink(path);
  }
  flock(fd, LOCK_UN);
  close(fd);
}

void ek_board_forked(void) { ek_board_on = false; }

uint32_t ek_board_rank(void) {
  return mine ? (uint32_t)(mine - here->rows) : 0;
}

bool ek_board_leads(void) { return ek_board_on && mine == here->rows; }

const char *ek_board_plan_file(void) { return ek_board_on ? plan_path : ""; }

/* --- times -------------------------------------------------------------------
 */

void ek_board_tell(size_t step, uint64_t ns, bool new_objects) {
  uint64_t n = mine->reported;
  interval *p = &mine->intervals[n % INTERVALS];
  __atomic_store_n(&p->step, step, __ATOMIC_RELAXED);
  __atomic_store_n(&p->ns, ns, __ATOMIC_RELAXED);
  if (new_objects)
    WRITE(mine->new_objects, 1);
  WRITE(mine->reported, n + 1);
}

/* All ranks have reported the intervals before *to; intervals from *from on are
 * still kept by all. */
static void kept(uint64_t *from, uint64_t *to) {
  uint64_t most = 0;
  *to = UINT64_MAX;
  for (uint32_t r = 0; r < here->ranks; ++r) {
    uint64_t reported = READ(here->rows[r].reported);
    *to = reported < *to ? reported : *to;
    most = reported > most ? reported : most;
  }
  /* The slot after the last one may be being written. */
  *from = most > INTERVALS - 1 ? most - (INTERVALS - 1) : 0;
}

bool ek_board_take(size_t *step, double *seconds, bool *alike) {
  uint64_t from, to, after;
  for (;;) {
    kept(&from, &to);
    if (taken < from)
      taken = from;
    if (taken >= to)
      return false;
    *alike = true;
    for (uint32_t r = 0; r < here->ranks; ++r) {
      interval *p = &here->rows[r].intervals[taken % INTERVALS];
      uint64_t its = __atomic_load_n(&p->step, __ATOMIC_RELAXED);
      seconds[r] = (double)__atomic_load_n(&p->ns, __ATOMIC_RELAXED) * 1e-9;
      if (r == 0)
        *step = its;
      *alike &= its == *step;
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    kept(&from, &after);
    if (taken >= from) { /* no rank has overwritten it meanwhile */
      ++taken;
      return true;
    }
  }
}

void ek_board_skip(void) {
  for (uint32_t r = 0; r < here->ranks; ++r) {
    uint64_t reported = READ(here->rows[r].reported);
    taken = reported > taken ? reported : taken;
  }
}

const char *ek_board_lost(void) {
  for (uint32_t r = 0; r < here->ranks; ++r) {
    row *w = &here->rows[r];
    uint64_t pid = READ(w->pid);
    if (pid && !ek_process_lives(pid, w->start)) {
      snprintf(lost, sizeof lost, "rank %u ended before the others", r);
      return lost;
    }
  }
  return "";
}

/* --- objects and plans -------------------------------------------------------
 */

bool ek_board_news(void) {
  for (uint32_t r = 0; r < here->ranks; ++r)
    if (READ(here->rows[r].new_objects))
      return true;
  return false;
}

void ek_board_ask(void) {
  if (waits)
    return;
  waits = true;
  WRITE(here->asked, here->asked + 1);
}

bool ek_board_asked(void) { return waits; }

void ek_board_asked_enough(void) { waits = false; }

/* The leader looks at its own objects directly, so its row is skipped. */
bool ek_board_answered(void) {
  for (uint32_t r = 1; r < here->ranks; ++r)
    if (READ(here->rows[r].answered) != here->asked)
      return false;
  return true;
}

bool ek_board_answer(const ek_board_object *objects, size_t count) {
  uint64_t asked = READ(here->asked);
  bool fits = count <= EK_BOARD_OBJECTS;
  WRITE(mine->new_objects, 0);
  if (fits && count)
    memcpy(mine->objects, objects, count * sizeof *objects);
  mine->object_count = fits ? count : UINT64_MAX;
  mine->moved_pages = ek_get(moved_pages);
  mine->move_ns = ek_get(move_ns);
  WRITE(mine->answered, asked);
  return fits;
}

size_t ek_board_answer_of(uint32_t rank, const ek_board_object **out) {
  const row *r = &here->rows[rank];
  *out = r->objects;
  return r->object_count <= EK_BOARD_OBJECTS ? (size_t)r->object_count
                                             : SIZE_MAX;
}

void ek_board_moves(uint64_t *pages, uint64_t *ns) {
  *pages = *ns = 0;
  for (uint32_t r = 0; r < here->ranks; ++r) {
    const row *w = &here->rows[r];
    *pages += w == mine ? ek_get(moved_pages) : w->moved_pages;
    *ns += w == mine ? ek_get(move_ns) : w->move_ns;
  }
}

void ek_board_publish(void) {
  uint64_t next = here->plan_now + 1;
  WRITE(mine->follows, next);
  WRITE(published_at, READ(mine->reported));
  WRITE(here->plan_now, next);
}

bool ek_board_has_plan(void) {
  return READ(mine->follows) != READ(here->plan_now);
}

void ek_board_follow(void) { WRITE(mine->follows, READ(here->plan_now)); }

bool ek_board_calls(void) {
  return ek_board_has_plan() || READ(mine->answered) != READ(here->asked);
}

void ek_board_settled(void) { WRITE(mine->settled, READ(mine->follows)); }

bool ek_board_all_settled(void) {
  if (mine->reported - READ(published_at) >= EK_BOARD_PATIENCE)
    return true;
  for (uint32_t r = 0; r < here->ranks; ++r)
    if (READ(here->rows[r].settled) != READ(here->plan_now))
      return false;
  return true;
}
