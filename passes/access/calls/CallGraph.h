//===- CallGraph.h - who calls whom -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: calls with callees resolved by points-to, forks of teams, and which
// functions may run at all.
// Leaves out: how often calls run (regions/Calls.cpp), and ways out of a
// function that are no returns (LeavingCalls.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_CALLS_CALLGRAPH_H
#define EVENKEEL_PASSES_ACCESS_CALLS_CALLGRAPH_H

#include "objects/Inventory.h"
#include "objects/Objects.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <vector>

namespace evenkeel {

struct CallGraph {
  using CallMap = llvm::DenseMap<const llvm::Function *,
                                 llvm::SmallVector<const llvm::CallBase *, 4>>;

  /// Calls on the same thread, both ways.
  llvm::DenseMap<const llvm::Function *, llvm::SetVector<llvm::Function *>>
      Callees;
  llvm::DenseMap<const llvm::Function *, std::vector<llvm::CallBase *>> CallsOf;
  /// Calls of a function on the same thread, and forks that start it, in code
  /// that may run.
  CallMap CallSites;
  llvm::SmallPtrSet<const llvm::Function *, 16> Recursive;
  /// What may run. What was inlined into all of the program's callers stays
  /// behind, exported: calls from there are none.
  llvm::SetVector<const llvm::Function *> Live;
  /// Reached from a parallel or task (withTeams).
  llvm::SmallPtrSet<const llvm::Function *, 16> OnTeam;
  /// Bodies that a team's tasks fork (withTeams).
  llvm::SmallPtrSet<const llvm::Function *, 8> Nested;

  /// Adds \p F and all that it calls on its thread to \p Out.
  void reachFrom(llvm::Function &F,
                 llvm::SetVector<llvm::Function *> &Out) const;
};

/// The calls of \p M, without what teams fork within teams.
CallGraph findCalls(llvm::Module &M, const Objects &Obj, const Inventory &Inv);
/// \p G with the functions that run on teams, where a fork within a team counts
/// as a call of its body.
CallGraph withTeams(CallGraph G, llvm::Module &M, const Inventory &Inv);

/// Calls that make tasks of a loop, by the tasks' body.
using TaskloopCalls = llvm::DenseMap<const llvm::Function *,
                                     llvm::SmallVector<llvm::CallBase *, 1>>;
TaskloopCalls findTaskloops(llvm::Module &M, const CallGraph &G);

} // namespace evenkeel

#endif
