//===- Members.h - layout of records ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the types of variables and of allocated blocks, from debug
// information.
// Makes: whether a pointer is a single member rather than an array element, so
// that an index into it can only be 0. Hash tables of libraries point to such a
// member while they are small.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_OBJECTS_MEMBERS_H
#define EVENKEEL_PASSES_OBJECTS_MEMBERS_H

#include <cstdint>

namespace llvm {
class Value;
} // namespace llvm

namespace evenkeel {

/// Whether \p Maker (a variable, or a call that allocates) creates an object,
/// or an array of objects, with a single pointer member at byte \p Offset.
bool isLonePointer(const llvm::Value &Maker, int64_t Offset);

} // namespace evenkeel

#endif
