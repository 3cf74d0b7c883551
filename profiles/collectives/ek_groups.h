/*===- ek_groups.h - ranks of like speed ---------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: when some ranks are always slower than others, they sum in groups of
 * their own, so that the fast ones do not wait for them at each bound. While
 * the times of a group's ranks differ by more than their mean, it is split at
 * the mean.
 * Used by the runtime and by the replay, in C and C++.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_PROFILES_COLLECTIVES_EK_GROUPS_H
#define EVENKEEL_PROFILES_COLLECTIVES_EK_GROUPS_H

#include <stdint.h>

/* A rank's mean counts when it is one of so many iterations: with fewer, ranks
 * that are late by chance look slow. */
enum { EK_GROUPS_LEAST = 8 };

/* Sets group[r] for the \p ranks ranks with mean times \p mean, groups being
 * numbered from 0 (which rank 0 need not be in). Returns the number of groups;
 * 1 also if a mean is 0: not known yet. */
static inline uint32_t ek_groups_split(const double *mean, uint32_t ranks,
                                       uint32_t *group) {
  uint32_t groups = 1, known = 1;
  for (uint32_t r = 0; r < ranks; ++r) {
    group[r] = 0;
    known = known && mean[r] > 0;
  }
  for (uint32_t g = 0; known && g < groups;) {
    double least = 0, most = 0, sum = 0;
    uint32_t count = 0;
    for (uint32_t r = 0; r < ranks; ++r) {
      if (group[r] != g)
        continue;
      least = count && least < mean[r] ? least : mean[r];
      most = count && most > mean[r] ? most : mean[r];
      sum += mean[r];
      ++count;
    }
    if (!((most - least) * count > sum)) {
      ++g;
      continue;
    }
    for (uint32_t r = 0; r < ranks; ++r)
      if (group[r] == g && mean[r] * count > sum)
        group[r] = groups;
    ++groups;
  }
  return groups;
}

#endif
