//===- CodeLines.h - source lines of call stacks of addresses ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: Extrae, FlexMalloc and our log of stacks name a frame by file and
// offset in it of the return address, "path!1f2e"; the debug information of
// that file says which lines the call is in, with those it was inlined into.
// Not here: which sites are on these lines (format/ecohmem/SourceSites.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_CODELINES_H
#define EVENKEEL_UTILS_CLI_CODELINES_H

#include "format/ecohmem/FrameLines.h"
#include <string>
#include <vector>

namespace evenkeel::cli {

/// The lines of all frames of \p Stacks that are addresses. Runs
/// llvm-symbolizer; frames of which no file or no line is known are missing.
ecohmem::FrameLines linesOfCode(const std::vector<std::string> &Stacks);

} // namespace evenkeel::cli

#endif
