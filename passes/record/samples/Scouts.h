//===- Scouts.h - scout loops before gathering loops ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: innermost loops with known trip counts whose access addresses are
// loaded or computed from data that the loop does not change.
// Makes: a second version of such a loop, for many iterations, which runs in
// strips. Before each strip, a scout loop computes the addresses of the strip's
// accesses, fetches their lines, and tests and reports the accesses; the strip
// itself is the program's own code. With a test before each access, the
// processor's reorder window would hold far fewer of the loads that it waits
// for.
// Not here: what is reported (Sampling.cpp); loops that gather conditionally.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_SAMPLES_SCOUTS_H
#define EVENKEEL_PASSES_RECORD_SAMPLES_SCOUTS_H

#include "record/samples/Loops.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <optional>

namespace evenkeel {

/// Headers of loops that are to run in strips.
using LoopHeaders = llvm::SmallPtrSet<const llvm::BasicBlock *, 4>;

/// Gives such loops of \p F their second version. Returns the headers of the
/// versions for many iterations. Accesses of the other versions are added to
/// \p Accesses, and \p Copied is called with the map of copied values.
LoopHeaders
versionLoops(llvm::Function &F, llvm::SmallVectorImpl<RecordedAccess> &Accesses,
             llvm::function_ref<void(const llvm::ValueToValueMapTy &)> Copied);

/// The scout of a loop in strips.
struct Scout {
  llvm::Instruction *End;       // end of the scout's iteration
  llvm::PHINode *Iteration;     // iteration number
  llvm::ValueToValueMapTy Here; // the loop's values in the scout
};

/// Makes the loop of \p D run in strips that follow a scout that computes the
/// addresses of \p Rest. Null if they cannot be computed ahead.
std::unique_ptr<Scout> makeStrips(DescribedLoop &D,
                                  llvm::ArrayRef<RecordedAccess> Rest);

} // namespace evenkeel

#endif
