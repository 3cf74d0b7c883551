/*===- ompt_beside.h - running another OMPT tool beside ours ------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: an OpenMP library starts only one tool. If that is ours, we start the
 * tool that would have come next, and show it the library as if it were alone.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_OMPT_BESIDE_H
#define EVENKEEL_RUNTIME_OMPT_BESIDE_H

#include <omp-tools.h>
#include <stdbool.h>
#include <stdint.h>

/* Finds the next tool: one in the process, or the first of OMP_TOOL_LIBRARIES
 * that agrees to start. */
void ek_beside_find(unsigned version, const char *library);
/* Starts it, after our callbacks are set. Its calls to the library pass through
 * us. */
void ek_beside_start(ompt_function_lookup_t lookup, int device);
void ek_beside_end(void);

/* The other tool's callback for \p event, or NULL. */
ompt_callback_t ek_beside_callback(ompt_callbacks_t event);
/* The data of a parallel region as the other tool sees it. */
ompt_data_t *ek_beside_parallel(ompt_data_t *parallel);
/* Ends the region's data. */
void ek_beside_parallel_ended(ompt_data_t *parallel);

/* Our word for a parallel region and for an explicit task. The library has one
 * word for each, which belongs to the other tool if there is one. */
uint64_t ek_beside_region(ompt_data_t *parallel);
void ek_beside_set_region(ompt_data_t *parallel, uint64_t word);
uint64_t ek_beside_task(const ompt_data_t *task);
void ek_beside_set_task(ompt_data_t *task, uint64_t value); /* 0: forget it */

/* Calls the other tool's callback, if it has set one. */
#define EK_BESIDE(event, type, ...)                                            \
  do {                                                                         \
    type other = (type)ek_beside_callback(event);                              \
    if (other)                                                                 \
      other(__VA_ARGS__);                                                      \
  } while (0)

#endif
