/*===- kernels.h - kernels that hardware and cache model both run -*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: five kernels of one thread on more memory than last levels hold:
 * "triad", "chase", "spmv", "heat", "spgemm". The same source is run under
 * hardware counters and, built for recording, through the cache model.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_TEST_HARDWARE_KERNELS_H
#define EVENKEEL_TEST_HARDWARE_KERNELS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Allocates, fills, computes, frees; a number that depends on all of it. NAN
 * for an unknown name. */
double kernel_run(const char *name);
/* Lines that "triad" and "chase" fetch, by arithmetic. */
double kernel_lines(const char *name);

#ifdef __cplusplus
}
#endif

#endif
