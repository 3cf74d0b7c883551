//===- FunctionTable.h - functions and their shared loops -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how the OpenMP runtime distributes loops to a team (Shares.cpp) and as
// tasks (Taskloops.cpp).
// Makes: on demand, a function's loops and which of them are work-shared.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_FORMULAS_FUNCTIONTABLE_H
#define EVENKEEL_PASSES_ACCESS_FORMULAS_FUNCTIONTABLE_H

#include "access/formulas/Formulas.h"

namespace evenkeel {

class FunctionTable {
  llvm::Module &M;
  llvm::FunctionAnalysisManager &FAM;
  const Inventory &Inv;
  const SourceMap &Source;
  const CallGraph &Graph;
  const TaskloopCalls &Taskloops;
  Formulas &Forms;
  const SymbolTable &Symbols;
  llvm::DenseMap<const llvm::Function *, std::unique_ptr<FunctionInfo>> Infos;

  struct Taskloop {
    CountRef N;                                      // iterations of all its
                                                     // tasks
    llvm::SmallPtrSet<const llvm::Value *, 4> Slots; // of a task's bounds
    llvm::SmallVector<llvm::LoadInst *, 2> First;    // of the lower one
  };

  CountRef inAll(const CountRef &Iterations);
  struct Sharing;
  std::optional<Sharing> staticSharing(llvm::CallBase &CB, FunctionInfo &FI);
  static Sharing dispatchSharing(llvm::CallBase &CB, FunctionInfo &FI);
  std::vector<Sharing> sharingsOf(FunctionInfo &FI);
  static const Sharing *
  sharingOf(llvm::Loop *L, llvm::ArrayRef<Sharing> All,
            llvm::SmallPtrSetImpl<const llvm::Value *> &Values,
            const FunctionInfo &FI);
  static bool movesBounds(const llvm::Loop &L, const Sharing &S,
                          const FunctionInfo &FI);
  SharedLoop
  sharedLoop(llvm::Loop *L, const Sharing &Mine,
             const llvm::SmallPtrSetImpl<const llvm::Value *> &Values,
             FunctionInfo &FI);
  void findSharedLoops(FunctionInfo &FI);
  void noteShareBounds(llvm::CallBase &Init, FunctionInfo &FI);
  const llvm::Function *sharedOnceBy(const llvm::CallBase &Call);
  CountRef taskloopIterations(llvm::CallBase &Call);
  std::optional<Taskloop> taskloopOf(llvm::Function &Body);

public:
  FunctionTable(llvm::Module &M, llvm::FunctionAnalysisManager &FAM,
                const Inventory &Inv, const SourceMap &Source,
                const CallGraph &Graph, const TaskloopCalls &Taskloops,
                Formulas &Forms, const SymbolTable &Symbols)
      : M(M), FAM(FAM), Inv(Inv), Source(Source), Graph(Graph),
        Taskloops(Taskloops), Forms(Forms), Symbols(Symbols) {}

  FunctionInfo &info(llvm::Function &F);
};

} // namespace evenkeel

#endif
