//===- FilledContainers.h - containers filled by number ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which standard containers take a number of elements, and the members
// other than constructors that do; and which standard functions only allocate.
// The rewriter and the passes use this, so that both treat the same functions
// as wrappers.
// Not here: growth step by step.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_FORMAT_FILLEDCONTAINERS_H
#define EVENKEEL_FORMAT_FILLEDCONTAINERS_H

#include <string_view>

namespace evenkeel {

inline bool isFilledContainer(std::string_view Class) {
  return Class == "vector" || Class == "deque" || Class == "valarray";
}
/// Whether the function \p Name of \p Class (without template arguments)
/// allocates, directly or by an allocator that is its first argument.
inline bool isStandardAllocation(std::string_view Class,
                                 std::string_view Name) {
  return (Name == "allocate" || Name == "allocate_at_least") &&
         (Class == "allocator" || Class == "__new_allocator" ||
          Class == "new_allocator" || Class == "allocator_traits");
}
/// Functions that create an array or object and return its owner.
inline bool isOwnerMaker(std::string_view Name) {
  return Name == "make_unique" || Name == "make_unique_for_overwrite" ||
         Name == "make_shared" || Name == "make_shared_for_overwrite";
}
inline bool isFillingMember(std::string_view Name) {
  return Name == "resize" || Name == "reserve" || Name == "assign";
}

} // namespace evenkeel

#endif
