/*===- ompt_beside.h - another OMPT tool beside ours --------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: an OpenMP library starts one tool. Where that is ours, it starts the
 * one that would have come next, and shows it the library as if it were alone.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_OMPT_BESIDE_H
#define EVENKEEL_RUNTIME_OMPT_BESIDE_H

#include <omp-tools.h>
#include <stdbool.h>
#include <stdint.h>

/* Looks for the tool behind us: one that the process has, or the first of
 * OMP_TOOL_LIBRARIES that wants to start. */
void ek_beside_find(unsigned version, const char *library);
/* Starts it, once our callbacks are set; what it asks of the library goes
 * through us. */
void ek_beside_start(ompt_function_lookup_t lookup, int device);
void ek_beside_end(void);

/* The other tool's callback for \p event, or NULL. */
ompt_callback_t ek_beside_callback(ompt_callbacks_t event);
/* What the other tool sees of a parallel region's data. */
ompt_data_t *ek_beside_parallel(ompt_data_t *parallel);
/* The region has ended. */
void ek_beside_parallel_ended(ompt_data_t *parallel);

/* Our own word of a parallel region and of an explicit task: the library has
 * one for each, which is the other tool's where there is one. */
uint64_t ek_beside_region(ompt_data_t *parallel);
void ek_beside_set_region(ompt_data_t *parallel, uint64_t word);
uint64_t ek_beside_task(const ompt_data_t *task);
void ek_beside_set_task(ompt_data_t *task, uint64_t word); /* 0: forget it */

/* Calls the other tool's callback, if it has one. */
#define EK_BESIDE(event, type, ...)                                            \
  do {                                                                         \
    type other = (type)ek_beside_callback(event);                              \
    if (other)                                                                 \
      other(__VA_ARGS__);                                                      \
  } while (0)

#endif
