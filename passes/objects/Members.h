//===- Members.h - what lies where in a record ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the types of variables, and of what is allocated (as debug information
// tells).
// Makes: whether a pointer is a member of its own, no element of an array, so
// that no index into it leads anywhere else. Hash tables of libraries point to
// such a member while they are small.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_OBJECTS_MEMBERS_H
#define EVENKEEL_PASSES_OBJECTS_MEMBERS_H

#include <cstdint>

namespace llvm {
class Value;
} // namespace llvm

namespace evenkeel {

/// Whether \p Maker (a variable, or a call that allocates) makes an object, or
/// an array of them, with a lone pointer \p Offset bytes in.
bool isLonePointer(const llvm::Value &Maker, int64_t Offset);

} // namespace evenkeel

#endif
