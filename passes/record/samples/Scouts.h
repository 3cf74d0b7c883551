//===- Scouts.h - loops that look ahead of loops that gather -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: innermost loops with counted iterations that access memory at
// addresses which are loaded or computed, from nothing that the loop changes.
// Makes: a second version of such a loop, for many iterations. It runs in
// strips. In front of each strip, a scout loop computes the addresses of the
// strip's accesses and fetches their lines; the accesses are tested and told
// there, and the strip itself stays as the program has it. With a test in front
// of each access, the processor's reorder window would hold far fewer of the
// loads that it waits for.
// Leaves out: what is told (Sampling.cpp); loops that gather under conditions.
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

/// Gives such loops of \p F their second version. The header of the one for
/// many iterations is returned; accesses of the other are added to \p Accesses,
/// and \p Copied is called with what was copied.
LoopHeaders
versionLoops(llvm::Function &F, llvm::SmallVectorImpl<RecordedAccess> &Accesses,
             llvm::function_ref<void(const llvm::ValueToValueMapTy &)> Copied);

/// The scout of a loop in strips.
struct Scout {
  llvm::Instruction *End;       // of the scout's iteration
  llvm::PHINode *Iteration;     // its number
  llvm::ValueToValueMapTy Here; // values of the loop as the scout has them
};

/// Makes the loop of \p D run in strips behind a scout that computes the
/// addresses of \p Rest. Nothing, if they cannot be computed ahead.
std::unique_ptr<Scout> makeStrips(DescribedLoop &D,
                                  llvm::ArrayRef<RecordedAccess> Rest);

} // namespace evenkeel

#endif
