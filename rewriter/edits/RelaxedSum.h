//===- RelaxedSum.h - a sum that need not have all parts --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what `relaxed(bound=N, last=CONDITION)` says of a call of
// MPI_Allreduce.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_RELAXEDSUM_H
#define EVENKEEL_REWRITER_RELAXEDSUM_H

#include <string>

namespace evenkeel {

struct RelaxedSum {
  unsigned Bound = 0; // sums that a contribution may miss
  std::string Last;   // when a call is the rank's last one; empty: unknown
};

} // namespace evenkeel

#endif
