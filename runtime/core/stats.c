/*===- stats.c - counters of a run ---------------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See stats.h.
 *===----------------------------------------------------------------------===*/
#include "core/stats.h"

ek_stats_t ek_stats;
