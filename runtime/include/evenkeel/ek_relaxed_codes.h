/*===- ek_relaxed_codes.h - results of a relaxed all-reduce -------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Part of ek_relaxed.h that needs no MPI.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_EK_RELAXED_CODES_H
#define EVENKEEL_EK_RELAXED_CODES_H

typedef struct ek_relaxed_result {
  double contributors; /* sum of the weights in the sum: 1 for each rank and
                          round that contributed */
  double weight;       /* 1 / contributors: turns the sum into a mean */
  double rate;         /* factor for a learning rate that was chosen for all
                          ranks: contributors / ranks; 0: nothing came */
  unsigned rounds;     /* in the sum */
  unsigned merged;     /* own earlier contributions that went in late */
  unsigned dropped;    /* own contributions that were older than the bound */
  unsigned groups; /* of ranks that sum apart, by their speed; 1: all of them
                      sum together */
} ek_relaxed_result;

enum {
  EK_RELAXED_OK = 0,
  EK_RELAXED_WRONG = 1, /* wrong arguments, or no MPI that can do it */
  EK_RELAXED_LOST = 2,  /* a rank does not answer */
  EK_RELAXED_MPI = 3    /* an MPI call failed */
};

#endif
