//===- Alloc.h - allocation calls of recorded programs -------- -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Not here: the calls themselves (record_abi.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_ALLOC_H
#define EVENKEEL_RUNTIME_RECORD_ALLOC_H

namespace ekrec {

/// Looks up the C library's free and its like, once, at start. False: the C
/// library stands before us, and would get our blocks to free.
bool findNextAllocator();

} // namespace ekrec

#endif
