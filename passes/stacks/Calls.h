//===- Calls.h - calls of libraries in a linked file ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: direct calls through the procedure linkage table, by the instructions
// of x86-64 and AArch64: debug information has no call sites without
// optimisation, and clang's lacks those that the compiler generates (of the
// OpenMP library).
// Not here: calls through pointers, jumps (TailCalls), and other processors,
// for which there are no calls.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_STACKS_CALLS_H
#define EVENKEEL_PASSES_STACKS_CALLS_H

#include "llvm/Object/ObjectFile.h"
#include <string>
#include <vector>

namespace evenkeel {

struct LibraryCall {
  uint64_t At; // of the instruction
  std::string To;
};

/// In the order of addresses.
std::vector<LibraryCall> libraryCalls(const llvm::object::ObjectFile &File);

} // namespace evenkeel

#endif
