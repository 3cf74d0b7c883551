//===- Instrumenter.h - calls inserted into recorded programs ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the state of a module's instrumentation while calls are inserted:
// regions and waits (RegionCalls.cpp), allocations (Replacements.cpp), accesses
// and costs (Record.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_INSTRUMENTER_H
#define EVENKEEL_PASSES_RECORD_INSTRUMENTER_H

#include "access/Rows.h"
#include "record/Mode.h"
#include "record/Runtime.h"
#include "record/bodies/Continuations.h"
#include "record/bodies/SideBodies.h"
#include "record/samples/Cost.h"
#include "record/samples/Sampling.h"
#include "unit/Allocations.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <memory>
#include <optional>
#include <vector>

namespace evenkeel {

class Instrumenter {
  llvm::Module &M;
  const EkAccessResult &R;
  RecordRuntime RT;
  const RecordMode Mode;
  llvm::SmallPtrSet<llvm::GlobalVariable *, 8> OwnArrays; // registered here
  std::optional<SampledCode> Sampling;
  llvm::MapVector<llvm::Function *, bool> Bodies; // outlined function ->
                                                  // whether it is a task
  std::vector<std::unique_ptr<SideBodies>> Beside;
  std::vector<std::unique_ptr<Continuations>> AllContinuations;

  struct PlannedAccess {
    llvm::Instruction *I;
    unsigned After; // instructions from I to the end of its segment
  };
  struct Segment { // straight-line code between calls
    llvm::Instruction *First;
    InstructionCost Cost;
  };

  bool isObject(const llvm::Value *V) const;
  bool tracked(const llvm::Value *Address) const;
  bool raced(const llvm::Value *Address) const;
  uint64_t syncId(llvm::CallBase &CB) const;

  void measure(llvm::Function &F, std::vector<PlannedAccess> &Accesses,
               std::vector<Segment> &Segments);
  void describe(const PlannedAccess &P,
                llvm::SmallVectorImpl<RecordedAccess> &Out) const;
  struct Work;
  llvm::MapVector<llvm::Function *, Work>
  byFunction(llvm::ArrayRef<PlannedAccess> Accesses,
             llvm::ArrayRef<Segment> Segments) const;
  void insertSampled(llvm::ArrayRef<PlannedAccess> Accesses,
                     llvm::ArrayRef<Segment> Segments);
  void insertFull(llvm::ArrayRef<PlannedAccess> Accesses,
                  llvm::ArrayRef<Segment> Segments);
  void insertCounts(llvm::ArrayRef<PlannedAccess> Accesses,
                    llvm::ArrayRef<Segment> Segments);
  void insertWalks(llvm::ArrayRef<PlannedAccess> Accesses);
  void insertRegion(llvm::Function &F, uint64_t Id, bool Task);
  void runsAlone(llvm::Function &F);
  void visitLock(llvm::CallBase &CB, llvm::StringRef Name);
  void visitMpi(llvm::CallBase &CB, llvm::StringRef Name);
  bool callsBody(const llvm::CallBase &CB, bool Down) const;
  void visitCall(llvm::CallBase &CB);
  void redirect(llvm::CallBase &CB, RecordCall Call,
                llvm::ArrayRef<llvm::Value *> Arguments);
  bool redirectAllocation(llvm::CallBase &CB);
  void replaceChosen(llvm::CallBase &CB, const Allocation &Made, uint64_t Site);
  void wrapChosenFrees();
  bool redirectFree(llvm::CallBase &CB);
  void makePlain(llvm::Function &Body);
  void makeSideBodies(llvm::ArrayRef<llvm::Function *> Functions);
  void registerGlobals();
  void moveStackArrays(
      llvm::Function &F,
      llvm::ArrayRef<std::pair<llvm::AllocaInst *, uint64_t>> Arrays);

public:
  Instrumenter(llvm::Module &M, const EkAccessResult &R, RecordMode Mode)
      : M(M), R(R), RT(M), Mode(Mode) {}
  void run();
};

/// Moves the builder to where execution continues after \p CB. False: nowhere.
bool goAfter(llvm::IRBuilder<> &B, llvm::CallBase &CB);

} // namespace evenkeel

#endif
