//===- Full.cpp - record all accesses in instrumented code ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes, for accesses without another report in between:
//   a load, and a store to the same place     one access that does both
//   neighbours, one after the other           one call if they share a line
// In innermost loops, an access that may touch the same line several times is
// counted in place, and reported when the line changes or the loop ends.
// Repeated accesses would hit in the first-level cache; only that cache's order
// of use then becomes the order of first uses. Look-ups of rows are reported
// besides (RowCalls.h).
//===----------------------------------------------------------------------===//
#include "record/Full.h"
#include "unit/Calls.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace evenkeel {

constexpr uint64_t ReadWrite = RecordRead | RecordWrite;

FullCode::FullCode(Module &M, RecordRuntime &RT) : RT(RT) {
  Line = RecordRuntime::declare(M, RecordCall::rec_line);
  Next = RecordRuntime::declare(M, RecordCall::rec_next);
  Repeat = RecordRuntime::declare(M, RecordCall::rec_repeat);
  Row = RecordRuntime::declare(M, RecordCall::rec_row);
}

/// A load or store of an object, within one line.
static bool isPlain(const RecordedAccess &A) {
  return A.WithinLine && (isa<LoadInst>(A.I) || isa<StoreInst>(A.I)) &&
         !(A.Info & (RecordUncounted | RecordAtomic | RecordOrders));
}

/// Whether only code of \p A and \p B, from one source line, lies between them.
static bool follows(const Instruction &A, const Instruction &B) {
  if (A.getParent() != B.getParent())
    return false;
  for (const Instruction *I = &A; I != &B; I = I->getNextNode())
    if (leavesCode(*I))
      return false;
  const DebugLoc &X = A.getDebugLoc(), &Y = B.getDebugLoc();
  return X == Y ||
         (X && Y && X.getLine() == Y.getLine() &&
          X->getScope()->getSubprogram() == Y->getScope()->getSubprogram() &&
          X.getInlinedAt() == Y.getInlinedAt());
}

/// The innermost loop in which the access may touch the same line again, and in
/// which no other code may end the task.
Loop *FullCode::countingLoop(const RecordedAccess &A, LoopInfo &LI,
                             ScalarEvolution &SE) const {
  if (!A.Walks || !A.WithinLine || A.Info & (RecordAtomic | RecordOrders) ||
      !(isa<LoadInst>(A.I) || isa<StoreInst>(A.I)))
    return nullptr;
  Loop *L = LI.getLoopFor(A.I->getParent());
  if (!L || !L->isInnermost())
    return nullptr;
  if (auto *Way = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(A.Address));
      Way && Way->getLoop() == L)
    if (auto *Step = dyn_cast<SCEVConstant>(Way->getStepRecurrence(SE));
        Step && Step->getAPInt().abs().uge(LineBytes))
      return nullptr;
  for (BasicBlock *BB : L->blocks())
    for (Instruction &I : *BB) {
      auto *CB = dyn_cast<CallBase>(&I);
      Function *Callee = CB ? calleeOf(*CB) : nullptr;
      if (leavesCode(I) &&
          !(Callee && Callee->getName().starts_with("__ek_rec_")))
        return nullptr;
    }
  return L;
}

void FullCode::sort(ArrayRef<RecordedAccess> Accesses, DominatorTree &DT,
                    LoopInfo &LI, ScalarEvolution &SE) {
  DenseMap<Loop *, bool> CanCount; // by the shape of the loop
  const RecordedAccess *Last = nullptr;
  Reported *Row = nullptr; // that ends with Last
  for (const RecordedAccess &A : Accesses) {
    const RecordedAccess *Before = std::exchange(Last, &A);
    Reported *Open = std::exchange(Row, nullptr);
    const bool Plain = isPlain(A),
               Follows = Plain && Open && Before && isPlain(*Before) &&
                         A.Bytes == Open->Bytes && follows(*Before->I, *A.I);
    if (Follows && Open->Times == 1 && A.Walks == Open->Walks &&
        A.Address == Open->Address && (Open->Info & ReadWrite) == RecordRead &&
        (A.Info & ReadWrite) == RecordWrite) {
      Open->Info |= RecordWrite;
      continue;
    }
    Loop *L = countingLoop(A, LI, SE);
    if (L) {
      auto [It, New] = CanCount.try_emplace(L, false);
      if (New) {
        formDedicatedExitBlocks(L, &DT, &LI, nullptr, /*PreserveLCSSA=*/false);
        Counted &C = Loops[L];
        if (L->hasDedicatedExits())
          L->getUniqueExitBlocks(C.Exits);
        for (BasicBlock *Pred : predecessors(L->getHeader()))
          if (!L->contains(Pred))
            C.Entries.push_back(Pred);
        It->second =
            L->hasDedicatedExits() && none_of(C.Exits, [](BasicBlock *Exit) {
              return Exit->getFirstInsertionPt() == Exit->end();
            });
      }
      if (It->second) {
        auto &Mine = Loops[L].Accesses;
        Mine.push_back({A, 1});
        Row = &Mine.back();
        continue;
      }
    }
    const bool InRow = Open && !Each.empty() && Open == &Each.back();
    if (Follows && InRow && (A.Info & ReadWrite) == (Open->Info & ReadWrite) &&
        (Open->Times + 1) * A.Bytes <= LineBytes) {
      auto *Apart = dyn_cast<SCEVConstant>(
          SE.getMinusSCEV(SE.getSCEV(A.Address), SE.getSCEV(Open->Address)));
      if (Apart && Apart->getAPInt() == Open->Times * A.Bytes) {
        ++Open->Times;
        Row = Open;
        continue;
      }
    }
    Each.push_back({A, 1});
    Row = &Each.back();
  }
}

void FullCode::begin(Function &Next, ArrayRef<RecordedAccess> Accesses) {
  F = &Next;
  TargetLibraryInfoImpl Impl(Triple(F->getParent()->getTargetTriple()));
  TargetLibraryInfo TLI(Impl, F);
  AssumptionCache AC(*F);
  DominatorTree DT(*F);
  LoopInfo LI(DT);
  ScalarEvolution SE(*F, TLI, AC, DT, LI);
  Rows = findRowCalls(Accesses, DT, LI, SE);
  sort(Accesses, DT, LI, SE);
  Loops.remove_if([](auto &Entry) { return Entry.second.Accesses.empty(); });
  SmallPtrSet<BasicBlock *, 16> Reporting;
  for (const Reported &A : Each)
    Reporting.insert(A.I->getParent());
  for (auto &[L, C] : Loops) {
    if (any_of(L->blocks(),
               [&](BasicBlock *BB) { return Reporting.count(BB); }))
      continue;
    C.Slots = makeRegister("ek.slots", C);
    C.Instructions = makeRegister("ek.instructions", C);
    for (BasicBlock *BB : L->blocks())
      Summed[BB] = &C;
  }
}

/// A variable that becomes a register; 0 where the loop is entered.
AllocaInst *FullCode::makeRegister(const char *Name, const Counted &C) {
  IRBuilder<> B(&F->getEntryBlock(), F->getEntryBlock().begin());
  AllocaInst *A = B.CreateAlloca(RT.I64, nullptr, Name);
  for (BasicBlock *Entry : C.Entries) {
    B.SetInsertPoint(Entry->getTerminator());
    B.CreateStore(B.getInt64(0), A);
  }
  Registers.push_back(A);
  return A;
}

void FullCode::addCost(Instruction &Before, uint64_t Slots,
                       uint64_t Instructions) {
  IRBuilder<> B(&Before);
  const Counted *C = Summed.lookup(Before.getParent());
  if (!C)
    return RT.addCost(B, B.getInt64(Slots), B.getInt64(Instructions));
  for (auto [Where, N] :
       {std::pair(C->Slots, Slots), std::pair(C->Instructions, Instructions)})
    if (N)
      B.CreateStore(B.CreateAdd(B.CreateLoad(RT.I64, Where), B.getInt64(N)),
                    Where);
}

/// Adds the values in the registers to the thread's counters.
void FullCode::reportCosts(IRBuilder<> &B, const Counted &C) {
  if (!C.Slots)
    return;
  RT.addCost(B, B.CreateLoad(RT.I64, C.Slots),
             B.CreateLoad(RT.I64, C.Instructions));
  B.CreateStore(B.getInt64(0), C.Slots);
  B.CreateStore(B.getInt64(0), C.Instructions);
}

void FullCode::insert(const Reported &A) {
  IRBuilder<> B(A.I);
  if (A.Length) {
    B.CreateCall(RT.Range, {A.Address, B.CreateZExtOrTrunc(A.Length, RT.I64),
                            B.getInt64(A.Info)});
    return;
  }
  if (!isPlain(A)) {
    B.CreateCall(RT.Access, {A.Address, B.getInt64(A.Info)});
    return;
  }
  auto Tell = [&](IRBuilder<> &B, Value *Address, unsigned Times) {
    B.CreateCall(Line, {Address, B.getInt64(A.Info),
                        B.getInt64(Times * A.Bytes), B.getInt64(Times)});
  };
  if (A.Times == 1)
    return Tell(B, A.Address, 1);
  Value *Low = B.CreatePtrToInt(A.Address, RT.I64);
  Value *High = B.CreateAdd(Low, B.getInt64(A.Times * A.Bytes - 1));
  Value *One = B.CreateICmpULT(B.CreateXor(Low, High), B.getInt64(LineBytes));
  Instruction *Row = nullptr, *Single = nullptr;
  SplitBlockAndInsertIfThenElse(One, A.I, &Row, &Single);
  B.SetInsertPoint(Row);
  B.SetCurrentDebugLocation(A.I->getDebugLoc());
  Tell(B, A.Address, A.Times);
  B.SetInsertPoint(Single);
  B.SetCurrentDebugLocation(A.I->getDebugLoc());
  for (unsigned N = 0; N < A.Times; ++N)
    Tell(B, B.CreateConstGEP1_64(B.getInt8Ty(), A.Address, N * A.Bytes), 1);
}

void FullCode::insert(const Reported &A, const Counted &C) {
  AllocaInst *First = makeRegister("ek.first", C);
  AllocaInst *Last = makeRegister("ek.last", C);
  AllocaInst *Times = makeRegister("ek.times", C);
  IRBuilder<> B(A.I);
  Value *Info = B.getInt64(A.Info);
  auto Pointer = [&](AllocaInst *Slot) {
    return B.CreateIntToPtr(B.CreateLoad(RT.I64, Slot), RT.Ptr);
  };
  for (BasicBlock *Exit : C.Exits) {
    B.SetInsertPoint(Exit, Exit->getFirstInsertionPt());
    B.SetCurrentDebugLocation(A.I->getDebugLoc());
    B.CreateCall(Repeat, {Pointer(First), Info, B.CreateLoad(RT.I64, Times),
                          Pointer(Last)});
  }
  B.SetInsertPoint(A.I);
  Value *Here = B.CreatePtrToInt(A.Address, RT.I64);
  Value *Same = B.CreateICmpULT(B.CreateXor(Here, B.CreateLoad(RT.I64, First)),
                                B.getInt64(LineBytes));
  Instruction *Repeats = nullptr, *Moves = nullptr;
  SplitBlockAndInsertIfThenElse(
      Same, A.I, &Repeats, &Moves,
      MDBuilder(F->getContext()).createBranchWeights(7, 1));
  B.SetInsertPoint(Repeats);
  B.CreateStore(B.CreateAdd(B.CreateLoad(RT.I64, Times), B.getInt64(1)), Times);
  B.CreateStore(Here, Last);
  B.SetInsertPoint(Moves);
  B.SetCurrentDebugLocation(A.I->getDebugLoc());
  reportCosts(B, C);
  B.CreateCall(Next, {Pointer(First), Info, B.CreateLoad(RT.I64, Times),
                      Pointer(Last), A.Address});
  B.CreateStore(Here, First);
  B.CreateStore(B.getInt64(0), Times);
}

void FullCode::end() {
  for (const RowCall &Call : Rows) {
    IRBuilder<> B(Call.Before);
    B.CreateCall(Row, {Call.Base, Call.Address, Call.RowBytes});
  }
  for (auto &[L, C] : Loops) {
    for (const Reported &A : C.Accesses)
      insert(A, C);
    for (BasicBlock *Exit : C.Exits) {
      IRBuilder<> B(Exit, Exit->getFirstInsertionPt());
      reportCosts(B, C);
    }
  }
  for (const Reported &A : Each)
    insert(A);
  DominatorTree DT(*F);
  PromoteMemToReg(Registers, DT);
  Rows.clear();
  Each.clear();
  Loops.clear();
  Summed.clear();
  Registers.clear();
  F = nullptr;
}

} // namespace evenkeel
