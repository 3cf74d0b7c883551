//===- SymbolTable.h - symbols of formulas ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which values of a program are symbols (named values and numbers known
// only at run time), their ids, their display names, and the copies of them
// made by inlining. Grows while formulas are made; each symbol is entered once.
// Not here: formulas (Formulas.h); symbols in terms of other symbols
// (Definitions.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_FORMULAS_SYMBOLTABLE_H
#define EVENKEEL_PASSES_ACCESS_FORMULAS_SYMBOLTABLE_H

#include "access/calls/RegionBodies.h"
#include "access/loops/FunctionInfo.h"
#include "access/loops/LeavingCalls.h"
#include "access/values/Sameness.h"
#include <map>
#include <set>

namespace evenkeel {

class SymbolTable {
  const SourceMap &Source;
  const CallGraph &Graph;
  const HoistedLoads &Loads;
  const LeavingCalls &Ways;
  const Sameness &Same;

  std::map<uint64_t, SymbolRow> Rows;
  std::vector<SymbolLeaf> Leaves;
  std::vector<SymbolLeaf> OutOfLine; // see takeDownOutOfLine
  /// The symbol of a value, a block, or the lines that a block operation
  /// writes.
  llvm::DenseMap<const llvm::Value *, uint64_t> LeafIds;
  /// The symbol of the lines that a block operation reads.
  llvm::DenseMap<const llvm::Value *, uint64_t> SourceIds;
  /// How many symbols share a name or place so far.
  std::map<std::string, unsigned> ValueOrdinals, BlockOrdinals;
  /// Measured symbol of one copy of an inlined place -> that of the place.
  std::map<uint64_t, uint64_t> PlainOf;
  std::map<uint64_t, unsigned> Copies; // number of copies, by plain symbol
  /// Functions in which measured symbols are counted.
  std::map<uint64_t, llvm::SmallVector<llvm::Function *, 1>> CountedIn;
  /// By symbol: the loads entered as it. The variable has one value in all of
  /// them.
  std::map<uint64_t, llvm::SmallVector<const llvm::LoadInst *, 2>> LoadsOf;
  /// By symbol: its value where the variable is declared.
  std::map<uint64_t, const llvm::Value *> RootOf;
  std::map<std::string, uint64_t> GiveUps; // by reason

  std::string qualifier(const Place &P, const FunctionInfo &FI) const;
  Place placeForPeople(const Place &P, const llvm::Value &V) const;
  uint64_t measure(llvm::StringRef What, llvm::Value *V, llvm::BasicBlock *B,
                   llvm::DebugLoc D, const FunctionInfo &FI,
                   std::optional<unsigned> Nth, CountRef ScalesWith);

public:
  SymbolTable(const SourceMap &Source, const CallGraph &Graph,
              const HoistedLoads &Loads, const LeavingCalls &Ways,
              const Sameness &Same, const RegionBodies &Bodies);

  /// \p GrowsWith: called for what \p V grows with if the symbol is new.
  uint64_t valueSymbol(llvm::Value *V, const FunctionInfo &FI,
                       llvm::function_ref<CountRef()> GrowsWith);
  uint64_t linesSymbol(llvm::MemIntrinsic &I, bool Source,
                       const FunctionInfo &FI, CountRef ScalesWith);
  uint64_t blockSymbol(llvm::BasicBlock *B, llvm::StringRef What,
                       const FunctionInfo &FI, CountRef ScalesWith);
  /// The symbol of a value or block; 0: none.
  uint64_t idOf(const llvm::Value *V) const { return LeafIds.lookup(V); }
  /// The functions in which the measured symbol \p Id is counted.
  llvm::ArrayRef<llvm::Function *> countedIn(uint64_t Id) const;
  bool isProgramWide(const CountRef &C) const;

  /// \name To be called after all formulas are made. @{
  CountRef chooseCopies(const CountRef &C) const;
  void takeDownOutOfLine();
  void finishNames(const std::set<uint64_t> &Used);
  /// @}

  SymbolRow &row(uint64_t Id) { return Rows[Id]; }
  std::map<uint64_t, SymbolRow> &rows() { return Rows; }
  std::vector<SymbolLeaf> &leaves() { return Leaves; }
  const std::map<std::string, uint64_t> &giveUps() const { return GiveUps; }
};

} // namespace evenkeel

#endif
