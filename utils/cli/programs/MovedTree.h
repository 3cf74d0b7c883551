//===- MovedTree.h - a program beside a copy of its sources -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a program names its sources and what it was linked of by absolute
// paths. If its tree was copied or moved after the build, those that belong to
// it are the ones beside it. Not here: whether they are as they were
// (BuiltProgram).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_MOVEDTREE_H
#define EVENKEEL_UTILS_CLI_MOVEDTREE_H

#include "BuiltFiles.h"

namespace evenkeel::cli {

/// The move of the tree of \p P, if all its sources lie as they did around \p
/// Program, but in another folder than at the build.
std::optional<TreeMove> findMove(const BuiltProgram &P,
                                 const std::string &Program);

/// A path, or an option that ends in a path, in the new tree.
std::string moved(const std::string &Word, const TreeMove &M);

/// Replaces the old folder in the units and links of \p P.
void followTree(BuiltProgram &P, const TreeMove &M);

} // namespace evenkeel::cli

#endif
