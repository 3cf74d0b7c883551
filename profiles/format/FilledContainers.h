//===- FilledContainers.h - containers that are filled at once --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which containers of namespace std take a number of elements, and what
// does so beside their constructors; and which functions there only allocate.
// The rewriter and the passes ask here, so that both name the same functions
// wrappers. Not here: what grows step by step.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_FORMAT_FILLEDCONTAINERS_H
#define EVENKEEL_FORMAT_FILLEDCONTAINERS_H

#include <string_view>

namespace evenkeel {

inline bool isFilledContainer(std::string_view Class) {
  return Class == "vector" || Class == "deque" || Class == "valarray";
}
/// Whether \p Class, a class without its arguments, allocates by its function
/// \p Name, for itself or for an allocator that is its first argument.
inline bool isStandardAllocation(std::string_view Class,
                                 std::string_view Name) {
  return (Name == "allocate" || Name == "allocate_at_least") &&
         (Class == "allocator" || Class == "__new_allocator" ||
          Class == "new_allocator" || Class == "allocator_traits");
}
/// Functions that make an array, or an object, and return who owns it.
inline bool isOwnerMaker(std::string_view Name) {
  return Name == "make_unique" || Name == "make_unique_for_overwrite" ||
         Name == "make_shared" || Name == "make_shared_for_overwrite";
}
inline bool isFillingMember(std::string_view Name) {
  return Name == "resize" || Name == "reserve" || Name == "assign";
}

} // namespace evenkeel

#endif
