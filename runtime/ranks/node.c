/*===- node.c - collecting the summaries of a node's ranks --------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: one file in /dev/shm per launch, to which ranks append under its lock:
 * a record when they start, and their counters and texts at exit. A rank that
 * finds that all others have left theirs, or died, writes the summary and
 * removes the file. So a killed rank delays nothing, and costs only its own
 * entry, which says so. If other ranks outlive this one by more than a moment
 * they may be killed later, so it shows what has been left so far; the last
 * rank then shows everything. Without MPI, a rank may end before others start,
 * and then prints its own summary.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "ranks/node.h"
#include "core/options.h"
#include "core/reasons.h"
#include "core/stats.h"
#include "core/tuning.h"
#include "providers/provider.h"
#include "ranks/imbalance.h"
#include "ranks/rank.h"
#include "ranks/share.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { JOINED = 1, LEFT = 2, SHOWN = 3 };

typedef struct part {
  uint32_t magic, kind;
  uint32_t rank, tiers;
  uint64_t pid, start;
  /* Bytes of what follows: the intervals (intervals.h), and the texts. */
  uint64_t work, table, json;
  ek_stats_t stats;
  ek_tier tier[EK_MAX_TIERS];
  ek_tier_use use[EK_MAX_TIERS];
} part;

/* Another build's records have another size, and so another magic number. */
static const uint32_t magic = 0x656b0000u + (uint32_t)sizeof(part);

typedef struct entry {
  const part *part;
  const ek_intervals *work;
  const char *table, *json;
} entry;

static char path[512];
static bool joined, kept; /* kept: the workspace gets the imbalance */

void ek_node_keep(void) { kept = true; }

static bool for_all(const char *option) {
  return option[0] && strcmp(option, "0") != 0 && !strstr(option, "%p");
}

static part *self(uint32_t kind) {
  part *p = calloc(1, sizeof *p);
  if (!p)
    return NULL;
  p->magic = magic;
  p->kind = kind;
  p->rank = ek_rank();
  p->pid = (uint64_t)getpid();
  p->start = ek_process_start(p->pid);
  return p;
}

/* Appends all of \p data, or leaves the file as it was. */
static bool append(int fd, const void *data, size_t size) {
  off_t end = lseek(fd, 0, SEEK_END);
  const char *from = data;
  for (size_t done = 0; end >= 0 && done < size;) {
    ssize_t n = write(fd, from + done, size - done);
    if (n <= 0)
      return ftruncate(fd, end) == 0 && false;
    done += (size_t)n;
  }
  return end >= 0;
}

static void let_go(int fd) {
  flock(fd, LOCK_UN);
  close(fd);
}

/* Reads the whole file; NULL on failure. The caller frees it. */
static char *read_all(int fd, size_t *size) {
  struct stat st;
  if (fstat(fd, &st) != 0)
    return NULL;
  char *all = malloc((size_t)st.st_size + 1);
  *size = 0;
  while (all && *size < (size_t)st.st_size) {
    ssize_t n =
        pread(fd, all + *size, (size_t)st.st_size - *size, (off_t)*size);
    if (n <= 0)
      break;
    *size += (size_t)n;
  }
  return all;
}

/* Splits the file into entries, in order; stops at the first invalid one. */
static size_t parse(const char *all, size_t size, entry **out) {
  size_t count = 0, slots = 0;
  entry *list = NULL;
  for (size_t at = 0; size - at >= sizeof(part);) {
    const part *p = (const part *)(all + at);
    size_t left = size - at - sizeof *p;
    if (p->magic != magic || p->tiers > EK_MAX_TIERS || p->work > left ||
        p->work % 8 || p->table > left - p->work ||
        p->json > left - p->work - p->table)
      break;
    if (count == slots) {
      entry *more = realloc(list, (slots = slots * 2 + 16) * sizeof *list);
      if (!more)
        break;
      list = more;
    }
    const char *text = (const char *)(p + 1) + p->work;
    list[count++] =
        (entry){p, (const ek_intervals *)(p + 1), text, text + p->table};
    /* Texts are padded to align the next record. */
    at += sizeof *p + p->work + ((p->table + p->json + 7) & ~(uint64_t)7);
    if (at > size)
      break;
  }
  *out = list;
  return count;
}

/* Whether all ranks of the file's launch are dead. */
static bool is_dead(int fd, size_t size, const char *rest) {
  (void)size, (void)rest;
  size_t bytes, count;
  entry *list = NULL;
  char *all = read_all(fd, &bytes);
  count = all ? parse(all, bytes, &list) : 0;
  bool dead = count > 0;
  for (size_t i = 0; i < count && dead; ++i)
    dead = !ek_process_lives(list[i].part->pid, list[i].part->start);
  free(list);
  free(all);
  return dead;
}

void ek_node_join(void) {
  char name[256];
  unsigned ranks;
  if (joined ||
      !(kept || for_all(ek_opt.summary) || for_all(ek_opt.summary_json)) ||
      !ek_share_name(name, sizeof name, &ranks)[0] || ranks < 2)
    return;
  ek_share_sweep("evenkeel-end", is_dead);
  snprintf(path, sizeof path, "/dev/shm/evenkeel-end.%u.%s",
           (unsigned)geteuid(), name);
  int fd = ek_share_file(path, true);
  part *me = fd >= 0 ? self(JOINED) : NULL;
  if (me)
    joined = ek_intervals_on = append(fd, me, sizeof *me);
  free(me);
  if (fd >= 0)
    let_go(fd);
}

static bool same(const part *a, const part *b) {
  return a->pid == b->pid && a->start == b->start;
}

/* The last summary that process \p who left, or NULL; after an exec it may have
 * joined again and not left one yet. */
static const entry *left_by(const entry *list, size_t count, const part *who) {
  const entry *left = NULL;
  for (size_t i = 0; i < count; ++i)
    if (!same(list[i].part, who))
      continue;
    else if (list[i].part->kind == LEFT)
      left = &list[i];
    else if (list[i].part->kind == JOINED)
      left = NULL;
  return left;
}

static int by_rank(const void *a, const void *b) {
  const part *x = ((const entry *)a)->part, *y = ((const entry *)b)->part;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return x->pid < y->pid ? -1 : x->pid > y->pid;
}

/* --- the summary of all ranks ------------------------------------------------
 */

static struct {
  const entry *list; /* by rank */
  size_t count, left;
  bool so_far; /* other ranks still run */
} node;

#define SUM(field)                                                             \
  ({                                                                           \
    uint64_t sum = 0;                                                          \
    for (size_t i = 0; i < node.count; ++i)                                    \
      if (node.list[i].part->kind == LEFT)                                     \
        sum += node.list[i].part->field;                                       \
    sum;                                                                       \
  })

/* Prints sums by tier name, in the order of the first rank that has the
 * tier. */
static void sum_tiers(FILE *f) {
  fprintf(f, "  %-12s %16s %16s %16s %16s %10s\n", "tier", "capacity", "placed",
          "peaks", "at end", "objects");
  for (size_t i = 0; i < node.count; ++i)
    for (unsigned t = 0; t < node.list[i].part->tiers; ++t) {
      const char *name = node.list[i].part->tier[t].name;
      ek_tier_use use = {0};
      uint64_t capacity = 0;
      bool seen = false;
      for (size_t k = 0; k < node.count; ++k)
        for (unsigned u = 0; u < node.list[k].part->tiers; ++u) {
          const part *p = node.list[k].part;
          if (strncmp(p->tier[u].name, name, sizeof p->tier[u].name) != 0)
            continue;
          seen |= k < i;
          use.most += p->use[u].most;
          use.peak += p->use[u].peak;
          use.live += p->use[u].live;
          use.objects += p->use[u].objects;
          if (p->tier[u].capacity > capacity)
            capacity = p->tier[u].capacity;
        }
      char room[24] = "-";
      if (capacity != EK_UNLIMITED)
        snprintf(room, sizeof room, "%" PRIu64, capacity);
      if (!seen)
        fprintf(f,
                "  %-12.24s %16s %16" PRIu64 " %16" PRIu64 " %16" PRIu64
                " %10" PRIu64 "\n",
                name, room, use.most < capacity ? use.most : capacity, use.peak,
                use.live, use.objects);
    }
}

static void indented(FILE *f, const char *text, size_t size) {
  while (size) {
    const char *end = memchr(text, '\n', size);
    size_t line = end ? (size_t)(end - text) + 1 : size;
    fprintf(f, "    %.*s", (int)line, text);
    text += line;
    size -= line;
  }
}

static void table_of_all(FILE *f) {
  fprintf(f, "evenkeel: summary of %zu ranks on this node%s (bytes)\n",
          node.left, node.so_far ? " so far" : "");
  sum_tiers(f);
  fprintf(f,
          "  objects %" PRIu64 ": planned %" PRIu64 ", by call %" PRIu64
          ", pinned %" PRIu64 ", unplanned %" PRIu64 "; freed %" PRIu64
          "; globals %" PRIu64 "\n",
          SUM(stats.objects), SUM(stats.planned), SUM(stats.by_call),
          SUM(stats.pinned), SUM(stats.unplanned), SUM(stats.freed),
          SUM(stats.globals));
  fprintf(f,
          "  moved %" PRIu64 " pages in %" PRIu64 " batches; hooks %" PRIu64
          " serial, %" PRIu64 " team\n",
          SUM(stats.moved_pages), SUM(stats.move_calls),
          SUM(stats.hooks_serial), SUM(stats.hooks_team));
  if (SUM(stats.passed_hooked) + SUM(stats.passed_without))
    fprintf(f,
            "  sync points passed: %" PRIu64 " with a hook, %" PRIu64
            " without\n",
            SUM(stats.passed_hooked), SUM(stats.passed_without));
  ek_imbalance_table(f);
  for (unsigned w = 0; w < EK_WHY_COUNT; ++w)
    if (SUM(stats.why[w]))
      ek_reason_line(f, w, SUM(stats.why[w]), SUM(stats.why_bytes[w]));
  for (size_t i = 0; i < node.count; ++i) {
    const entry *e = &node.list[i];
    if (e->part->kind == LEFT) {
      fprintf(f, "  rank %" PRIu32 ":\n", e->part->rank);
      indented(f, e->table, e->part->table);
    } else {
      fprintf(f, "  rank %" PRIu32 ": %s\n", e->part->rank,
              ek_process_lives(e->part->pid, e->part->start)
                  ? "still runs"
                  : "ended without a summary");
    }
  }
}

static void json_of_all(FILE *f) {
  fprintf(f, "{\n  \"schema\": \"evenkeel.node-summary/1\",\n  \"ranks\": [");
  for (size_t i = 0; i < node.count; ++i) {
    const entry *e = &node.list[i];
    fprintf(f, "%s\n{\"rank\": %" PRIu32 ", \"summary\": ", i ? "," : "",
            e->part->rank);
    if (e->part->kind == LEFT)
      fwrite(e->json, 1, e->part->json, f);
    else
      fputs("null", f);
    fputc('}', f);
  }
  fprintf(f, "\n]");
  ek_imbalance_json(f);
  fprintf(f, "}\n");
}

/* Compares the intervals of the ranks that left theirs. */
static void compare(const entry *ranks, size_t count) {
  ek_rank_intervals *all = calloc(count, sizeof *all);
  size_t n = 0;
  for (size_t i = 0; all && i < count; ++i)
    if (ranks[i].part->kind == LEFT)
      all[n++] = (ek_rank_intervals){ranks[i].part->rank, ranks[i].work,
                                     ranks[i].part->work};
  ek_imbalance_of(all, n);
  free(all);
}

/* Writes each rank once: what it left, or that it has only started. */
static void write_all(const entry *list, size_t count,
                      const ek_node_last *last) {
  entry *ranks = malloc(count * sizeof *ranks);
  size_t n = 0;
  if (!ranks)
    return;
  node.left = 0;
  for (size_t i = 0; i < count; ++i) {
    bool first = list[i].part->kind == JOINED;
    for (size_t k = 0; k < i && first; ++k) /* exec() joins again */
      first = list[k].part->kind != JOINED || !same(list[k].part, list[i].part);
    if (!first)
      continue;
    const entry *left = left_by(list, count, list[i].part);
    ranks[n++] = left ? *left : list[i];
    node.left += left != NULL;
  }
  qsort(ranks, n, sizeof *ranks, by_rank);
  node.list = ranks;
  node.count = n;
  compare(ranks, n);
  if (for_all(ek_opt.summary))
    last->write_table(table_of_all);
  if (for_all(ek_opt.summary_json))
    last->write_json(json_of_all);
  if (kept)
    last->keep_imbalance(ek_imbalance_file);
  free(ranks);
}

/* --- leaving -----------------------------------------------------------------
 */

static char *printed(ek_printer *print, size_t *size) {
  char *text = NULL;
  FILE *f = open_memstream(&text, size);
  if (!f)
    return NULL;
  print(f);
  fclose(f);
  return text;
}

static bool leave_part(int fd, const ek_node_last *last) {
  size_t table_size = 0, json_size = 0;
  char *table_text = printed(last->table, &table_size);
  char *json_text = printed(last->json, &json_size);
  part *me = self(LEFT);
  const size_t work = ek_intervals_bytes();
  const size_t behind = work + ((table_size + json_size + 7) & ~(size_t)7);
  char *all = calloc(1, sizeof *me + behind);
  bool ok = table_text && json_text && me && all;
  if (ok) {
    me->work = work;
    me->table = table_size;
    me->json = json_size;
    me->tiers = ek_tier_count;
    me->stats = ek_stats;
    memcpy(me->tier, ek_tiers, sizeof me->tier);
    memcpy(me->use, last->use, sizeof me->use);
    for (unsigned t = 0; t < me->tiers; ++t)
      me->tier[t].capacity = last->capacity(t);
    memcpy(all, me, sizeof *me);
    memcpy(all + sizeof *me, ek_intervals_now(), work);
    memcpy(all + sizeof *me + work, table_text, table_size);
    memcpy(all + sizeof *me + work + table_size, json_text, json_size);
    ok = append(fd, all, sizeof *me + behind);
  }
  free(table_text);
  free(json_text);
  free(me);
  free(all);
  return ok;
}

/* Reads the file's entries. Returns 0 if this process is not among them. */
static size_t look(int fd, char **all, entry **list) {
  size_t size, count;
  *list = NULL;
  *all = read_all(fd, &size);
  count = *all ? parse(*all, size, list) : 0;
  for (size_t i = 0; i < count; ++i)
    if ((*list)[i].part->pid == (uint64_t)getpid())
      return count;
  return 0;
}

/* Writes the summary of all ranks if no other rank is still to leave. */
static bool wrote(int fd, const ek_node_last *writer) {
  char *all;
  entry *list;
  size_t count = look(fd, &all, &list);
  bool last = true; /* also if another rank has written it already */
  for (size_t i = 0; i < count && last; ++i)
    last = left_by(list, count, list[i].part) ||
           !ek_process_lives(list[i].part->pid, list[i].part->start);
  if (count && last) {
    write_all(list, count, writer);
    unlink(path);
  }
  free(list);
  free(all);
  return last;
}

/* Whether another rank has shown what this process left. */
static bool is_shown(const entry *list, size_t count) {
  bool left = false;
  for (size_t i = 0; i < count; ++i) {
    left |=
        list[i].part->kind == LEFT && list[i].part->pid == (uint64_t)getpid();
    if (left && list[i].part->kind == SHOWN)
      return true;
  }
  return false;
}

/* Shows what was left so far, because the ranks that still run may be
 * killed. */
static void show(int fd, const ek_node_last *writer) {
  char *all;
  entry *list;
  size_t count = look(fd, &all, &list);
  if (count && !is_shown(list, count)) {
    part *me = self(SHOWN);
    if (me)
      append(fd, me, sizeof *me);
    free(me);
    node.so_far = true;
    write_all(list, count, writer);
  }
  free(list);
  free(all);
}

bool ek_node_leave(const ek_node_last *last) {
  if (!joined)
    return false;
  int fd = ek_share_file(path, false);
  if (fd < 0)
    return false;
  char *all;
  entry *list;
  /* Not for a forked child, which is not a rank. */
  bool left = look(fd, &all, &list) && leave_part(fd, last);
  free(list);
  free(all);
  bool over = !left || wrote(fd, last);
  let_go(fd);
  /* Ranks end at about the same time, but one may die without a word. The last
   * rank never waits, so the launch as a whole does not, either. */
  for (int tries = 0; !over && tries < EK_SUMMARY_TRIES; ++tries) {
    usleep(20000);
    fd = ek_share_file(path, false);
    if (fd < 0)
      break;
    over = wrote(fd, last);
    if (!over && tries == EK_SUMMARY_TRIES - 1)
      show(fd, last);
    let_go(fd);
  }
  return left;
}
