//===- Sampling.cpp - record sampled accesses -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes, for an access to address a:
//   c = a + shift                  canonical; the shift is computed once per
//                                  object
//   ((c >> 16) * golden - (c >> 12 << 60) >> 52 ^ c) & 0xfc0 == 0
//                                  ->  call the recorder
// In a burst (runtime/record/tasks/Burst.h) the mask is 0, so all accesses call
// it.
// Accesses of one block at constant distances, a line's length at most apart,
// share one test of the lines they span. Memory intrinsics are tested for a
// sampled line in their range.
//===----------------------------------------------------------------------===//
#include "record/samples/Sampling.h"
#include "format/ek_sizes.h"
#include "record/samples/Cost.h"
#include "record/samples/Scouts.h"
#include "unit/Calls.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace evenkeel {

// runtime/record/caches/Sampling.h and objects/Arena.h.
constexpr uint64_t GoldenRatio = 0x61C8864680B583EBull;
constexpr unsigned LineBits = EK_LINE_SHIFT, PageBits = EK_PAGE_SHIFT;
constexpr uint64_t LineOfPage = 0xfc0; // bits that number a line in its page
constexpr unsigned ArenaShift = 44;    // blocks lie in [2 << 44, 3 << 44)

SampledCode::SampledCode(Module &M, RecordRuntime &RT,
                         const SmallPtrSetImpl<GlobalVariable *> &Own)
    : M(M), RT(RT), Own(Own) {
  Sample = RecordRuntime::declare(M, RecordCall::rec_sample);
  Shift = RecordRuntime::declare(M, RecordCall::rec_shift);
  Loop = RecordRuntime::declare(M, RecordCall::rec_loop);
  LoopOpen = RecordRuntime::declare(M, RecordCall::rec_loop_open);
  LoopAt = RecordRuntime::declare(M, RecordCall::rec_loop_at);
  LoopClose = RecordRuntime::declare(M, RecordCall::rec_loop_close);
  for (FunctionCallee C : {Sample, Shift, LoopAt})
    if (auto *Callee = dyn_cast<Function>(C.getCallee()))
      Callee->addFnAttr(Attribute::Cold);
}

static MDNode *unlikely(Module &M) {
  return MDBuilder(M.getContext()).createBranchWeights(1, 127);
}

void SampledCode::begin(Function &Next) {
  F = &Next;
  Shifts.clear();
  Registers.clear();
  Streams = nullptr;
  Slots = makeRegister("ek.slots");
  Instructions = makeRegister("ek.instructions");
}

/// A variable that becomes a register; 0 at the function's entry.
AllocaInst *SampledCode::makeRegister(const char *Name) {
  IRBuilder<> B(&F->getEntryBlock(), F->getEntryBlock().begin());
  AllocaInst *A = B.CreateAlloca(RT.I64, nullptr, Name);
  B.SetInsertPoint(&F->getEntryBlock(),
                   F->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  B.CreateStore(B.getInt64(0), A);
  Registers.push_back(A);
  return A;
}

void SampledCode::addCost(Instruction &Before, uint64_t NumSlots,
                          uint64_t NumInstructions) {
  IRBuilder<> B(&Before);
  for (auto [Where, N] :
       {std::pair(Slots, NumSlots), std::pair(Instructions, NumInstructions)})
    if (N)
      B.CreateStore(B.CreateAdd(B.CreateLoad(RT.I64, Where), B.getInt64(N)),
                    Where);
}

/// Adds the values in the registers to the thread's counters.
void SampledCode::reportCosts(IRBuilder<> &B) {
  RT.addCost(B, B.CreateLoad(RT.I64, Slots),
             B.CreateLoad(RT.I64, Instructions));
  B.CreateStore(B.getInt64(0), Slots);
  B.CreateStore(B.getInt64(0), Instructions);
}

/// The shift that makes addresses of \p Address' object canonical. It is
/// computed at the definition of the object's pointer, so loops need not
/// recompute it.
Value *SampledCode::shiftOf(Value *Address) {
  Value *Object = getUnderlyingObject(Address, /*MaxLookup=*/0);
  if (Value *Known = Shifts.lookup(Object))
    return Known;
  auto *G = dyn_cast<GlobalVariable>(Object);
  std::optional<BasicBlock::iterator> At;
  if (auto *I = dyn_cast<Instruction>(Object))
    At = I->getInsertionPointAfterDef();
  else
    At = F->getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  if (!At || !Object->getType()->isPointerTy())
    return ConstantInt::get(RT.I64, 0);
  IRBuilder<> B((*At)->getParent(), *At);
  if (G && Own.count(G)) {
    if (!OwnShift)
      OwnShift =
          new GlobalVariable(M, RT.I64, false, GlobalValue::InternalLinkage,
                             B.getInt64(0), "ek.rec.shift");
    return Shifts[Object] = B.CreateLoad(RT.I64, OwnShift);
  }
  BasicBlock *Before = B.GetInsertBlock();
  Value *Elsewhere =
      B.CreateICmpNE(B.CreateLShr(B.CreatePtrToInt(Object, RT.I64), ArenaShift),
                     B.getInt64(2));
  Instruction *After = &**At;
  Instruction *Then =
      SplitBlockAndInsertIfThen(Elsewhere, After, false, unlikely(M));
  B.SetInsertPoint(Then);
  Value *Asked = B.CreateCall(Shift, {Object});
  B.SetInsertPoint(After->getParent(), After->getParent()->begin());
  PHINode *Phi = B.CreatePHI(RT.I64, 2);
  Phi->addIncoming(B.getInt64(0), Before);
  Phi->addIncoming(Asked, Then->getParent());
  return Shifts[Object] = Phi;
}

Value *SampledCode::canonical(IRBuilder<> &B, Value *Address, uint64_t Offset) {
  Value *C = B.CreateAdd(B.CreatePtrToInt(Address, RT.I64), shiftOf(Address));
  return Offset ? B.CreateAdd(C, B.getInt64(Offset)) : C;
}

/// Its upper 6 bits are the number of the sampled line of \p Page.
static Value *placeOf(IRBuilder<> &B, Value *Page) {
  Value *Block = B.CreateMul(B.CreateLShr(Page, 4), B.getInt64(GoldenRatio));
  return B.CreateSub(Block, B.CreateShl(Page, 60));
}

Value *SampledCode::lineIsSampled(IRBuilder<> &B, Value *Canonical) {
  Value *Place = placeOf(B, B.CreateLShr(Canonical, PageBits));
  Value *Differs = B.CreateXor(B.CreateLShr(Place, 64 - PageBits), Canonical);
  Differs = B.CreateAnd(Differs, B.getInt64(LineOfPage));
  return B.CreateICmpEQ(B.CreateAnd(Differs, RT.followed(B)), B.getInt64(0));
}

/// May be true for a range without a sampled line if it spans pages.
Value *SampledCode::rangeIsSampled(IRBuilder<> &B, Value *First, Value *Last) {
  Value *Page = B.CreateLShr(First, PageBits);
  // Number lines within the first page: a full line number would need a
  // two-word shift, which is slow on some processors.
  Value *Line = B.CreateLShr(placeOf(B, Page), 64 - PageBits + LineBits);
  Value *FirstLine = B.CreateLShr(First, LineBits);
  Value *Lines = B.CreateSub(B.CreateLShr(Last, LineBits), FirstLine);
  Value *InPage =
      B.CreateAnd(FirstLine, B.getInt64((1 << (PageBits - LineBits)) - 1));
  Value *Ahead = B.CreateAnd(B.CreateSub(Line, InPage), RT.followed(B));
  Value *Within = B.CreateICmpULE(Ahead, Lines);
  Value *Spans = B.CreateICmpNE(B.CreateLShr(Last, PageBits), Page);
  return B.CreateOr(Within, Spans);
}

namespace {

/// An address as a sum: addresses with equal variable parts are at constant
/// distances.
struct Sum {
  const Value *Base;
  MapVector<Value *, APInt> Variable; // with factors
  int64_t Offset;

  Sum(const Value *Address, const DataLayout &DL) {
    unsigned Bits = DL.getIndexTypeSizeInBits(Address->getType());
    APInt Constant(Bits, 0);
    for (Base = Address; auto *GEP = dyn_cast<GEPOperator>(Base);
         Base = GEP->getPointerOperand())
      if (!GEP->collectOffset(DL, Bits, Variable, Constant))
        break;
    Offset = Constant.getSExtValue();
  }
  bool isBeside(const Sum &O) const {
    return Base == O.Base && Variable.size() == O.Variable.size() &&
           all_of(Variable, [&](const auto &Part) {
             auto It = O.Variable.find(Part.first);
             return It != O.Variable.end() && It->second == Part.second;
           });
  }
};

} // namespace

int64_t SampledCode::distance(const RecordedAccess &A,
                              const RecordedAccess &From) const {
  const DataLayout &DL = M.getDataLayout();
  return A.Address == From.Address
             ? 0
             : Sum(A.Address, DL).Offset - Sum(From.Address, DL).Offset;
}

/// Reports \p Group to the recorder, which follows the sampled lines among its
/// lines.
void SampledCode::report(ArrayRef<RecordedAccess> Group, Instruction *Before) {
  const RecordedAccess &One = Group.front();
  IRBuilder<> B(Before);
  reportCosts(B);
  if (One.Iteration)
    B.CreateCall(LoopAt, {B.CreateLoad(RT.I64, One.Iteration)});
  for (const RecordedAccess &A : Group) {
    if (A.Length) {
      B.CreateCall(RT.Range, {A.Address, B.CreateZExtOrTrunc(A.Length, RT.I64),
                              B.getInt64(A.Info)});
      continue;
    }
    // The addresses of the other accesses may be computed later in the block.
    Value *Where = One.Address;
    if (int64_t D = distance(A, One))
      Where = B.CreateGEP(B.getInt8Ty(), Where, B.getInt64(D));
    if (A.InPlaceOf) // races are reported by source line
      B.SetCurrentDebugLocation(A.InPlaceOf->getDebugLoc());
    B.CreateCall(Sample, {Where, B.getInt64(A.Info)});
  }
}

void SampledCode::insert(ArrayRef<RecordedAccess> Group) {
  const RecordedAccess &One = Group.front();
  Instruction *At = One.I;
  // An atomic update does not start before all branches before it are decided.
  // After it, the test costs nothing, because it runs while the update waits
  // for its line.
  if (isa<AtomicRMWInst>(At) && Group.size() == 1 && !ordersOthers(*At))
    At = At->getNextNode();
  if (One.Rarely)
    return report(Group, At);
  // Computing a shift may split the current block.
  for (const RecordedAccess &A : Group)
    shiftOf(A.Address);
  IRBuilder<> B(At);
  auto Distance = [&](const RecordedAccess &A) { return distance(A, One); };
  int64_t Low = 0, High = std::max<int64_t>(One.Bytes, 1) - 1;
  bool Single = One.WithinLine;
  for (const RecordedAccess &A : Group.drop_front()) {
    int64_t Here = Distance(A);
    Single &= A.WithinLine && !Here && A.Bytes == One.Bytes;
    Low = std::min(Low, Here);
    High = std::max<int64_t>(High, Here + std::max<int64_t>(A.Bytes, 1) - 1);
  }
  Value *Taken, *Length = nullptr;
  if (One.InPlaceOf)
    B.CreateIntrinsic(
        Intrinsic::prefetch, {One.Address->getType()},
        {One.Address, B.getInt32(0), B.getInt32(3), B.getInt32(1)});
  if (One.Length) {
    Length = B.CreateZExtOrTrunc(One.Length, RT.I64);
    Value *First = canonical(B, One.Address, 0);
    Value *Last = B.CreateAdd(First, B.CreateSub(Length, B.getInt64(1)));
    Taken = B.CreateAnd(B.CreateICmpNE(Length, B.getInt64(0)),
                        rangeIsSampled(B, First, Last));
  } else if (Single) {
    Taken = lineIsSampled(B, canonical(B, One.Address, 0));
  } else {
    Taken = rangeIsSampled(B, canonical(B, One.Address, Low),
                           canonical(B, One.Address, High));
  }
  report(Group, SplitBlockAndInsertIfThen(Taken, At, false, unlikely(M)));
}

/// For a range that passed the first test: true if it contains a sampled line,
/// or spans more than two pages. Rarely executed.
Value *SampledCode::rangeIsReallySampled(IRBuilder<> &B, Value *First,
                                         Value *Last) {
  auto Line = [&](Value *Page) { // of the sampled line in its page
    return B.CreateOr(B.CreateShl(Page, PageBits - LineBits),
                      B.CreateLShr(placeOf(B, Page), 64 - PageBits + LineBits));
  };
  Value *FirstLine = B.CreateLShr(First, LineBits);
  Value *LastLine = B.CreateLShr(Last, LineBits);
  Value *FirstPage = B.CreateLShr(First, PageBits);
  Value *LastPage = B.CreateLShr(Last, PageBits);
  Value *InFirst = Line(FirstPage), *InLast = Line(LastPage);
  Value *Followed = RT.followed(B);
  auto Within = [&](Value *Sampled) {
    return B.CreateICmpULE(
        B.CreateAnd(B.CreateSub(Sampled, FirstLine), Followed),
        B.CreateSub(LastLine, FirstLine));
  };
  Value *Long =
      B.CreateICmpUGT(B.CreateSub(LastPage, FirstPage), B.getInt64(1));
  return B.CreateOr(B.CreateOr(Within(InFirst), Within(InLast)), Long);
}

/// Whether any stream of the loop may touch a sampled line. \p Really: in the
/// code where the shorter test has already succeeded.
Value *SampledCode::anySampled(IRBuilder<> &B, const DescribedLoop &D,
                               bool Really) {
  Value *Taken = nullptr;
  SmallVector<std::pair<int64_t, int64_t>, 8> Spans; // of each group
  for (const LoopStream &S : D.Streams) {
    int64_t End = S.Offset + std::max<int64_t>(int64_t(S.Bytes), 1) - 1;
    if (S.Group == Spans.size())
      Spans.push_back({0, 0});
    auto &[Low, High] = Spans[S.Group];
    Low = std::min(Low, S.Offset);
    High = std::max(High, End);
  }
  unsigned Group = 0;
  for (const LoopStream &S : D.Streams) {
    if (S.Group != Group)
      continue;
    Value *First = canonical(B, S.Start, 0);
    Value *Way = B.CreateMul(S.Step, B.CreateSub(D.Trips, B.getInt64(1)));
    Value *Back = B.CreateICmpSLT(S.Step, B.getInt64(0));
    Value *Zero = B.getInt64(0);
    Value *Low = B.CreateAdd(First, B.CreateSelect(Back, Way, Zero));
    Value *High = B.CreateAdd(First, B.CreateSelect(Back, Zero, Way));
    Low = B.CreateAdd(Low, B.getInt64(Spans[Group].first));
    High = B.CreateAdd(High, B.getInt64(Spans[Group].second));
    Value *One = Really ? rangeIsReallySampled(B, Low, High)
                        : rangeIsSampled(B, Low, High);
    Taken = Taken ? B.CreateOr(Taken, One) : One;
    ++Group;
  }
  return Taken;
}

void SampledCode::storeStreams(IRBuilder<> &B, const DescribedLoop &D) {
  // ek_rec_stream of record_abi.h
  auto *Row = ArrayType::get(RT.I64, 3);
  if (!Streams) {
    IRBuilder<> Entry(&F->getEntryBlock(), F->getEntryBlock().begin());
    Streams = Entry.CreateAlloca(ArrayType::get(Row, MaxStreams), nullptr,
                                 "ek.streams");
  }
  unsigned N = 0;
  for (const LoopStream &S : D.Streams) {
    Value *Fields[] = {B.CreatePtrToInt(S.Start, RT.I64), S.Step,
                       B.getInt64(S.Info)};
    for (Value *Field : Fields)
      B.CreateStore(Field, B.CreateConstInBoundsGEP1_64(RT.I64, Streams, N++));
  }
}

/// Reports the loop where it is entered, at once or iteration by iteration.
void SampledCode::openLoop(IRBuilder<> &B, const DescribedLoop &D) {
  reportCosts(B);
  storeStreams(B, D);
  B.CreateCall(D.Whole ? Loop : LoopOpen,
               {Streams, B.getInt64(D.Streams.size()), D.Trips,
                B.getInt64(D.Slots << 32 | D.Instructions)});
}

/// Adds the costs of all iterations.
void SampledCode::pay(IRBuilder<> &B, const DescribedLoop &D) {
  for (auto [Where, Cost] :
       {std::pair(Slots, D.Slots), std::pair(Instructions, D.Instructions)})
    B.CreateStore(B.CreateAdd(B.CreateLoad(RT.I64, Where),
                              B.CreateMul(D.Trips, B.getInt64(Cost))),
                  Where);
}

void SampledCode::insertLoop(DescribedLoop &D) {
  for (const LoopStream &S : D.Streams) // may split the current block
    shiftOf(S.Start);
  IRBuilder<> B(D.Before);
  if (D.Streams.empty()) { // none of them accesses an object
    if (!D.Whole)
      B.SetInsertPoint(D.Exit, D.Exit->getFirstInsertionPt());
    return pay(B, D);
  }
  AllocaInst *Open = nullptr;
  if (!D.Whole) {
    Open = makeRegister("ek.open");
    D.Iteration = makeRegister("ek.iteration");
    B.CreateStore(B.getInt64(0), Open);
    B.CreateStore(B.getInt64(0), D.Iteration);
  }
  Instruction *Then =
      SplitBlockAndInsertIfThen(anySampled(B, D), D.Before, false, unlikely(M));
  B.SetInsertPoint(Then);
  // Many short ranges span two pages without a sampled line. If accesses keep
  // their own tests, the recorder follows the iterations anyway.
  if (D.Whole)
    Then = SplitBlockAndInsertIfThen(anySampled(B, D, /*Really=*/true), Then,
                                     /*Unreachable=*/false);
  B.SetInsertPoint(Then);
  openLoop(B, D);
  if (D.Whole) {
    B.SetInsertPoint(D.Before);
    return pay(B, D);
  }
  B.CreateStore(B.getInt64(1), Open);
  B.SetInsertPoint(D.Latch->getTerminator());
  B.CreateStore(B.CreateAdd(B.CreateLoad(RT.I64, D.Iteration), B.getInt64(1)),
                D.Iteration);
  BasicBlock::iterator At = D.Exit->getFirstInsertionPt();
  B.SetInsertPoint(D.Exit, At);
  Value *Still = B.CreateICmpNE(B.CreateLoad(RT.I64, Open), B.getInt64(0));
  Instruction *Close =
      SplitBlockAndInsertIfThen(Still, &*At, /*Unreachable=*/false);
  B.SetInsertPoint(Close);
  reportCosts(B);
  B.CreateCall(LoopClose, {});
  B.SetInsertPoint(&*At);
  pay(B, D);
}

bool SampledCode::insertStrips(DescribedLoop &D,
                               ArrayRef<RecordedAccess> Rest) {
  std::unique_ptr<Scout> S = makeStrips(D, Rest);
  if (!S)
    return false;
  for (const LoopStream &Walk : D.Streams)
    shiftOf(Walk.Start);
  IRBuilder<> B(D.Before);
  openLoop(B, D);
  AllocaInst *Iteration = makeRegister("ek.iteration");
  B.SetInsertPoint(S->End);
  B.CreateStore(S->Iteration, Iteration);
  SmallVector<RecordedAccess, 8> Reported(Rest);
  for (RecordedAccess &A : Reported) {
    A.InPlaceOf = A.I;
    A.I = S->End;
    if (auto It = S->Here.find(A.Address); It != S->Here.end())
      A.Address = It->second;
    A.Iteration = Iteration;
  }
  insertAccesses(Reported);
  B.SetInsertPoint(D.Exit, D.Exit->getFirstInsertionPt());
  reportCosts(B);
  B.CreateCall(LoopClose, {});
  pay(B, D);
  return true;
}

void SampledCode::insertAccesses(ArrayRef<RecordedAccess> Accesses) {
  const DataLayout &DL = M.getDataLayout();
  constexpr int64_t LineBytes = EK_LINE;
  struct Open {
    std::optional<Sum> Where;
    int64_t Low, High;
    SmallVector<RecordedAccess, 8> Members;
  };
  SmallVector<Open, 16> Groups;
  const BasicBlock *Block = nullptr;
  const Instruction *Last = nullptr;
  auto Close = [&] {
    for (Open &G : Groups)
      insert(G.Members);
    Groups.clear();
  };
  // Splitting preserves the order of instructions, but not their blocks.
  SmallVector<std::pair<const BasicBlock *, bool>, 32> Where;
  for (const RecordedAccess &A : Accesses) {
    bool Breaks = Last && Last->getParent() == A.I->getParent() &&
                  std::any_of(Last->getIterator(),
                              BasicBlock::const_iterator(A.I->getIterator()),
                              [](const auto &I) { return leavesCode(I); });
    Where.push_back({A.I->getParent(), Breaks});
    Last = A.I;
  }
  for (auto [A, At] : zip(Accesses, Where)) {
    if (At.first != Block || At.second)
      Close();
    Block = At.first;
    if (A.Length) {
      Groups.push_back({std::nullopt, 0, 0, {A}});
      continue;
    }
    Sum Where(A.Address, DL);
    int64_t Low = Where.Offset, High = Low + int64_t(A.Bytes);
    auto It = find_if(Groups, [&](const Open &G) {
      return G.Where && G.Where->isBeside(Where) &&
             std::max(G.High, High) - std::min(G.Low, Low) <= LineBytes;
    });
    if (It == Groups.end()) {
      Groups.push_back({std::move(Where), Low, High, {A}});
      continue;
    }
    It->Low = std::min(It->Low, Low);
    It->High = std::max(It->High, High);
    It->Members.push_back(A);
  }
  Close();
}

void SampledCode::end() {
  SmallVector<Instruction *, 16> Before;
  for (BasicBlock &BB : *F)
    for (Instruction &I : BB)
      if (isa<ReturnInst, ResumeInst>(I) || (leavesCode(I) && !isMathCall(I)))
        Before.push_back(&I);
  for (Instruction *I : Before) {
    auto *CB = dyn_cast<CallBase>(I);
    Function *Callee = CB ? calleeOf(*CB) : nullptr;
    if (Callee && Callee->getName().starts_with("__ek_rec_"))
      continue;
    // Nothing may be inserted between a musttail call and its return.
    if (isa<ReturnInst>(I) && I->getParent()->getTerminatingMustTailCall())
      continue;
    IRBuilder<> B(I);
    reportCosts(B);
  }
  DominatorTree DT(*F);
  PromoteMemToReg(Registers, DT);
  F = nullptr;
}

void SampledCode::setShift(IRBuilder<> &B, GlobalVariable *Array) {
  if (OwnShift)
    B.CreateStore(B.CreateCall(Shift, {Array}), OwnShift);
}

} // namespace evenkeel
