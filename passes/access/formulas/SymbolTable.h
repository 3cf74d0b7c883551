//===- SymbolTable.h - symbols of formulas ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which values of a program are symbols (named values and numbers known
// only at run time), their ids, their display names, and the copies of them
// made by inlining. Grows while formulas are made; each symbol is entered once.
// Makes: the finished symbols, once all formulas are made.
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

/// How often a block runs in a task.
enum class BlockCount {
  Trips, ///< a loop's header
  Taken, ///< a conditional block
  Calls  ///< a function's entry
};

/// Formulas for symbols, by id.
struct SymbolRelations {
  std::map<uint64_t, CountRef> Values; // in terms of other symbols
  std::map<uint64_t, CountRef> Growth; // what they grow with
  /// In terms of the program's input; null: its values do not agree.
  std::map<uint64_t, CountRef> Inputs;
};

class SymbolTable {
  const SourceMap &Source;
  const CallGraph &Graph;
  const HoistedLoads &Loads;
  const LeavingCalls &Ways;
  const Sameness &Same;

  std::map<uint64_t, SymbolRow> Rows;
  std::vector<SymbolLeaf> Leaves;
  std::vector<SymbolLeaf> OutOfLine; // see recordOutOfLine
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
  void recordOutOfLine();
  void finishNames(const std::set<uint64_t> &Used);

public:
  SymbolTable(const SourceMap &Source, const CallGraph &Graph,
              const HoistedLoads &Loads, const LeavingCalls &Ways,
              const Sameness &Same, const RegionBodies &Bodies);

  /// \p GrowsWith: called for what \p V grows with if the symbol is new.
  uint64_t valueSymbol(llvm::Value *V, const FunctionInfo &FI,
                       llvm::function_ref<CountRef()> GrowsWith);
  uint64_t linesSymbol(llvm::MemIntrinsic &I, bool Source,
                       const FunctionInfo &FI, CountRef ScalesWith);
  uint64_t blockSymbol(llvm::BasicBlock *B, BlockCount What,
                       const FunctionInfo &FI, CountRef ScalesWith);
  /// The symbol of a value or block; 0: none.
  uint64_t idOf(const llvm::Value *V) const { return LeafIds.lookup(V); }
  /// The functions in which the measured symbol \p Id is counted.
  llvm::ArrayRef<llvm::Function *> countedIn(uint64_t Id) const;
  bool isProgramWide(const CountRef &C) const;

  const SymbolRow &row(uint64_t Id) const { return Rows.at(Id); }
  const std::map<uint64_t, SymbolRow> &rows() const { return Rows; }
  /// Formulas may add leaves at the end.
  const std::vector<SymbolLeaf> &leaves() const { return Leaves; }
  const std::map<std::string, uint64_t> &giveUps() const { return GiveUps; }

  /// Removes those leaves, from number \p First on, that were added only in
  /// search of formulas for others.
  void dropLeaves(size_t First,
                  llvm::function_ref<bool(const SymbolLeaf &)> IsIntermediate);

  /// \p C with the plain symbol of a copy if it is the only one. To be called
  /// after all formulas are made.
  CountRef chooseCopies(const CountRef &C) const;

  struct Finished {
    std::vector<SymbolRow> Rows; // used by formulas, ordered by id
    std::vector<SymbolLeaf> Leaves;
  };
  using UsedSymbols = llvm::function_ref<std::set<uint64_t>(
      const std::map<uint64_t, SymbolRow> &)>;
  /// The symbols that \p UsedBy finds in formulas, given all rows, with their
  /// relations, and the leaves of all symbols. \p Assumes: whether formulas
  /// take a symbol to be 0 or more.
  Finished finish(const SymbolRelations &Related, UsedSymbols UsedBy,
                  llvm::function_ref<bool(uint64_t)> Assumes) &&;
};

} // namespace evenkeel

#endif
