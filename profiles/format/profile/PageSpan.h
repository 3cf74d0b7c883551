//===- PageSpan.h - rows that describe several pages ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: sampled records describe several pages of a large object in one row
// (EK_PAGE_SPAN). As only one line of each page was followed, rows of single
// pages would add little.
// Makes: rows of single pages. Each followed line is assigned to a different
// page while there are any, evenly spaced; the first page differs from row to
// row, so that all pages are used.
// Not here: chunks, which the recorder sums up itself.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_PROFILE_PAGESPAN_H
#define EVENKEEL_PROFILES_FORMAT_PROFILE_PAGESPAN_H

#include "format/ek_raw.h"
#include <vector>

namespace evenkeel {

/// Expands \p Rows to rows of single pages, in the same order. Every row refers
/// to one of \p Instances. \p OneIn: the number of lines that each followed
/// line represents.
std::vector<ek_raw_page> singlePages(std::vector<ek_raw_page> Rows,
                                     const std::vector<ek_raw_inst> &Instances,
                                     uint32_t OneIn);

} // namespace evenkeel

#endif
