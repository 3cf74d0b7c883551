//===- LinkedWrappers.h - wrappers decided at link time ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a compiler sees one unit. Whether a function of another unit is an
// allocation wrapper, and whether a function of this unit becomes one because
// of it, is known only at link time.
// Makes: each unit's facts about its own functions, and its calls that depend
// on other units. Link symbols carry two marks of a function: it is a wrapper;
// it stores blocks in memory, which makes its callers wrappers, too.
// Not here: the code for these marks (plugin/WrapperLinks); sources rewritten
// for people, for which all units are read (UnitResult::Wrappers).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_LINKEDWRAPPERS_H
#define EVENKEEL_REWRITER_LINKEDWRAPPERS_H

#include <cstdint>
#include <string>
#include <vector>

namespace evenkeel {

/// Prefixes of the function's link name.
inline constexpr char WrapperMark[] = "ek_wrapper.", MakerMark[] = "ek_maker.";

/// A unit's fact about a function: the mark holds if Holds is set, or if a mark
/// in IfAny holds.
struct WrapperNode {
  std::string Mark;
  /// Link names in the unit's code; constructors have several.
  std::vector<std::string> Names;
  bool Holds = false;
  std::vector<std::string> IfAny; // marks, sorted
};

/// A call that needs a context if its function's mark holds.
struct LinkedCall {
  std::string Mark;
  std::vector<std::string> Names; // of the function, see WrapperNode
  uint64_t Id = 0;
  std::string File;    // absolute; where the call is written
  unsigned Offset = 0; // in File
  std::string Spelled; // the file's name in debug information
  unsigned Line = 0;   // before edits
  unsigned Column = 0; // before edits
};

struct LinkedWrappers {
  std::vector<WrapperNode> Functions;
  std::vector<LinkedCall> Calls;
};

} // namespace evenkeel

#endif
