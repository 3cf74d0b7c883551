//===- TouchMap.h - heat maps of touched memory -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how rows of touches.json become a grid: time to the right, objects or
// addresses downwards, and in each cell the share of resident pages that were
// touched.
// Not here: shapes and colours (views/Svg.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_TOUCHMAP_H
#define EVENKEEL_UTILS_CLI_TOUCHMAP_H

#include "format/touches/TouchRecord.h"
#include <optional>

namespace evenkeel::cli {

struct HeatRow {
  std::string Label;         // "" within a band
  std::vector<double> Cells; // shares; negative: nothing is resident
};

struct HeatGrid {
  std::string Title, Says;
  double From = 0, To = 0; // seconds
  std::vector<HeatRow> Rows;
};

/// The process with the most CPU time among those with passes.
uint32_t busiestProcess(const TouchRecord &R);

/// The command and, of an MPI program, the rank.
std::string processTitle(const TouchRecord &R, uint32_t Process);

/// Columns of a picture: it has no pixels for more.
inline constexpr size_t PictureColumns = 160;

/// A row for each of the \p Most hottest objects of \p Process. Passes that
/// are more than \p MostColumns are joined.
HeatGrid heatByObject(const TouchRecord &R, uint32_t Process, size_t Most,
                      size_t MostColumns = PictureColumns);
/// At most about \p Most rows for all touched memory of \p Process, in the
/// order of addresses, a band for each object; more objects than that share
/// rows. Gaps between objects are left out.
HeatGrid heatByAddress(const TouchRecord &R, uint32_t Process, size_t Most,
                       size_t MostColumns = PictureColumns);

/// The mean over the cells of \p Row with resident pages; empty if it has none.
std::optional<double> meanShare(const HeatRow &Row);

/// What the map shows, in words and numbers: its span, and the three rows with
/// the largest mean shares.
std::string heatWords(const HeatGrid &G);
/// A picture file; an element of a page, in which \p Name is its own.
std::string heatSvg(const HeatGrid &G);
std::string heatElement(const HeatGrid &G, const std::string &Name);

} // namespace evenkeel::cli

#endif
