/*===- plain_after.c - CPU time after a given region ---------------- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: an OpenMP tool for bench-record. EK_AFTER=N: when the N-th parallel
 * region of the first thread begins, a recorded program ends its record and
 * continues in plain code; CPU time counts from there on.
 * Makes: at the end, in the file EK_AFTER_FILE: the number of regions, the CPU
 * seconds after the N-th (0: there was none), and whether the code was `plain`
 * or still `recorded`.
 *===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp-tools.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static pthread_t First;
static unsigned long Regions, Wanted;
static double From;
static int Recorded;

static double now(void) {
  struct timespec T;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &T);
  return (double)T.tv_sec + 1e-9 * (double)T.tv_nsec;
}

static void begins(ompt_data_t *Task, const ompt_frame_t *Frame,
                   ompt_data_t *Parallel, unsigned int Threads, int Flags,
                   const void *Address) {
  (void)Task, (void)Frame, (void)Parallel, (void)Threads, (void)Flags;
  (void)Address;
  if (!pthread_equal(pthread_self(), First) || ++Regions != Wanted)
    return;
  int (*Stop)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "__ek_rec_stop");
  Recorded = Stop && !Stop();
  From = now();
}

static void write_out(void) {
  const char *Path = getenv("EK_AFTER_FILE");
  double Seconds = From > 0 ? now() - From : 0;
  FILE *F = Path ? fopen(Path, "w") : NULL;
  if (F) {
    fprintf(F, "%lu %.9f %s\n", Regions, Seconds,
            Recorded ? "recorded" : "plain");
    fclose(F);
  }
}

static int initialize(ompt_function_lookup_t Lookup, int Device,
                      ompt_data_t *Data) {
  (void)Device, (void)Data;
  ompt_set_callback_t Set = (ompt_set_callback_t)Lookup("ompt_set_callback");
  const char *N = getenv("EK_AFTER");
  Wanted = N ? strtoul(N, NULL, 10) : 0;
  First = pthread_self();
  Set(ompt_callback_parallel_begin, (ompt_callback_t)begins);
  atexit(write_out);
  return 1;
}

static void finalize(ompt_data_t *Data) { (void)Data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned int Version,
                                          const char *Runtime) {
  static ompt_start_tool_result_t Result = {initialize, finalize, {0}};
  (void)Version, (void)Runtime;
  return &Result;
}
