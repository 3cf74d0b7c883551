/*===- words.h - parameter lists of forwarded calls ---------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * P##n declares n parameters and A##n names them, for n from 0 to 12. Each
 * parameter is one machine word, so a library can forward the calls in pmpi.def
 * without an mpi.h (System V ABI of x86-64, AAPCS64).
 *===----------------------------------------------------------------------===*/
#ifndef EK_WORDS_H
#define EK_WORDS_H

#include <stdint.h>

typedef intptr_t W;
#define P0 void
#define P1 W a
#define P2 P1, W b
#define P3 P2, W c
#define P4 P3, W d
#define P5 P4, W e
#define P6 P5, W f
#define P7 P6, W g
#define P8 P7, W h
#define P9 P8, W i
#define P10 P9, W j
#define P11 P10, W k
#define P12 P11, W l
#define A0
#define A1 a
#define A2 A1, b
#define A3 A2, c
#define A4 A3, d
#define A5 A4, e
#define A6 A5, f
#define A7 A6, g
#define A8 A7, h
#define A9 A8, i
#define A10 A9, j
#define A11 A10, k
#define A12 A11, l

#endif
