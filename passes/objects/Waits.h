//===- Waits.h - which calls are sync points --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: waits of LLVM's OpenMP runtime with kmp.h's ident flags, waits of
// libraries (format/WaitCalls.h), and the ids around them in a rewritten
// program.
// Not here: places and ids (Inventory.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_OBJECTS_WAITS_H
#define EVENKEEL_PASSES_OBJECTS_WAITS_H

#include "format/SyncKind.h"
#include "llvm/IR/InstrTypes.h"
#include <optional>

namespace evenkeel {

/// The kind of wait that a call of the OpenMP runtime performs.
std::optional<SyncKind> openMPWaitOf(const llvm::CallBase &CB);
/// The kind of wait that a library call performs (format/WaitCalls.h).
std::optional<SyncKind> libraryWaitOf(const llvm::CallBase &CB);
/// The id around such a call in a rewritten program; 0: none.
uint64_t waitLiteral(const llvm::CallBase &CB);

} // namespace evenkeel

#endif
