//===- IndexTable.h - arrays of regular indices -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: arrays whose successive elements differ by the same number, according
// to the stores to them (IndexTable.cpp).
// Makes: the step of accesses through such indices. Results are cached.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_WALKS_INDEXTABLE_H
#define EVENKEEL_PASSES_ACCESS_WALKS_INDEXTABLE_H

#include "access/formulas/FunctionTable.h"

namespace evenkeel {

class IndexTable {
  llvm::Module &M;
  llvm::FunctionAnalysisManager &FAM;
  const Objects &Obj;
  const HoistedLoads &Loads;
  const Writes &Written;
  FunctionTable &Functions;

  /// Elements at a distance of Bytes differ by By.
  struct EvenIndices {
    int64_t Bytes, By;
  };
  /// By object and element size; nullopt: not regular, or not yet known.
  std::map<std::pair<unsigned, uint64_t>, std::optional<EvenIndices>> Known;
  std::optional<int64_t> stepIn(const llvm::SCEV *S, const llvm::Loop &X,
                                FunctionInfo &FI, unsigned Depth);
  std::optional<EvenIndices> evenStore(const llvm::StoreInst &S, uint64_t Bytes,
                                       unsigned Depth, FunctionInfo &FI,
                                       const llvm::Loop *&X);
  bool keepsIndices(const llvm::Instruction &I, unsigned O);
  std::optional<EvenIndices> evenIndices(unsigned O, uint64_t Bytes,
                                         unsigned Depth);

public:
  IndexTable(llvm::Module &M, llvm::FunctionAnalysisManager &FAM,
             const Objects &Obj, const HoistedLoads &Loads,
             const Writes &Written, FunctionTable &Functions)
      : M(M), FAM(FAM), Obj(Obj), Loads(Loads), Written(Written),
        Functions(Functions) {}

  std::optional<int64_t> gatherStep(const llvm::SCEV *S, const llvm::Loop *X,
                                    FunctionInfo &FI);
};

} // namespace evenkeel

#endif
