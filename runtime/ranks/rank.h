/*===- rank.h - the rank of this process --------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: launchers tell each process its rank, and most tell the number of
 * ranks.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_RANK_H
#define EVENKEEL_RUNTIME_RANK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The rank of this process in its MPI launch; 0 if the launcher does not say.
 * ek_rank_is sets it, once MPI itself knows. */
uint32_t ek_rank(void);
void ek_rank_is(uint32_t rank);
/* The number of ranks of the launch; 0 if the launcher does not say. */
uint32_t ek_rank_count(void);

#ifdef __cplusplus
}
#endif
#endif
