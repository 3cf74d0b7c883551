//===- CountedLoops.h - loops whose totals are counted ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the loops of a unit whose iterations each thread of a region is to
// count, because data decides how many there are; and their ids.
// Not here: which loops these are (rules/LoopTotals.h), and the code that
// counts (plugin/CountingCode.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_COUNTEDLOOPS_H
#define EVENKEEL_REWRITER_COUNTEDLOOPS_H

#include <cstdint>
#include <string>

namespace evenkeel {

struct CountedLoop {
  uint64_t Region = 0;
  uint64_t Id = 0;     // of the total: `handed_as` in the facts
  std::string File;    // absolute; where the loop is written
  unsigned Offset = 0; // in File
  std::string Spelled; // the file's name in debug information
  unsigned Line = 0;   // before edits
  unsigned Column = 0; // before edits
  /// Its condition is evaluated before the first iteration.
  bool TestsFirst = true;
};

} // namespace evenkeel

#endif
