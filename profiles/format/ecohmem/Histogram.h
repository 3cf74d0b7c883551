//===- Histogram.h - Paramedir's histograms of objects ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the tables in which Paramedir says how often each object of an Extrae
// trace was loaded or stored, or how large it was. Cells are separated by tabs;
// the first row names the objects by call stack, and each later row holds one
// figure for each object: of one rank, "Total" or "Average". The first and the
// last cell of a row are not objects.
// Makes: such a table from figures (histogramText).
// Not here: what the figures mean (advisor/).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_ECOHMEM_HISTOGRAM_H
#define EVENKEEL_PROFILES_FORMAT_ECOHMEM_HISTOGRAM_H

#include "format/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace evenkeel::ecohmem {

struct Histogram {
  std::vector<std::string> Stacks; // without the brackets around them
  std::vector<std::string> Cells;  // as many, as in the file
};

/// The part of a label that names a call stack: what stands in brackets, or
/// else in parentheses, or else all of it.
std::string stackOfLabel(const std::string &Label);

/// The row of \p Raw that contains \p Row. Errors: no such row, or a row with
/// another number of cells than the first; \p Path appears in them.
Expected<Histogram> parseHistogram(const std::string &Raw,
                                   const std::string &Path,
                                   const std::string &Row = "Total");
Expected<Histogram> readHistogram(const std::string &Path,
                                  const std::string &Row = "Total");

/// A table with the single row "Total". Tabs and line ends in stacks become
/// blanks.
std::string histogramText(const std::vector<std::string> &Stacks,
                          const std::vector<uint64_t> &Figures);

} // namespace evenkeel::ecohmem

#endif
