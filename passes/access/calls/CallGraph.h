//===- CallGraph.h - calls and forks between functions ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: calls with callees resolved by points-to analysis, forks of teams, and
// which functions may run at all.
// Not here: how often calls run (regions/Calls.cpp), and exits of functions
// other than returns (LeavingCalls.h).
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

  /// Calls on the same thread, in both directions.
  llvm::DenseMap<const llvm::Function *, llvm::SetVector<llvm::Function *>>
      Callees;
  llvm::DenseMap<const llvm::Function *, std::vector<llvm::CallBase *>> CallsOf;
  /// The calls of a function on the same thread, and the forks that start it,
  /// in live code.
  CallMap CallSites;
  llvm::SmallPtrSet<const llvm::Function *, 16> Recursive;
  /// Functions that may run. Not included: exported functions that were inlined
  /// into all callers of the program.
  llvm::SetVector<const llvm::Function *> Live;
  /// Functions reached from a parallel region or task (withTeams).
  llvm::SmallPtrSet<const llvm::Function *, 16> OnTeam;
  /// Bodies forked by a team's tasks (withTeams).
  llvm::SmallPtrSet<const llvm::Function *, 8> Nested;

  /// Adds \p F and all functions that it reaches on its thread to \p Out.
  void reachFrom(llvm::Function &F,
                 llvm::SetVector<llvm::Function *> &Out) const;
};

/// The calls of \p M, without forks inside teams.
CallGraph findCalls(llvm::Module &M, const Objects &Obj, const Inventory &Inv);
/// \p G with the functions that run on teams; a fork inside a team counts as a
/// call of its body.
CallGraph withTeams(CallGraph G, llvm::Module &M, const Inventory &Inv);

/// Calls that create the tasks of a loop, by the tasks' body.
using TaskloopCalls = llvm::DenseMap<const llvm::Function *,
                                     llvm::SmallVector<llvm::CallBase *, 1>>;
TaskloopCalls findTaskloops(llvm::Module &M, const CallGraph &G);

} // namespace evenkeel

#endif
