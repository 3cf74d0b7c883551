//===- JoinedUnits.h - objects that hold several units ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: GNU ld -r concatenates the bitcode of the objects that it joins, and
// no linker can read the result (passes/record/Units.h).
// Not here: other contents of objects; the marks of bitcode suffice.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_WRAPPERS_JOINEDUNITS_H
#define EVENKEEL_UTILS_WRAPPERS_JOINEDUNITS_H

#include <string>

namespace evenkeel::wrapper {

/// Whether \p Path is an object with several units, or an archive with one.
bool joinsUnits(const std::string &Path);

} // namespace evenkeel::wrapper

#endif
