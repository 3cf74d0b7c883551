//===- RegionBodies.h - regions that are several functions ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which regions are several functions, and how their tasks are told
// apart (RegionBodies.cpp).
// Makes: formulas of how often a task runs each of the functions, and the
// symbols in them.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_CALLS_REGIONBODIES_H
#define EVENKEEL_PASSES_ACCESS_CALLS_REGIONBODIES_H

#include "access/Rows.h"
#include "access/calls/CallGraph.h"

namespace evenkeel {

/// One function of such a region.
struct RegionBody {
  CountRef Runs;      // how often a task of the region runs this function
  bool Alike = false; // another cannot be told from it
  /// Others come of the same code; calls of them hand over what they like.
  bool Copied = false;
  llvm::SmallPtrSet<llvm::Function *, 8> Alone; // none of the others runs
};

struct RegionBodies {
  struct Symbol {
    SymbolRow Row;
    SymbolLeaf Leaf;
  };
  llvm::DenseMap<const llvm::Function *, RegionBody> Bodies;
  std::vector<Symbol> Symbols; // that Runs may name

  bool isCopied(const llvm::Function &F) const {
    auto It = Bodies.find(&F);
    return It != Bodies.end() && It->second.Copied;
  }
};

RegionBodies findRegionBodies(const Inventory &Inv, const SourceMap &Source,
                              const CallGraph &Calls);

} // namespace evenkeel

#endif
