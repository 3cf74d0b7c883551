//===- SoleBlocks.h - blocks that an optimiser may still remove -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: no optimiser knows what an annotated allocation does, so it keeps
// blocks that nobody reads, and the program needs memory that the plain one
// does not. A call in main that runs at most once makes the only block of its
// site: without it no other block has another identity.
// Makes: such calls tell the optimiser that they allocate, and ek_free that it
// frees.
// Not here: all other sites. Copies of their calls that differ would give the
// remaining blocks other ordinals.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_PLUGIN_SOLEBLOCKS_H
#define EVENKEEL_REWRITER_PLUGIN_SOLEBLOCKS_H

namespace clang {
class CompilerInstance;
}

namespace evenkeel {

/// For the code that \p CI is going to make.
void letSoleBlocksGo(clang::CompilerInstance &CI);

} // namespace evenkeel

#endif
