/*===- ek_sizes.h - sizes that all parts agree on -----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: what a cache line, a page and a large object are, in bytes. Analysis,
 * rewriter, recorder, planners and run time have to mean the same by them.
 * Not here: sizes of one machine (machine files) and of one algorithm.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_EK_SIZES_H
#define EVENKEEL_EK_SIZES_H

#define EK_LINE_SHIFT 6
#define EK_LINE (1u << EK_LINE_SHIFT)

#define EK_PAGE_SHIFT 12
#define EK_PAGE (1u << EK_PAGE_SHIFT)

/* Objects of this size and more are placed, unless EVENKEEL_THRESHOLD says
 * otherwise; the analysis and the rewriter name no smaller ones. */
#define EK_LARGE_BYTES (64u << 10)

#endif
