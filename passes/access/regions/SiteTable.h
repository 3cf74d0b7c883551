//===- SiteTable.h - rows of sites ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the sizes of allocated blocks, and the ranges carved from them
// (Ranges.cpp).
// Makes: the rows of sites.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_REGIONS_SITETABLE_H
#define EVENKEEL_PASSES_ACCESS_REGIONS_SITETABLE_H

#include "access/regions/AccessTable.h"

namespace evenkeel {

class SiteTable {
  llvm::Module &M;
  const Inventory &Inv;
  const SourceMap &Source;
  const Objects &Obj;
  const CallGraph &Graph;
  Formulas &Forms;
  FunctionTable &Functions;
  const SiteOwners &Owners;
  const AccessTable &Accesses;

  CountRef rangeOffset(unsigned K, unsigned O, unsigned Depth = 0);
  void ranges(llvm::Value *Maker, SiteRow &Row);
  void sizeRanges(SiteRow &Row);
  std::map<uint64_t, SiteRow> Rows; // by id

  void addSize(SiteRow &Row, const CountRef &C);
  void enterAll();
  CountRef sizeOf(llvm::CallBase &CB);
  void addCall(llvm::CallBase &CB, const SiteInfo &S, const CallChains &Chains);
  void addStack(llvm::AllocaInst &A, const SiteInfo &S);
  void addGlobal(llvm::GlobalVariable &G, const SiteInfo &S);
  void sites(llvm::ArrayRef<AccessRow> AllRows);

public:
  std::vector<SiteRow> Out;
  std::map<std::string, uint64_t> GiveUps;

  /// \p AllRows: the rows of all regions. \p Forms: formulas for one call,
  /// because each instance has a size of its own.
  SiteTable(llvm::Module &M, const Inventory &Inv, const SourceMap &Source,
            const Objects &Obj, const CallGraph &Graph, Formulas &Forms,
            FunctionTable &Functions, const SiteOwners &Owners,
            const AccessTable &Accesses, llvm::ArrayRef<AccessRow> AllRows)
      : M(M), Inv(Inv), Source(Source), Obj(Obj), Graph(Graph), Forms(Forms),
        Functions(Functions), Owners(Owners), Accesses(Accesses) {
    sites(AllRows);
  }
};

} // namespace evenkeel

#endif
