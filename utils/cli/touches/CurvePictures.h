//===- CurvePictures.h - working set, recency, points as SVG ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how the values of curves/ are drawn: axes, a colour and a label for
// each of the most used source lines, and the same in words.
// Not here: the values, and shapes (views/Svg.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_TOUCHES_CURVEPICTURES_H
#define EVENKEEL_UTILS_CLI_TOUCHES_CURVEPICTURES_H

#include "cli/views/Svg.h"
#include "curves/Recency.h"
#include "curves/Scatter.h"
#include "curves/WorkingSet.h"

namespace evenkeel::cli {

/// A picture with what it shows, in words and numbers.
struct CurvePicture {
  Svg Drawn;
  std::string Title, Says;

  std::string file() const { return Drawn.document(Title, Says); }
  std::string element() const { return Drawn.element(Title, Says); }
};

/// \p Title: of what the record is; \p Name: of the picture, its own in a page.
CurvePicture workingSetPicture(const WorkingSet &W, const std::string &Title,
                               const std::string &Name);
CurvePicture recencyPicture(const Recency &R, const std::string &Title,
                            const std::string &Name);
CurvePicture scatterPicture(const Scatter &S, const std::string &Title,
                            const std::string &Name);

/// "58.1 MiB to 60.2 MiB, half of the windows at most 59.3 MiB".
std::string workingSetWords(const WorkingSet &W);
/// "59.2 MiB of 122 MiB were touched within a window, 101 MiB within 2 s".
std::string recencyWords(const Recency &R);

} // namespace evenkeel::cli

#endif
