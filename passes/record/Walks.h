//===- Walks.h - measure how accesses walk ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to measure what access classes claim, independently of the
// analysis: each access reports its address and, by data flow alone, the loads
// on which the address depended.
// Makes: calls of __ek_rec_walk (record_abi.h), and the analysis' claims for
// comparison (utils/check-real).
// Not here: the comparison; dependences through memory and through functions
// with unknown callers.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_WALKS_H
#define EVENKEEL_PASSES_RECORD_WALKS_H

#include "record/samples/Sampling.h"

namespace evenkeel {

struct EkAccessResult;

/// Instruments \p Accesses, which \p R describes. \p M must not contain other
/// instrumentation yet.
void recordWalks(llvm::Module &M, const EkAccessResult &R,
                 llvm::ArrayRef<RecordedAccess> Accesses);

} // namespace evenkeel

#endif
