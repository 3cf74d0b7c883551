//===- FlowWalk.h - from one unit's AST to its block flow -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which expressions of a unit pass pointers on, and which calls make and
// free blocks. All instances of a structure share the nodes of its members, and
// a pointer shares its node with what it points to, if that may hold pointers.
// Not here: other units (Groups.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_LIBRARY_FLOWWALK_H
#define EVENKEEL_REWRITER_LIBRARY_FLOWWALK_H

#include "edits/BlockFlow.h"
#include "unit/Unit.h"

namespace evenkeel {

/// The block flow of the whole unit of \p U.
BlockFlow walkFlow(Unit &U);

} // namespace evenkeel

#endif
