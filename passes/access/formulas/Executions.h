//===- Executions.h - how often code runs -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the loops and conditions around a block (Nests.cpp, Executions.cpp).
// Makes: how often code runs per call of its function, as a formula or a
// measured symbol.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_FORMULAS_EXECUTIONS_H
#define EVENKEEL_PASSES_ACCESS_FORMULAS_EXECUTIONS_H

#include "access/formulas/FunctionTable.h"

namespace evenkeel {

class Executions {
  const Inventory &Inv;
  const CallGraph &Graph;
  const HoistedLoads &Loads;
  const LeavingCalls &Ways;
  LoopGuards &Guards;
  SymbolTable &Symbols;
  Formulas &Forms;
  FunctionTable &Functions;
  /// Executions of loops; [1]: in formulas that may contain per-call values.
  std::map<std::pair<const llvm::Loop *, const llvm::Loop *>, Times> Nests[2];

  const Times &nest(llvm::Loop *L, Below Under, FunctionInfo &FI);
  Times entries(llvm::Loop &L, Below Under, FunctionInfo &FI);
  Times executions(const llvm::BasicBlock *B, Below Under, FunctionInfo &FI);
  CountRef tripsOfBlock(const llvm::BasicBlock *B, llvm::Loop &L,
                        FunctionInfo &FI, const Times &Open);
  std::optional<Times> underCondition(const llvm::BasicBlock *B, Below Under,
                                      FunctionInfo &FI);
  CountRef callsOfTask(const llvm::Function &F);

public:
  Executions(const Inventory &Inv, const CallGraph &Graph,
             const HoistedLoads &Loads, const LeavingCalls &Ways,
             LoopGuards &Guards, SymbolTable &Symbols, Formulas &Forms,
             FunctionTable &Functions)
      : Inv(Inv), Graph(Graph), Loads(Loads), Ways(Ways), Guards(Guards),
        Symbols(Symbols), Forms(Forms), Functions(Functions) {}

  Times timesOf(const llvm::Instruction &I, FunctionInfo &FI,
                const llvm::SCEV *Length = nullptr);
  CountRef growthInCalls(FunctionInfo &FI, llvm::function_ref<CountRef()> Of);
};

} // namespace evenkeel

#endif
