//===- AccessTable.h - the accesses of functions ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: loads, stores, block operations and library calls, with their sites,
// their walks and how often they run.
// Makes: the accesses, function by function; which objects are accessed at all.
// Not here: rows per region (RegionTable.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_REGIONS_ACCESSTABLE_H
#define EVENKEEL_PASSES_ACCESS_REGIONS_ACCESSTABLE_H

#include "access/formulas/Executions.h"
#include "access/walks/Walks.h"
#include "llvm/ADT/BitVector.h"

namespace evenkeel {

struct LibraryAccess;

struct FunctionAccesses {
  std::vector<Access> Accesses;
  /// Loads and stores without a row in Accesses, by the kind of memory they
  /// touch.
  std::map<std::string, uint64_t> Private;
};

class AccessTable {
  llvm::Module &M;
  const Inventory &Inv;
  const Objects &Obj;
  const CallGraph &Graph;
  const HoistedLoads &Loads;
  const Sameness &Same;
  SymbolTable &Symbols;
  Formulas &Forms;
  FunctionTable &Functions;
  Executions &Runs;
  const SiteOwners &Owners;
  Walks &Moves;

  llvm::MapVector<const llvm::Function *, FunctionAccesses> Of;
  /// Objects that live or external code may read or write; objects that
  /// external code may.
  llvm::BitVector Touched, Handed;
  /// Ranges (Ranges.h) that accesses name, each with its object.
  std::set<std::pair<unsigned, unsigned>> NamedRanges;
  std::map<std::string, uint64_t> GiveUps;

  void collect(FunctionInfo &FI);
  void noteExternal(llvm::CallBase &CB, FunctionInfo &FI,
                    std::vector<Access> &Out);
  void noteOpaque(const llvm::CallBase &CB);
  bool isMovedByCalls(const llvm::Argument &A);
  bool isOneOfBlocks(const llvm::Value &Base);
  CountRef growthOfLines(const llvm::MemIntrinsic &I, FunctionInfo &FI,
                         const Times &T);
  CountRef blockLines(const Access &A, const llvm::MemIntrinsic &I,
                      FunctionInfo &FI, bool &Straddles);
  CountRef libraryCount(const LibraryAccess &L, llvm::CallBase &CB,
                        FunctionInfo &FI, const Times &T);
  void touch(const LocationSet &Where, bool Outside);
  bool mayLieBefore(const Access &A, FunctionInfo &FI);
  void nameRanges(Access &A, FunctionInfo &FI);

public:
  AccessTable(llvm::Module &M, const Inventory &Inv, const Objects &Obj,
              const CallGraph &Graph, const HoistedLoads &Loads,
              const Sameness &Same, SymbolTable &Symbols, Formulas &Forms,
              FunctionTable &Functions, Executions &Runs,
              const SiteOwners &Owners, Walks &Moves);

  const FunctionAccesses &of(const llvm::Function &F) const;
  const llvm::MapVector<const llvm::Function *, FunctionAccesses> &all() const {
    return Of;
  }
  const std::set<std::pair<unsigned, unsigned>> &namedRanges() const {
    return NamedRanges;
  }
  const std::map<std::string, uint64_t> &giveUps() const { return GiveUps; }
  bool isTouched(llvm::Value *Maker) const;
};

} // namespace evenkeel

#endif
