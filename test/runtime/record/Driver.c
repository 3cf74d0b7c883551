/*===- Driver.c - a hand-instrumented program ---------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Calls the recorder as the pass would. The first argument picks the program.
 *===----------------------------------------------------------------------===*/
#include "record/abi/record_abi.h"

#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t place_66, place_77; /* where their cells are */

#ifdef SAMPLED
const int __ek_rec_sampled_units = 1;
#endif

enum { MIB = 1 << 20 };

static void touch(char *p, size_t n, uint64_t flags, size_t step) {
  for (size_t i = 0; i < n; i += step) {
    __ek_rec_tls.slots += 4; /* one cycle, two instructions per element */
    __ek_rec_tls.instructions += 2;
    __ek_rec_access((uintptr_t)(p + i), 8 | flags);
  }
}

/* One object written twice, one page of a second read, one never touched. */
static int objects(void) {
  char *a = __ek_rec_malloc(0x11, 4 * MIB);
  char *b = __ek_rec_calloc(0x22, 1000, 1000);
  char *c = __ek_rec_malloc(0x33, 64 << 10);
  if ((uintptr_t)a % 4096 || (uintptr_t)b % 4096 || !c)
    return 1;
  for (size_t i = 0; i < 1000 * 1000; i++)
    if (b[i])
      return 2;
  touch(a, 4 * MIB, EK_REC_WRITE, 8);
  touch(a, 4 * MIB, EK_REC_WRITE, 8);
  touch(b + 8192, 4096, EK_REC_READ, 8);
  __ek_rec_range((uintptr_t)b, 640, EK_REC_READ);
  int local;
  __ek_rec_access((uintptr_t)&local, 4 | EK_REC_READ);
  __ek_rec_symbol(0x66, 9, 0, &place_66);
  for (int i = 0; i < 7; i++) /* 5 5 5 -3 -3 -3 4 */
    __ek_rec_symbol(0x77, i < 3 ? 5 : i < 6 ? -3 : 4, 1, &place_77);
  __ek_rec_free(a);
  __ek_rec_free(b);
  return 0;
}

/* Blocks cross between the recorder and the C library in every direction. */
static int owners(void) {
  char *small[1000];
  for (int i = 0; i < 1000; i++) {
    small[i] = __ek_rec_malloc(0x44, 24);
    memset(small[i], i, 24);
    if (malloc_usable_size(small[i]) < 24 || (uintptr_t)small[i] % 16)
      return 1;
  }
  for (int i = 0; i < 1000; i++)
    for (int k = 0; k < 24; k++)
      if (small[i][k] != (char)i)
        return 2;
  for (int i = 0; i < 1000; i += 2)
    free(small[i]); /* interposed */
  for (int i = 1; i < 1000; i += 2)
    __ek_rec_free(small[i]);
  char *mine = __ek_rec_malloc(0x55, 100);
  strcpy(mine, "kept");
  mine = realloc(mine, 1000000);
  if (strcmp(mine, "kept"))
    return 3;
  mine = __ek_rec_realloc(0x55, mine, 50);
  if (strcmp(mine, "kept"))
    return 4;
  free(mine);
  char *theirs = malloc(100);
  strcpy(theirs, "libc");
  theirs = __ek_rec_realloc(0x66, theirs, 100000);
  if (strcmp(theirs, "libc"))
    return 5;
  __ek_rec_free(theirs);
  __ek_rec_free(NULL);
  free(NULL);
  void *aligned = NULL;
  if (__ek_rec_posix_memalign(0x67, &aligned, 1 << 16, 100) ||
      (uintptr_t)aligned % (1 << 16))
    return 6;
  free(aligned);
  aligned = __ek_rec_aligned_alloc(0x68, 256, 300);
  if ((uintptr_t)aligned % 256)
    return 7;
  free(aligned);
  if (__ek_rec_posix_memalign(0x67, &aligned, 3, 100) == 0)
    return 8;
  void *zero = __ek_rec_malloc(0x69, 0);
  if (!zero)
    return 9;
  free(zero);
  if (__ek_rec_calloc(0x70, SIZE_MAX / 2, 4))
    return 10;
  /* libc's own realloc of a block of ours */
  FILE *in = tmpfile();
  fputs("a line that is longer than the block it was given\n", in);
  rewind(in);
  size_t size = 8;
  char *line = __ek_rec_malloc(0x71, size);
  if (getline(&line, &size, in) != 50)
    return 11;
  free(line);
  fclose(in);
  /* freed address space is used again */
  void *first = __ek_rec_malloc(0x72, MIB);
  free(first);
  void *second = __ek_rec_malloc(0x73, MIB);
  if (first != second)
    return 12;
  return 0;
}

static char table[3 * 4096 + 100] __attribute__((aligned(64)));
static int globals(void) {
  __ek_rec_global(0x88, table, sizeof table);
  __ek_rec_global(0x88, table, sizeof table);
  touch(table, sizeof table & ~63ul, EK_REC_READ, 64);
  return 0;
}

static int child(void) {
  char *a = __ek_rec_malloc(0x11, MIB);
  touch(a, MIB, EK_REC_READ, 64);
  pid_t pid = fork();
  if (pid == 0)
    exit(0);
  int status;
  return waitpid(pid, &status, 0) == pid && status == 0 ? 0 : 1;
}

/* The answers of an OpenMP runtime in a team of two. */
static __thread int thread_number;
static int team = 1;
int omp_get_thread_num(void) { return thread_number; }
int omp_get_num_threads(void) { return team; }
int omp_get_level(void) { return team > 1; }

static char *shared, *large;

static void *second_thread(void *evict) {
  thread_number = 1;
  __ek_rec_region_begin(0xaa);
  if (evict)
    touch(large, 8 * MIB, EK_REC_READ, 64);
  else
    touch(shared, MIB / 2, EK_REC_WRITE, 64);
  __ek_rec_region_end();
  return NULL;
}

static void run_second(void *evict) {
  pthread_t t;
  if (pthread_create(&t, NULL, second_thread, evict) == 0)
    pthread_join(t, NULL);
}

/* The second thread evicts lines that it wrote from its caches; before or after
 * that the first one frees their block and gets its addresses again. */
static int reuse(int before) {
  shared = __ek_rec_malloc(0x11, MIB / 2);
  large = __ek_rec_malloc(0x22, 8 * MIB);
  for (int step = 0; step < 2; step++) {
    team = 2;
    __ek_rec_fork();
    __ek_rec_region_begin(0xaa);
    char *again = NULL;
    if (step && !before)
      run_second(shared);
    if (step) {
      __ek_rec_free(shared);
      again = __ek_rec_malloc(0x33, MIB / 2);
      if (again != shared)
        return 1;
      touch(again, 4096, EK_REC_READ, 64);
    }
    if (!step || before)
      run_second(step ? shared : NULL);
    __ek_rec_region_end();
    team = 1;
    __ek_rec_join(0xbb);
  }
  return 0;
}

static void compute(uint64_t cycles) { __ek_rec_tls.slots += 4 * cycles; }

/* One task: `compute` before its body and after it. */
static uint64_t begin(uint64_t region, uint64_t cycles) {
  uint64_t token = __ek_rec_task_begin(region);
  compute(cycles);
  return token;
}

/* A task that creates two, the second one of which creates one that nobody but
 * a taskgroup waits for; and a last one. */
static int nested(int group) {
  uint64_t outer = begin(0xA1, 10000);
  if (group)
    __ek_rec_taskgroup();
  __ek_rec_symbol(0x66, 7, EK_REC_PER_TASK, &place_66);
  __ek_rec_symbol(0x77, 7, EK_REC_PER_TASK | EK_REC_TRIPS, &place_77);
  __ek_rec_task_end(begin(0xB1, 500));
  compute(10);
  uint64_t second = begin(0xB2, 100);
  __ek_rec_task_end(begin(0xC1, 300));
  __ek_rec_task_end(second);
  if (group)
    __ek_rec_taskgroup_end();
  else
    __ek_rec_taskwait();
  compute(4000);
  __ek_rec_task_end(begin(0xD1, 200));
  __ek_rec_task_end(outer);
  return 0;
}

/* The program's own task waits, too. */
static int waits(void) {
  compute(50000);
  __ek_rec_task_end(begin(0xA1, 100));
  __ek_rec_task_end(begin(0xA2, 100));
  __ek_rec_taskwait();
  __ek_rec_taskwait(); /* there is no task to wait for */
  compute(700);
  __ek_rec_task_end(begin(0xA3, 100));
  return 0;
}

/* Two calls of a wrapper, one of them after a block of another wrapper; a call
 * that longjmp has left; a small block that is an object, and one that grew. */
static int contexts(void) {
  const uint64_t main_is = 3ull << 40, wrapper_is = 4ull << 40;
  uint64_t first = __ek_rec_enter(main_is | 1);
  if (!__ek_rec_malloc(wrapper_is | 9, MIB))
    return 1;
  __ek_rec_enter(wrapper_is | 2); /* never ends */
  __ek_rec_leave(first);
  for (int i = 0; i < 2; i++) {
    uint64_t outer = __ek_rec_enter(main_is | 2);
    if (!__ek_rec_malloc(wrapper_is | 9, 2 * MIB))
      return 2;
    __ek_rec_leave(outer);
  }
  if (__ek_rec_depth() || !__ek_rec_malloc(wrapper_is | 9, 3 * MIB))
    return 3;
  char *small = __ek_rec_malloc(0x55, 4000);
  char *tiny = __ek_rec_malloc(0x55, 40);
  touch(small, 4000, EK_REC_WRITE, 8);
  return !__ek_rec_realloc(0x55, small, 8000) || !tiny;
}

/* Another thread than the first ends the program. Meanwhile the first one waits
 * for it, continues, hits only its first-level cache, or has ended. */
static void *ends(void *how) {
  const char *its = how;
  usleep(100000);
  if (strstr(its, "_exit"))
    _exit(0);
  if (strstr(its, "quick"))
    quick_exit(0);
  if (strstr(its, "exit"))
    exit(0);
  return NULL;
}

static int ended(const char *how) {
  pthread_t t;
  char *a = __ek_rec_malloc(0x11, MIB);
  touch(a, MIB, EK_REC_WRITE, 64);
  if (pthread_create(&t, NULL, ends, (void *)(uintptr_t)how))
    return 1;
  if (strstr(how, "gone"))
    pthread_exit(NULL);
  while (strstr(how, "busy"))
    touch(a, MIB, EK_REC_READ, 64);
  while (strstr(how, "spins"))
    touch(a, 64, EK_REC_READ, 8);
  pthread_join(t, NULL);
  return 2;
}

/* A thread outside all teams allocates, in a wrapper and outside. */
static char *given[4];
static void *allocates(void *main_is) {
  given[0] = __ek_rec_malloc(0x11, 2 * MIB);
  uint64_t depth = __ek_rec_enter((uintptr_t)main_is);
  given[1] = __ek_rec_calloc(0x11, 3, MIB);
  __ek_rec_leave(depth);
  given[2] = __ek_rec_malloc(0x55, 4000);
  given[3] = __ek_rec_malloc(0x55, 40);
  touch(given[0], 4096, EK_REC_WRITE, 8);
  return NULL;
}

static void *frees(void *p) {
  __ek_rec_free(p);
  return NULL;
}

static int run_thread(void *(*body)(void *), void *argument) {
  pthread_t t;
  return pthread_create(&t, NULL, body, argument) || pthread_join(t, NULL);
}

static int outside(void) {
  char *first = __ek_rec_malloc(0x11, MIB);
  char *tiny = __ek_rec_malloc(0x55, 40);
  if (run_thread(allocates, (void *)(3ull << 40)))
    return 1;
  if (given[1][2 * MIB] || malloc_usable_size(given[0]) < 2 * MIB)
    return 2;
  touch(given[0], 2 * MIB, EK_REC_READ, 64);
  touch(given[3], 40, EK_REC_READ, 8);
  touch(tiny, 40, EK_REC_READ, 8);
  given[0] = __ek_rec_realloc(0x12, given[0], 5 * MIB);
  __ek_rec_free(given[1]);
  if (run_thread(frees, first) || run_thread(allocates, (void *)(3ull << 40)))
    return 3;
  return 0;
}

/* Many threads at once, which free each other's blocks, while the first thread
 * has teams and forks. */
enum { THREADS = 4, ROUNDS = 1000, KEPT = 64 };
static char *kept[KEPT];
static void *churns(void *seed) {
  uint64_t r = (uintptr_t)seed;
  for (int i = 0; i < ROUNDS; i++) {
    r = r * 6364136223846793005ull + 1442695040888963407ull;
    size_t n = (r >> 40) % 3 ? (r >> 33) % 3000 + 1 : 70000;
    char *p = n == 70000 ? __ek_rec_malloc(0x11, n) : __ek_rec_malloc(0x55, n);
    memset(p, (int)(n % 251), n);
    memcpy(p, &n, n < sizeof n ? 0 : sizeof n);
    if (n < sizeof n) {
      __ek_rec_free(p);
      continue;
    }
    p = __atomic_exchange_n(&kept[(r >> 20) % KEPT], p, __ATOMIC_ACQ_REL);
    if (!p)
      continue;
    memcpy(&n, p, sizeof n);
    for (size_t k = sizeof n; k < n; k++)
      if (p[k] != (char)(n % 251))
        abort();
    __ek_rec_free(p);
  }
  return NULL;
}

static int churn(void) {
  pthread_t t[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++)
    if (pthread_create(&t[i], NULL, churns, (void *)(i + 1)))
      return 1;
  for (int i = 0; i < 20; i++) {
    __ek_rec_fork();
    __ek_rec_region_begin(0xaa);
    __ek_rec_region_end();
    __ek_rec_join(0xbb);
    churns((void *)(uintptr_t)(i + 100));
    pid_t child = fork(); /* other threads may hold locks */
    int status = 0;
    if (!child) {
      free(kept[i]);
      _exit(__ek_rec_malloc(0x11, MIB) ? 0 : 1);
    }
    if (waitpid(child, &status, 0) != child || status)
      return 2;
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
  return 0;
}

/* A thread outside all teams creates a team beside the program's, and enters
 * its region first. */
static void *other_team(void *x) {
  __ek_rec_fork();
  __ek_rec_region_begin(0xcc);
  touch(shared, MIB, EK_REC_WRITE, 64);
  run_second(NULL);
  __ek_rec_region_end();
  __ek_rec_join(0xdd);
  return x;
}

static int two_teams(void) {
  shared = __ek_rec_malloc(0x11, MIB);
  large = __ek_rec_malloc(0x22, 8 * MIB);
  team = 2;
  __ek_rec_fork();
  if (run_thread(other_team, NULL))
    return 1;
  __ek_rec_region_begin(0xaa);
  touch(large, MIB, EK_REC_READ, 64);
  __ek_rec_region_end();
  team = 1;
  __ek_rec_join(0xbb);
  return 0;
}

static int becomes_daemon(void) {
  char *a = __ek_rec_malloc(0x11, MIB);
  touch(a, MIB, EK_REC_WRITE, 64);
  if (daemon(1, 1))
    return 1;
  touch(a, MIB, EK_REC_WRITE, 64);
  return 0;
}

/* A table of 10000 rows of 96 bytes after a header of 32, counted from 1: row i
 * of the first 100 is looked up i times, then every row once.
 * Small tables, and memory of no object, are not counted. */
static int rows(void) {
  enum { ROWS = 10000, ROW = 96, HEAD = 32 };
  char *t = __ek_rec_malloc(0x11, HEAD + ROWS * ROW);
  char *small = __ek_rec_malloc(0x22, 640);
  const uintptr_t base = (uintptr_t)t + HEAD - ROW;
  for (int i = 1; i <= 100; i++)
    for (int n = 0; n < i; n++)
      __ek_rec_row(base, base + (uintptr_t)i * ROW + 8, ROW);
  for (int i = 1; i <= ROWS; i++)
    __ek_rec_row(base, base + (uintptr_t)i * ROW, ROW);
  __ek_rec_row((uintptr_t)small, (uintptr_t)small, 64);
  int local;
  __ek_rec_row((uintptr_t)&local, (uintptr_t)&local, 4);
  return 0;
}

/* More tables than a thread keeps summaries of. */
static int many_tables(void) {
  for (int i = 0; i < 300; i++) {
    char *t = __ek_rec_malloc(0x1000 + i, 64 << 10);
    __ek_rec_row((uintptr_t)t, (uintptr_t)t + 64, 64);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 100;
  __ek_rec_serial(0x99);
  if (!strncmp(argv[1], "ended", 5))
    return ended(argv[1]);
  if (!strcmp(argv[1], "outside"))
    return outside();
  if (!strcmp(argv[1], "churn"))
    return churn();
  if (!strcmp(argv[1], "two-teams"))
    return two_teams();
  if (!strcmp(argv[1], "daemon"))
    return becomes_daemon();
  if (!strcmp(argv[1], "objects"))
    return objects();
  if (!strcmp(argv[1], "rows"))
    return rows();
  if (!strcmp(argv[1], "many-tables"))
    return many_tables();
  if (!strcmp(argv[1], "contexts"))
    return contexts();
  if (!strcmp(argv[1], "owners"))
    return owners();
  if (!strcmp(argv[1], "globals"))
    return globals();
  if (!strcmp(argv[1], "child"))
    return child();
  if (!strcmp(argv[1], "reuse-before"))
    return reuse(1);
  if (!strcmp(argv[1], "reuse-after"))
    return reuse(0);
  if (!strcmp(argv[1], "nested"))
    return nested(0);
  if (!strcmp(argv[1], "nested-group"))
    return nested(1);
  if (!strcmp(argv[1], "waits"))
    return waits();
  return 101;
}
