//===- FrameLines.h - frames of addresses in terms of lines -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: for a frame "path!1f2e" the source lines "a.c:3:7 > b.c:9:2" that its
// code stands for, those that were inlined first, with columns where they are
// known. Not here: how they are found.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_ECOHMEM_FRAMELINES_H
#define EVENKEEL_PROFILES_FORMAT_ECOHMEM_FRAMELINES_H

#include <string>
#include <unordered_map>

namespace evenkeel::ecohmem {

using FrameLines = std::unordered_map<std::string, std::string>;

/// \p Stack with the lines of \p Lines in place of the frames that it knows.
std::string inLines(const std::string &Stack, const FrameLines &Lines);

} // namespace evenkeel::ecohmem

#endif
