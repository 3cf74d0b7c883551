//===- PageSpan.h - rows that tell of several pages -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: sampled records have one row for some pages of a large object together
// (EK_PAGE_SPAN): one line of each page was followed, so there is little that
// rows of single pages would add.
// Makes: rows of single pages. Each followed line goes to a page of its own
// while there are any, evenly spaced; where they begin differs from row to row,
// so that all pages have their turn.
// Not here: chunks, which the recorder adds up itself.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_PROFILE_PAGESPAN_H
#define EVENKEEL_PROFILES_FORMAT_PROFILE_PAGESPAN_H

#include "format/ek_raw.h"
#include <vector>

namespace evenkeel {

/// \p Rows as rows of single pages, in the same order. Every row names one of
/// \p Instances. \p OneIn: lines that each followed one stands for.
std::vector<ek_raw_page> singlePages(std::vector<ek_raw_page> Rows,
                                     const std::vector<ek_raw_inst> &Instances,
                                     uint32_t OneIn);

} // namespace evenkeel

#endif
