//===- LinkedWrappers.h - wrappers that only a linker can tell --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a compiler sees one unit. Whether a function of another unit is an
// allocation wrapper, or one of this unit that is one if that other is, gets
// known when the units are linked.
// Makes: what a unit says of its functions for others, and its calls that
// depend on others. A function is known by two marks, as linkers know it: that
// it is a wrapper, and that it makes blocks in memory, which makes its callers
// wrappers, too.
// Not here: what becomes of them in code (plugin/WrapperLinks); source that
// is written for people, for which all units are read (UnitResult::Wrappers).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_LINKEDWRAPPERS_H
#define EVENKEEL_REWRITER_LINKEDWRAPPERS_H

#include <cstdint>
#include <string>
#include <vector>

namespace evenkeel {

/// In front of the name that linkers know the function by.
inline constexpr char WrapperMark[] = "ek_wrapper.", MakerMark[] = "ek_maker.";

/// What a unit's text says of a function: the mark holds if Holds, or if one of
/// IfAny does.
struct WrapperNode {
  std::string Mark;
  /// Of the function in the unit's code; constructors have several.
  std::vector<std::string> Names;
  bool Holds = false;
  std::vector<std::string> IfAny; // marks, sorted
};

/// A call that belongs to contexts if its function's mark holds.
struct LinkedCall {
  std::string Mark;
  std::vector<std::string> Names; // of the function, see WrapperNode
  uint64_t Id = 0;
  std::string File;    // absolute; the text that the call is written in
  unsigned Offset = 0; // there
  std::string Spelled; // the name of the file in debug information, ...
  unsigned Line = 0;   // ... the line ...
  unsigned Column = 0; // ... and the column, before edits
};

struct LinkedWrappers {
  std::vector<WrapperNode> Functions;
  std::vector<LinkedCall> Calls;
};

} // namespace evenkeel

#endif
