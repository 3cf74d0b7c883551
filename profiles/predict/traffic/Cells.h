//===- Cells.h - lines of a task in a part of an object ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: sums of lines, of exposed latencies, and of when they were fetched.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_TRAFFIC_CELLS_H
#define EVENKEEL_PROFILES_PREDICT_TRAFFIC_CELLS_H

#include "format/Course.h"
#include <vector>

namespace evenkeel {
namespace prediction {

/// The traffic of one part of an object, and its time.
struct Cell {
  double Reads = 0, Writes = 0, Exposed = 0;
  Course When;

  void add(const Cell &O, double Times) {
    Reads += O.Reads * Times;
    Writes += O.Writes * Times;
    Exposed += O.Exposed * Times;
    for (unsigned K = 0; K < Course::Parts; ++K)
      When.Lines[K] += O.When.Lines[K] * Times;
  }
};

} // namespace prediction
} // namespace evenkeel

#endif
