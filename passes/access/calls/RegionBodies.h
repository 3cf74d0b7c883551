//===- RegionBodies.h - regions with several functions ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which regions have several functions, and how to distinguish their
// tasks (RegionBodies.cpp).
// Makes: formulas for how often a task runs each of the functions, and the
// symbols in these formulas.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_CALLS_REGIONBODIES_H
#define EVENKEEL_PASSES_ACCESS_CALLS_REGIONBODIES_H

#include "access/Rows.h"
#include "access/calls/CallGraph.h"

namespace evenkeel {

/// One function of such a region.
struct RegionBody {
  CountRef Runs;      // how often a task of the region runs this function
  bool Alike = false; // another function cannot be distinguished from it
  /// Other functions are copies of the same code; their callers may pass
  /// different values.
  bool Copied = false;
  llvm::SmallPtrSet<llvm::Function *, 8> Alone; // functions that only this
                                                // body's tasks run
};

struct RegionBodies {
  struct Symbol {
    SymbolRow Row;
    SymbolLeaf Leaf;
  };
  llvm::DenseMap<const llvm::Function *, RegionBody> Bodies;
  std::vector<Symbol> Symbols; // symbols in Runs

  bool isCopied(const llvm::Function &F) const {
    auto It = Bodies.find(&F);
    return It != Bodies.end() && It->second.Copied;
  }
};

RegionBodies findRegionBodies(const Inventory &Inv, const SourceMap &Source,
                              const CallGraph &Calls);

} // namespace evenkeel

#endif
