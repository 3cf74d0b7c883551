//===- Ranges.h - arrays carved from one block ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how programs cut one block into several arrays: pointers at constant
// or computed distances, kept in variables and fields or passed to functions.
// Makes: the instructions whose result begins such a range.
// Not here: distances that change in a loop (rows of a matrix), recursive cuts,
// each task's own share, cuts inside libraries, and ranges that begin less than
// a page apart.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_OBJECTS_RANGES_H
#define EVENKEEL_PASSES_OBJECTS_RANGES_H

#include "unit/Source.h"
#include "llvm/IR/Instructions.h"
#include <vector>

namespace evenkeel {

/// Returns them in module order.
std::vector<llvm::GetElementPtrInst *> findCarvings(llvm::Module &M,
                                                    const SourceMap &Source);

} // namespace evenkeel

#endif
