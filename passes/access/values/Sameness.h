//===- Sameness.h - values that do not change -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: whether a value is the same for the whole program, for each call of
// its function, for all tasks of a region, or on every input; and what may be
// written between two places (Between.cpp). Uses points-to, calls, writes and
// the bodies of regions, and changes none of them. Expensive results are
// cached.
// Not here: writes to fields of one object, which are assumed not to change.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_VALUES_SAMENESS_H
#define EVENKEEL_PASSES_ACCESS_VALUES_SAMENESS_H

#include "access/calls/CallGraph.h"
#include "access/calls/RegionBodies.h"
#include "access/values/Loads.h"
#include "access/values/Writes.h"
#include "llvm/ADT/BitVector.h"

namespace llvm {
class LoopInfo;
} // namespace llvm

namespace evenkeel {

class Sameness {
  llvm::FunctionAnalysisManager &FAM; // only for loops
  const Inventory &Inv;
  const Objects &Obj;
  const CallGraph &Calls;
  const Writes &Written;
  const HoistedLoads &Loads;
  const RegionBodies &Bodies;

  /// A bit set of functions: there are many sets, and some contain most
  /// functions.
  class FunctionSet {
    const llvm::DenseMap<const llvm::Function *, unsigned> *Numbers;
    llvm::BitVector Has;

  public:
    explicit FunctionSet(
        const llvm::DenseMap<const llvm::Function *, unsigned> &Numbers)
        : Numbers(&Numbers), Has(Numbers.size() + 1) {}
    bool has(const llvm::Function *F) const {
      return Has.test(Numbers->lookup(F));
    }
    bool insert(const llvm::Function *F) {
      const unsigned N = Numbers->lookup(F);
      const bool IsNew = !Has.test(N);
      Has.set(N);
      return IsNew;
    }
  };
  llvm::DenseMap<const llvm::Function *, unsigned> FunctionNumbers; // from 1
  /// Results of changersOf and variesBetweenCalls.
  mutable std::map<const LocationSet *, FunctionSet> Changers;
  mutable llvm::DenseMap<std::pair<const llvm::Function *, const LocationSet *>,
                         bool>
      Varying;

  const llvm::LoopInfo &loops(const llvm::Function &F) const;
  const FunctionSet &changersOf(const LocationSet &Where) const;
  bool writesTo(const llvm::Instruction &I, const LocationSet &Where) const;
  bool changesBetween(const llvm::Instruction &From,
                      const llvm::Instruction &To,
                      const LocationSet &Where) const;
  bool changesBetweenCalls(const llvm::Function &F, const LocationSet &Where,
                           unsigned Depth) const;
  bool isOfKnownPlace(const llvm::LoadInst &V) const;
  using WaysTo =
      llvm::DenseMap<const llvm::Function *,
                     llvm::SmallVector<const llvm::Instruction *, 4>>;
  WaysTo waysTo(const llvm::Instruction &V) const;
  bool isProgramWideAtForks(const llvm::Argument &A, unsigned Depth) const;
  bool changesBetweenForks(const llvm::Argument &A) const;
  bool differsByCall(const llvm::Value *V, unsigned Depth = 0) const;
  bool differsByTask(const LocationSet &Where) const;

public:
  Sameness(llvm::Module &M, llvm::FunctionAnalysisManager &FAM,
           const Inventory &Inv, const Objects &Obj, const CallGraph &Calls,
           const Writes &Written, const HoistedLoads &Loads,
           const RegionBodies &Bodies);

  bool runsOnce(const llvm::Function *F, unsigned Depth = 0) const;
  bool isSame(const llvm::Value *V, unsigned Depth = 0) const;
  bool isProgramWide(const llvm::Value *V, const llvm::Function &F,
                     unsigned Depth = 0) const;
  bool changesAround(const llvm::Value *Op, const llvm::CallBase &CB) const;
  bool variesBetweenCalls(const llvm::LoadInst &V) const;
  bool differ(const llvm::LoadInst &A, const llvm::LoadInst &B) const;
};

/// Whether \p V is a number of threads or a truth value, which do not depend on
/// the input.
bool isSameOnEveryInput(const llvm::Value *V);

} // namespace evenkeel

#endif
