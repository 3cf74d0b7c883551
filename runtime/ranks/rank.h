/*===- rank.h - which rank this process is ------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: launchers tell each process its rank, and most how many there are.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_RANK_H
#define EVENKEEL_RUNTIME_RANK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which of an MPI launch's ranks this process is, as launchers tell; else 0. */
uint32_t ek_rank(void);
void ek_rank_is(uint32_t rank);
/* How many ranks the launch has, as its launcher tells; 0: it does not. */
uint32_t ek_rank_count(void);

#ifdef __cplusplus
}
#endif
#endif
