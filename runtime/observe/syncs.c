/*===- syncs.c - sync points passed, with and without a hook ------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: a sync point counts as having no hook when it is passed. That is
 * corrected if its hook follows: the thread's next hook, in code near the call.
 *===----------------------------------------------------------------------===*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "observe/syncs.h"
#include "core/events.h"
#include "core/options.h"
#include "core/text.h"
#include "core/tuning.h"
#include "observe/lines.h"
#include "observe/sums.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 20, CALLS = 128 };

static bool on, sees[EK_SEES_MPI + 1];
static const char *calls[CALLS]; /* names, in order of first occurrence */
static _Thread_local struct {
  uintptr_t code;
  uint32_t kind;
} last __attribute__((tls_model("initial-exec")));

static const char *const kinds[] = {"end of a parallel region", "barrier",
                                    "end of a worksharing construct",
                                    "taskwait", "taskgroup"};

static void library_seen(ek_library library) {
  __atomic_store_n(&sees[library], true, __ATOMIC_RELAXED);
}

bool ek_syncs_see_openmp(void) {
  return __atomic_load_n(&sees[EK_SEES_OPENMP], __ATOMIC_RELAXED);
}

static void passed(ek_sync_kind kind, const void *code) {
  last.code = (uintptr_t)code;
  last.kind = kind;
  ek_sum_place((uintptr_t)code, kind, 1);
}

static void called(const char *name, const void *code) {
  uint32_t at = 0;
  for (; at < CALLS - 1; ++at) {
    const char *there = NULL;
    if (__atomic_compare_exchange_n(&calls[at], &there, name, false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
        there == name || strcmp(there, name) == 0)
      break;
  }
  ek_sum_place((uintptr_t)code, EK_SYNC_CALL + at, 1);
}

static void hook_reached(const void *from, bool counts) {
  uintptr_t here = (uintptr_t)from;
  bool follows = last.code && from &&
                 (here > last.code ? here - last.code : last.code - here) <
                     EK_CODE_AROUND_CALL;
  if (follows)
    ek_sum_place(last.code, last.kind, -1);
  if (follows || counts)
    ek_sum_place(0, 0, 1);
  if (follows)
    last.code = 0;
}

void ek_syncs_start(void) {
  on = ek_opt.summary[0] || ek_opt.summary_json[0];
  ek_listen_library_seen(library_seen);
  if (!on)
    return;
  ek_listen_sync_passed(passed);
  ek_listen_sync_called(called);
  ek_listen_hook_reached(hook_reached);
}

/* --- summary -----------------------------------------------------------------
 */

typedef struct missed {
  uint64_t times;
  const char *what;
  char where[512];
  ek_place place;
} missed;

static int by_place(const void *a, const void *b) {
  const missed *x = a, *y = b;
  int where = strcmp(x->where, y->where);
  return where ? where : strcmp(x->what, y->what);
}

/* Merges copies of one call, which inlining creates. */
static size_t join(missed *m, size_t n) {
  size_t kept = 0;
  qsort(m, n, sizeof *m, by_place);
  for (size_t i = 0; i < n; ++i)
    if (kept && by_place(&m[kept - 1], &m[i]) == 0)
      m[kept - 1].times += m[i].times;
    else
      m[kept++] = m[i];
  return kept;
}

/* Sorts by descending frequency. */
static int by_times(const void *a, const void *b) {
  const missed *x = a, *y = b;
  if (x->times != y->times)
    return x->times > y->times ? -1 : 1;
  return by_place(a, b);
}

static size_t find(missed **out, uint64_t *hooked, uint64_t *unhooked,
                   bool names) {
  ek_sum *sums;
  size_t count = ek_sums_take(EK_SUM_PLACE, &sums), n = 0;
  missed *m = names ? calloc(count + 1, sizeof *m) : NULL;
  ek_place *places = names ? calloc(count + 1, sizeof *places) : NULL;
  *hooked = *unhooked = 0;
  for (size_t i = 0; i < count; ++i) {
    if (!sums[i].id && !sums[i].which) {
      *hooked = sums[i].times;
      continue;
    }
    /* Negative on threads whose hooks corrected other threads' counts. */
    if ((int64_t)sums[i].times <= 0)
      continue;
    *unhooked += sums[i].times;
    if (!m || !places)
      continue;
    uint32_t kind = sums[i].which;
    m[n].times = sums[i].times;
    m[n].what = kind < EK_SYNC_CALL ? kinds[kind] : calls[kind - EK_SYNC_CALL];
    places[n++].code = (const void *)(uintptr_t)sums[i].id;
  }
  free(sums);
  if (n)
    ek_lines_find(places, n);
  for (size_t i = 0; i < n; ++i) {
    m[i].place = places[i];
    ek_lines_text(m[i].where, sizeof m[i].where, &places[i]);
  }
  free(places);
  if (n) {
    n = join(m, n);
    qsort(m, n, sizeof *m, by_times);
  }
  if (out)
    *out = m;
  return n;
}

void ek_syncs_totals(uint64_t *hooked, uint64_t *unhooked) {
  find(NULL, hooked, unhooked, false);
}

/* The libraries whose sync points are not reported; "" if there are none. */
static const char *unseen(void) {
  bool mpi = !sees[EK_SEES_MPI] && dlsym(RTLD_DEFAULT, "MPI_Init");
  bool openmp = !ek_syncs_see_openmp() && dlsym(RTLD_DEFAULT, "omp_get_level");
  return mpi && openmp ? "OpenMP's and MPI's"
         : mpi         ? "MPI's (libevenkeel-pmpi is not there)"
         : openmp      ? "OpenMP's"
                       : "";
}

void ek_syncs_table(FILE *f) {
  missed *m;
  uint64_t hooked, unhooked, rest = 0;
  size_t count = find(&m, &hooked, &unhooked, true);
  if (on && hooked + unhooked) {
    fprintf(f,
            "  sync points passed: %" PRIu64 " with a hook, %" PRIu64
            " without (%.1f %% hooked)",
            hooked, unhooked,
            100 * (double)hooked / (double)(hooked + unhooked));
    if (unseen()[0])
      fprintf(f, "; without a hook, %s are not seen", unseen());
    fputc('\n', f);
  }
  for (size_t i = 0; i < count; ++i)
    if (i < SHOWN)
      fprintf(f, "  not hooked: %" PRIu64 " times %s, %s\n", m[i].times,
              m[i].what, m[i].where);
    else
      rest += m[i].times;
  if (rest)
    fprintf(f, "  not hooked: %" PRIu64 " times at %zu other places\n", rest,
            count - SHOWN);
  free(m);
}

void ek_syncs_json(FILE *f) {
  missed *m;
  uint64_t hooked, unhooked;
  char text[1100];
  size_t count = find(&m, &hooked, &unhooked, true);
  ek_text_json(text, sizeof text, unseen());
  fprintf(f,
          "  \"passed\": {\"hooked\": %" PRIu64 ", \"not_hooked\": %" PRIu64
          ", \"unseen\": %s, \"places\": [",
          hooked, unhooked, text);
  for (size_t i = 0; i < count; ++i) {
    const ek_place *p = &m[i].place;
    fprintf(f, "%s\n    {\"what\": \"%s\", \"times\": %" PRIu64 ", \"where\": ",
            i ? "," : "", m[i].what, m[i].times);
    ek_text_json(text, sizeof text, m[i].where);
    fprintf(f, "%s, \"function\": ", text);
    ek_text_json(text, sizeof text, p->function);
    fprintf(f, "%s, \"file\": ", text);
    ek_text_json(text, sizeof text, p->file);
    fprintf(f, "%s, \"line\": %u, \"module\": ", text, p->line);
    ek_text_json(text, sizeof text, p->module);
    fprintf(f, "%s, \"build\": \"%s\", \"offset\": %" PRIu64 "}", text,
            p->build, p->offset);
  }
  fprintf(f, "%s]},\n", count ? "\n  " : "");
  free(m);
}
