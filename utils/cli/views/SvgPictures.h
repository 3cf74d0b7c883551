//===- SvgPictures.h - the charts of a report as files ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how the charts of the page look on paper, in slides and in other
// pages: tasks over time, how full fast memory is, time over its amount. They
// show the figures of the page (ReportData), and are always folded.
// Not here: other charts of the page; the page (report/page.js).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_VIEWS_SVGPICTURES_H
#define EVENKEEL_UTILS_CLI_VIEWS_SVGPICTURES_H

#include "cli/report/Headlines.h"
#include <array>

namespace evenkeel::cli {

struct Picture {
  std::string Name; // of pictureNames()
  std::string Svg;
};

std::array<const char *, 3> pictureNames();

/// Those of which there are figures.
std::vector<Picture> svgPictures(const ReportInput &In, const ReportData &D,
                                 const Headlines &Says);

} // namespace evenkeel::cli

#endif
