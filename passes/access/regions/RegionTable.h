//===- RegionTable.h - rows of regions --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which functions a region's tasks run, how often (Calls.cpp), and the
// effect of nested teams (Nested.cpp).
// Makes: the rows of each region.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_REGIONS_REGIONTABLE_H
#define EVENKEEL_PASSES_ACCESS_REGIONS_REGIONTABLE_H

#include "access/regions/AccessTable.h"

namespace evenkeel {

class RegionTable {
  llvm::Module &M;
  const Inventory &Inv;
  const SourceMap &Source;
  const Objects &Obj;
  const CallGraph &Graph;
  const HoistedLoads &Loads;
  const RegionBodies &Bodies;
  SymbolTable &Symbols;
  Formulas &Forms;
  FunctionTable &Functions;
  Executions &Runs;
  const AccessTable &Accesses;
  llvm::SmallPtrSet<const llvm::Function *, 32> InRegions; // reached from one

  Times callsOf(llvm::Function &F, llvm::Function &Root,
                const llvm::SetVector<llvm::Function *> &Reached,
                llvm::DenseMap<llvm::Function *, Times> &Memo);
  CountRef aloneInTeam(const CountRef &C);
  CountRef forkedBy(const llvm::CallBase &CB, const Times &Forks,
                    const Times &T, llvm::Function &F);
  Times asPart(const Access &A, llvm::Function &F, const Times &Calls,
               const llvm::SetVector<llvm::Function *> &Reached);
  bool isCountedIn(const RegionBody &Of, const CountRef &C) const;
  void onlyIn(const llvm::Function &Root, Times &T) const;
  void noteOutside();
  void region(llvm::Function &Root, const RegionInfo &RI);

public:
  std::vector<AccessRow> Rows;
  std::vector<RegionInfo> RegionRows;
  std::map<std::string, uint64_t> GiveUps;

  RegionTable(llvm::Module &M, const Inventory &Inv, const SourceMap &Source,
              const Objects &Obj, const CallGraph &Graph,
              const HoistedLoads &Loads, const RegionBodies &Bodies,
              SymbolTable &Symbols, Formulas &Forms, FunctionTable &Functions,
              Executions &Runs, const AccessTable &Accesses);
};

} // namespace evenkeel

#endif
