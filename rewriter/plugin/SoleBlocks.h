//===- SoleBlocks.h - blocks that an optimiser may still remove -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: optimisers do not know the annotated allocation functions, so they
// keep unused blocks that they would remove from the original program. If a
// call in main runs at most once and is its site's only call, removing its
// block does not change the identity of any other block.
// Makes: attributes that tell the optimiser that such calls allocate, and that
// ek_free frees.
// Not here: all other sites, because removing some copies of a call would
// change the ordinals of the remaining blocks.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_PLUGIN_SOLEBLOCKS_H
#define EVENKEEL_REWRITER_PLUGIN_SOLEBLOCKS_H

namespace clang {
class CompilerInstance;
}

namespace evenkeel {

/// Applies to the code that \p CI makes.
void allowRemovingSoleBlocks(clang::CompilerInstance &CI);

} // namespace evenkeel

#endif
