//===- FilledContainers.h - containers that are filled at once --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which containers of namespace std take a number of elements, and what
// does so beside their constructors. The rewriter and the passes ask here, so
// that both name the same functions wrappers. Leaves out: what grows step by
// step.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_FORMAT_FILLEDCONTAINERS_H
#define EVENKEEL_FORMAT_FILLEDCONTAINERS_H

#include <string_view>

namespace evenkeel {

inline bool isFilledContainer(std::string_view Class) {
  return Class == "vector" || Class == "deque" || Class == "valarray";
}
inline bool isFillingMember(std::string_view Name) {
  return Name == "resize" || Name == "reserve" || Name == "assign";
}

} // namespace evenkeel

#endif
