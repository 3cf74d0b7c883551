//===- Walks.h - how accesses move ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: addresses that move with loops, by constant steps or depending on
// data, here or in callers; groups of accesses that form a stencil.
// Makes: the walk of each access.
// Not here: the set of accesses (regions/AccessTable.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_WALKS_WALKS_H
#define EVENKEEL_PASSES_ACCESS_WALKS_WALKS_H

#include "access/values/Rereads.h"
#include "access/walks/AtCall.h"
#include "access/walks/IndexTable.h"
#include "access/walks/SiteOwners.h"

namespace evenkeel {

class Walks {
  const Inventory &Inv;
  const Objects &Obj;
  const CallGraph &Graph;
  const HoistedLoads &Loads;
  const Sameness &Same;
  const Rereads &Repeats;
  LoopGuards &Guards;
  Formulas &Forms;
  FunctionTable &Functions;
  IndexTable &Indices;
  const SiteOwners &Owners;
  /// Keeps the values of loads in other functions that addresses contain.
  ForeignValues Foreign;

  struct Read;
  struct Returned {
    const llvm::SCEV *Moving, *Address; // the part that moves; the whole
                                        // address
  };
  llvm::SmallVector<Returned, 2> returned(const llvm::SCEV *S,
                                          FunctionInfo &FI);
  std::optional<Walk> startOfRuns(const Access &A, FunctionInfo &FI);
  Walk walkOf(const llvm::SCEV *S, const llvm::Instruction &I, uint64_t Bytes,
              FunctionInfo &FI);
  void irregular(Walk &W, const llvm::SCEV *S, llvm::Loop *X, uint64_t Bytes,
                 FunctionInfo &FI);
  void noteTable(Walk &W, const llvm::SCEV *S, llvm::Loop *X, FunctionInfo &FI);
  void noteIndex(Walk &W, llvm::ArrayRef<const llvm::Instruction *> From,
                 llvm::Loop *X);
  void stencilOfCalls(Access &A, llvm::ArrayRef<Read> Calls);
  void settleBlock(Access &A, FunctionInfo &FI);
  std::optional<Walk> walkOfCallers(const llvm::SCEV *S,
                                    const llvm::SCEV *Address,
                                    llvm::ArrayRef<llvm::Value *> Depends,
                                    uint64_t Bytes, FunctionInfo &FI,
                                    unsigned Depth, std::vector<Read> &Reads);
  std::optional<Walk> walkOfLibrary(const llvm::SCEV *S, uint64_t Bytes,
                                    FunctionInfo &FI);
  std::optional<Walk> walkAround(const llvm::CallBase &CB, const llvm::SCEV *S,
                                 const llvm::SCEV *Address,
                                 llvm::ArrayRef<llvm::Value *> Depends,
                                 uint64_t Bytes, FunctionInfo &FI,
                                 unsigned Depth, std::vector<Read> &Reads);

public:
  Walks(const Inventory &Inv, const Objects &Obj, const CallGraph &Graph,
        const HoistedLoads &Loads, const Sameness &Same, const Rereads &Repeats,
        LoopGuards &Guards, Formulas &Forms, FunctionTable &Functions,
        IndexTable &Indices, const SiteOwners &Owners)
      : Inv(Inv), Obj(Obj), Graph(Graph), Loads(Loads), Same(Same),
        Repeats(Repeats), Guards(Guards), Forms(Forms), Functions(Functions),
        Indices(Indices), Owners(Owners) {}

  Walk walk(Access &A, FunctionInfo &FI);
  CountRef reuse(const Walk &W, const Times &T);
  CountRef run(const Walk &W, const Times &T, FunctionInfo &FI);
  /// What the start of the runs of \p A tells: rows, and jumps between blocks,
  /// which may change its class.
  void noteStarts(Access &A, FunctionInfo &FI);
  /// For the accesses of one function.
  void findStencils(FunctionInfo &FI, std::vector<Access> &Accesses);
  void moveWithCallers(FunctionInfo &FI, std::vector<Access> &Accesses);
};

} // namespace evenkeel

#endif
