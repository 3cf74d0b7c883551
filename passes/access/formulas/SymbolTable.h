//===- SymbolTable.h - symbols of formulas ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what in a program is a symbol (a value with a name, a number only a
// run tells), its id, its display name and the copies that inlining made of it.
// Grows while formulas are made; each symbol is entered once.
// Leaves out: formulas (Formulas.h); what symbols are in terms of others
// (Definitions.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_FORMULAS_SYMBOLTABLE_H
#define EVENKEEL_PASSES_ACCESS_FORMULAS_SYMBOLTABLE_H

#include "access/calls/LeavingCalls.h"
#include "access/calls/RegionBodies.h"
#include "access/loops/FunctionInfo.h"
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
  llvm::DenseMap<const llvm::Value *, uint64_t> LeafIds;
  llvm::DenseMap<const llvm::Value *, uint64_t> SourceIds; // of copies' sources
  std::map<std::string, unsigned> ValueOrdinals, BlockOrdinals;
  /// Measured symbols of one copy of an inlined place, and of the place.
  std::map<uint64_t, uint64_t> PlainOf;
  std::map<uint64_t, unsigned> Copies;
  /// Where measured symbols are counted.
  std::map<uint64_t, llvm::SmallVector<llvm::Function *, 1>> CountedIn;
  /// By symbol: loads of the variable that it is, in each function one that is
  /// followed by no other value.
  std::map<uint64_t, llvm::SmallVector<const llvm::LoadInst *, 2>> LoadsOf;
  /// By symbol: the value that it is where its variable is declared.
  std::map<uint64_t, const llvm::Value *> RootOf;
  std::map<std::string, uint64_t> GiveUps;

  std::string qualifier(const Place &P, const FunctionInfo &FI) const;
  uint64_t measure(llvm::StringRef What, llvm::Value *V, llvm::BasicBlock *B,
                   llvm::DebugLoc D, const FunctionInfo &FI,
                   std::optional<unsigned> Nth, CountRef ScalesWith);

public:
  SymbolTable(const SourceMap &Source, const CallGraph &Graph,
              const HoistedLoads &Loads, const LeavingCalls &Ways,
              const Sameness &Same, const RegionBodies &Bodies);

  /// \p GrowsWith: asked for what \p V grows with where it is a new symbol.
  uint64_t valueSymbol(llvm::Value *V, const FunctionInfo &FI,
                       llvm::function_ref<CountRef()> GrowsWith);
  uint64_t linesSymbol(llvm::MemIntrinsic &I, bool Source,
                       const FunctionInfo &FI, CountRef ScalesWith);
  uint64_t blockSymbol(llvm::BasicBlock *B, llvm::StringRef What,
                       const FunctionInfo &FI, CountRef ScalesWith);
  /// The symbol of a value or block; 0: it has none.
  uint64_t idOf(const llvm::Value *V) const { return LeafIds.lookup(V); }
  /// Functions that the measured symbol \p Id is counted in.
  llvm::ArrayRef<llvm::Function *> countedIn(uint64_t Id) const;
  bool isProgramWide(const CountRef &C) const;

  /// \name Once all formulas are made.
  /// @{
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
