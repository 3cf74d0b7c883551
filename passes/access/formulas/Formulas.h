//===- Formulas.h - formulas of computed values -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to express values, trip counts and conditions as counts over
// symbols.
// Makes: these formulas, and the symbols in them. Inside a formula, a loop's
// iteration number is an index; closing a number of executions sums over it.
// Not here: how often code runs (Executions.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_FORMULAS_FORMULAS_H
#define EVENKEEL_PASSES_ACCESS_FORMULAS_FORMULAS_H

#include "access/formulas/SymbolTable.h"
#include "access/loops/LoopGuards.h"
#include "llvm/Support/SaveAndRestore.h"

namespace llvm {
class SCEVAddRecExpr;
class SCEVUnknown;
} // namespace llvm

namespace evenkeel {

struct Geometric;

class Formulas {
  const Inventory &Inv;
  const CallGraph &Graph;
  const HoistedLoads &Loads;
  const Sameness &Same;
  LoopGuards &Guards;
  SymbolTable &Symbols;

  /// Formulas may contain values that differ from call to call.
  bool PerCall = false;
  /// Formulas may contain the start and end of shares.
  bool InShares = false;
  unsigned Operations = 0; // calls of operationCount under way
  llvm::DenseMap<const llvm::Loop *, uint64_t> LoopNumbers; // see indexOf
  /// Symbols that formulas take to be 0 or more. Formulas with them are wrong
  /// for negative values.
  std::set<uint64_t> Assumed;

  bool isRunAgain(const llvm::Value &V, const llvm::Function &F) const;
  CountRef unknownCount(const llvm::SCEVUnknown &S, const llvm::Loop *Within,
                        FunctionInfo &FI, std::string &Why, const Times *Open);
  CountRef recurrenceCount(const llvm::SCEVAddRecExpr &AR,
                           const llvm::Loop *Within, FunctionInfo &FI,
                           std::string &Why, const Times *Open);
  CountRef distanceCount(const llvm::SCEVUDivExpr &S, const llvm::Loop *Within,
                         FunctionInfo &FI, std::string &Why, const Times *Open);
  CountRef counterCount(const Geometric &G, const llvm::Loop *Within,
                        FunctionInfo &FI, std::string &Why, const Times *Open);
  CountRef tripsOfCounter(const Geometric &G, int64_t Scale, int64_t Over,
                          llvm::CmpInst::Predicate Stay, CountRef From,
                          CountRef To, FunctionInfo &FI);
  CountRef geometricTrips(llvm::Loop &L, FunctionInfo &FI, const Times &Open);
  bool isTestedInFront(llvm::Loop &L, FunctionInfo &FI);
  CountRef inductionTrips(llvm::Loop &L, FunctionInfo &FI, const Times &Open);
  CountRef truthOfBits(const llvm::ICmpInst &Cmp, bool Sense,
                       const llvm::Loop *Within, FunctionInfo &FI,
                       const Times &Open);
  CountRef holds(llvm::CmpInst::Predicate P, const CountRef &L,
                 const CountRef &R, llvm::ArrayRef<CountRef> Known);

public:
  Formulas(const Inventory &Inv, const CallGraph &Graph,
           const HoistedLoads &Loads, const Sameness &Same, LoopGuards &Guards,
           SymbolTable &Symbols)
      : Inv(Inv), Graph(Graph), Loads(Loads), Same(Same), Guards(Guards),
        Symbols(Symbols) {}

  /// While it lives, formulas may contain values that differ from call to call.
  struct OfOneCall {
    llvm::SaveAndRestore<bool> Is;
    explicit OfOneCall(Formulas &F) : Is(F.PerCall, true) {}
  };
  /// While it lives, formulas may contain the start and end of shares, if
  /// \p Do.
  struct WithShares {
    llvm::SaveAndRestore<bool> Is;
    WithShares(Formulas &F, bool Do) : Is(F.InShares, Do) {}
  };
  bool isOfOneCall() const { return PerCall; }
  /// Whether a formula takes the symbol \p Id to be 0 or more.
  bool assumes(uint64_t Id) const { return Assumed.count(Id); }

  CountRef toCount(const llvm::SCEV *S, const llvm::Loop *Within,
                   FunctionInfo &FI, std::string &Why,
                   const Times *Open = nullptr);
  CountRef asWord(const llvm::SCEV *S, bool Signed, const llvm::Loop *Within,
                  FunctionInfo &FI, std::string &Why,
                  const Times *Open = nullptr);
  CountRef operationCount(llvm::Value *V, const llvm::Loop *Within,
                          FunctionInfo &FI, std::string &Why,
                          const Times *Open = nullptr);
  bool hasNames(const llvm::SCEV *S, FunctionInfo &FI, unsigned Depth = 0);
  CountRef growsWith(llvm::Value *V, FunctionInfo &FI);
  CountRef tripCount(llvm::Loop &L, FunctionInfo &FI, const Times &Open,
                     std::string &Why, std::string &Assumes);
  CountRef truth(const llvm::Value *Cond, bool Sense, const llvm::Loop *Within,
                 FunctionInfo &FI, const Times &Open, unsigned Depth = 0);

  uint64_t indexOf(const llvm::Loop *L);
  bool neverNegative(const CountRef &C, llvm::ArrayRef<CountRef> Known = {});
  CountRef notBelow0(const CountRef &C);
  std::vector<CountRef> knownIn(llvm::ArrayRef<Level> Open);
  CountRef closed(const Times &T, CountRef Each = countConst(1));
  CountRef clamped(const CountRef &C, const Times &Open);
};

} // namespace evenkeel

#endif
