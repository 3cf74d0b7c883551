//===- Scatter.h - touched chunks as points ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how rows of touches.json become points over time and address: one for
// each chunk that a pass saw touched, joined where a picture has too few
// pixels. Objects lie one above the other in the order of addresses; gaps
// between them are left out. Not here: shapes and colours (CurvePictures.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_TOUCHES_CURVES_SCATTER_H
#define EVENKEEL_UTILS_CLI_TOUCHES_CURVES_SCATTER_H

#include "Groups.h"

namespace evenkeel::cli {

struct ScatterPoint {
  double Seconds = 0;
  double Byte = 0;  // the middle, counted from the first band's begin
  double Share = 0; // of its resident pages that were touched: above 0
};

/// An object's memory.
struct ScatterBand {
  std::string Name;
  size_t Rank = 0;         // of its group
  double From = 0, To = 0; // bytes, as ScatterPoint counts them
  std::vector<ScatterPoint> Points;
};

struct Scatter {
  double From = 0, To = 0; // seconds
  double Bytes = 0;        // of all bands
  std::vector<ScatterBand> Bands;
  std::vector<TouchGroup> Groups; // of the bands, by rank
};

/// Of the touched objects of \p Process. At most \p MostColumns points lie
/// beside each other and \p MostRows above each other.
Scatter scatterOf(const TouchRecord &R, uint32_t Process, size_t MostColumns,
                  size_t MostRows);

} // namespace evenkeel::cli

#endif
