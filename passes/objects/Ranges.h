//===- Ranges.h - arrays that are carved from one block ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how programs cut one block into several arrays: pointers at constant
// or computed distances, kept in variables and fields or handed to functions.
// Makes: the instructions behind which such a range begins.
// Leaves out: distances that change while a loop runs (rows of a matrix), cuts
// of cuts by recursion, what each task takes for its own, what happens inside
// of libraries, ranges that begin less than a page away.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_OBJECTS_RANGES_H
#define EVENKEEL_PASSES_OBJECTS_RANGES_H

#include "unit/Source.h"
#include "llvm/IR/Instructions.h"
#include <vector>

namespace evenkeel {

/// In order of the module.
std::vector<llvm::GetElementPtrInst *> findCarvings(llvm::Module &M,
                                                    const SourceMap &Source);

} // namespace evenkeel

#endif
