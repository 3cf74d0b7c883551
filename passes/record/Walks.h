//===- Walks.h - how accesses really walk -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to measure what access classes claim, without the analysis that
// claims it: each access tells its address and, by data flow alone, what that
// address depended on.
// Makes: calls of __ek_rec_walk (record_abi.h), and the claims beside them, for
// whoever compares (utils/check-real).
// Leaves out: the comparison; dependences through memory and through functions
// whose callers are not all known.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_WALKS_H
#define EVENKEEL_PASSES_RECORD_WALKS_H

#include "record/samples/Sampling.h"

namespace evenkeel {

struct EkAccessResult;

/// Instruments \p Accesses, which \p R describes. Nothing else in \p M has been
/// instrumented yet.
void recordWalks(llvm::Module &M, const EkAccessResult &R,
                 llvm::ArrayRef<RecordedAccess> Accesses);

} // namespace evenkeel

#endif
