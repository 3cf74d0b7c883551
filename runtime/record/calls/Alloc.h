//===- Alloc.h - allocation calls of recorded programs -------- -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Not here: the calls themselves (record_abi.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_ALLOC_H
#define EVENKEEL_RUNTIME_RECORD_ALLOC_H

namespace ekrec {

/// Looks up free and similar functions of the C library, once, at start. False:
/// the C library precedes us, and would be given our blocks to free.
bool findNextAllocator();

} // namespace ekrec

#endif
