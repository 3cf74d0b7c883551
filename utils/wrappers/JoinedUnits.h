//===- JoinedUnits.h - objects that hold several units ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: GNU ld -r puts the bitcode of the objects that it joins one behind the
// other, which no linker can read (passes/record/Units.h).
// Not here: what else is in objects; the marks of bitcode are enough.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_WRAPPERS_JOINEDUNITS_H
#define EVENKEEL_UTILS_WRAPPERS_JOINEDUNITS_H

#include <string>

namespace evenkeel::wrapper {

/// Whether \p Path is an object, or an archive with one, of several units.
bool joinsUnits(const std::string &Path);

} // namespace evenkeel::wrapper

#endif
