//===- Counting.cpp - count accesses in instrumented code -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes, for the code of a function between calls that may end the task:
//   a counter of its executions, shared by all code that runs as often, and
//     incremented before the outermost loop whose trip count is known
//   for each pointer from which addresses are computed, one accessed address,
//     by which the object is looked up when the counts are reported
//   for each pointer that changes in a loop, the address range of its last
//     object, so that the object is looked up again when the pointer leaves it
// Counters are variables that become registers.
//===----------------------------------------------------------------------===//
#include "record/Counting.h"
#include "record/samples/Cost.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace evenkeel {
namespace {

struct Accessed {
  uint64_t Reads = 0, Writes = 0;
};

/// Code that runs equally often without a report in between shares one counter.
struct Often {
  Instruction *At;   // where it is incremented
  const SCEV *Times; // by how much; product of loop trip counts
  uint64_t Slots = 0, Instructions = 0;
  MapVector<Value *, Accessed> Of; // by loop-invariant pointer
  AllocaInst *Counter = nullptr;

  Often(Instruction *At, const SCEV *Times) : At(At), Times(Times) {}
};

/// Accesses through a pointer that changes in a loop.
struct Moving {
  Instruction *Begin, *At; // start of the code; where it is counted
  const SCEV *Times;
  Value *Address, *Pointer;
  Accessed N;
  Value *Amount = nullptr; // Times, once expanded or if known
};

class FunctionCounter {
  Function &F;
  RecordRuntime &RT;
  const TaskCalls &Calls;
  FunctionCallee Count, Move;

  TargetLibraryInfoImpl Impl;
  TargetLibraryInfo TLI;
  AssumptionCache AC;
  DominatorTree DT;
  PostDominatorTree PDT;
  LoopInfo LI;
  ScalarEvolution SE;
  SCEVExpander Expander;

  DenseMap<const Loop *, const SCEV *> Trips; // null: not known, or it reports
  SmallVector<Instruction *, 16> Reports;     // instructions before which all
                                              // counts are reported
  DenseMap<const BasicBlock *, bool>
      ReportingBlocks; // blocks with such instructions
  bool AnyReports = false;
  std::vector<std::unique_ptr<Often>> Counters;
  DenseMap<std::pair<Instruction *, const SCEV *>, Often *> CounterAt;
  DenseMap<const Instruction *, Often *> CounterOf; // by the start of its code
  MapVector<Value *, AllocaInst *> Seen;            // an accessed address, by
                                                    // loop-invariant pointer
  std::vector<Moving> Moves;
  struct Range {
    AllocaInst *Low, *Size, *Reads, *Writes;
  };
  MapVector<Value *, Range> Ranges; // by changing pointer
  SmallVector<AllocaInst *, 32> Registers;
  DenseMap<AllocaInst *, Value *> Elsewhere; // its copy in a separate function

  struct Place {
    Instruction *At;
    const SCEV *Times;
    Loop *Out; // the outermost loop before which it is counted
  };

  bool reportsIn(const Loop &L);
  const SCEV *tripsOf(Loop &L);
  Instruction *beginOf(Instruction &I);
  Place placeOf(Instruction &Begin, const Value *Pointer);
  Instruction *leaderOf(Instruction &At);
  Often &often(Instruction &Begin);
  Value *pointerOf(Value *Address);
  bool moves(const Value *Pointer) const;
  AllocaInst *makeRegister(const char *Name);
  void see(const RecordedAccess &A, Value *Pointer, const Place &P);
  void addMoving(const RecordedAccess &A, Value *Pointer, Instruction &Begin,
                 Accessed N);
  Value *linesOf(const RecordedAccess &A) const;
  void add(const RecordedAccess &A);
  Value *add(IRBuilder<> &B, AllocaInst *Register, Value *Amount);
  void count();
  void countMoves();
  Value *storageOf(AllocaInst *Register) const {
    Value *There = Elsewhere.lookup(Register);
    return There ? There : Register;
  }
  Value *load(IRBuilder<> &B, AllocaInst *Register) const {
    return B.CreateLoad(RT.I64, storageOf(Register));
  }
  void report(Instruction &Before);
  void reportOutlined();
  void findReports();

public:
  FunctionCounter(Function &F, RecordRuntime &RT, const TaskCalls &Calls,
                  FunctionCallee Count, FunctionCallee Move)
      : F(F), RT(RT), Calls(Calls), Count(Count), Move(Move),
        Impl(Triple(F.getParent()->getTargetTriple())), TLI(Impl, &F), AC(F),
        DT(F), PDT(F), LI(DT), SE(F, TLI, AC, DT, LI),
        Expander(SE, F.getDataLayout(), "ek") {}
  void run(ArrayRef<RecordedAccess> Accesses, ArrayRef<CodeCost> Costs);
};

} // namespace

/// Whether counts are reported inside \p L.
bool FunctionCounter::reportsIn(const Loop &L) {
  return any_of(L.blocks(), [&](const BasicBlock *BB) {
    return ReportingBlocks.lookup(BB);
  });
}

/// The number of times that the blocks of \p L which dominate its latch run, if
/// it is known before the loop begins.
const SCEV *FunctionCounter::tripsOf(Loop &L) {
  auto [It, New] = Trips.try_emplace(&L, nullptr);
  if (!New)
    return It->second;
  if (!L.isLoopSimplifyForm() || L.getExitingBlock() != L.getLoopLatch() ||
      reportsIn(L))
    return nullptr;
  Type *I64 = RT.I64;
  const SCEV *Taken = SE.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Taken) ||
      SE.getTypeSizeInBits(Taken->getType()) > 64)
    return nullptr;
  // Divisions before an inner loop may cost more than counting inside it.
  if (SCEVExprContains(Taken, [](const SCEV *S) {
        auto *Division = dyn_cast<SCEVUDivExpr>(S);
        return Division && !isa<SCEVConstant>(Division->getRHS());
      }))
    return nullptr;
  const SCEV *All =
      SE.getAddExpr(SE.getNoopOrZeroExtend(Taken, I64), SE.getOne(I64));
  if (!Expander.isSafeToExpandAt(All, L.getLoopPreheader()->getTerminator()))
    return nullptr;
  return Trips[&L] = All;
}

/// The first instruction of the code that contains \p I, back to the last call
/// before which counts are reported.
Instruction *FunctionCounter::beginOf(Instruction &I) {
  BasicBlock &BB = *I.getParent();
  Instruction *First = &BB == &F.getEntryBlock()
                           ? &*BB.getFirstNonPHIOrDbgOrAlloca()
                           : &*BB.getFirstInsertionPt();
  if (ReportingBlocks.lookup(&BB))
    for (Instruction *At = I.getPrevNode(); At; At = At->getPrevNode()) {
      if (Calls.mayEnd(*At))
        return At->getNextNode();
      if (At == First)
        break;
    }
  return First;
}

/// Where to count the code that begins at \p Begin, and by how much: outside
/// the loops whose trip counts are known and in which \p Pointer does not
/// change.
FunctionCounter::Place FunctionCounter::placeOf(Instruction &Begin,
                                                const Value *Pointer) {
  Place P = {&Begin, SE.getOne(RT.I64), nullptr};
  if (ReportingBlocks.lookup(Begin.getParent()))
    return P;
  for (Loop *L = LI.getLoopFor(Begin.getParent()); L; L = L->getParentLoop()) {
    const SCEV *Its = tripsOf(*L);
    if (!Its || (Pointer && !L->isLoopInvariant(Pointer)) ||
        !DT.dominates(P.At->getParent(), L->getLoopLatch()) ||
        !SE.isLoopInvariant(P.Times, L))
      break;
    Instruction *Before = L->getLoopPreheader()->getTerminator();
    const SCEV *All = SE.getMulExpr(P.Times, Its);
    if (!Expander.isSafeToExpandAt(All, Before))
      break;
    P = {Before, All, L};
  }
  return P;
}

/// The first place that runs as often as \p At, without a report in between.
Instruction *FunctionCounter::leaderOf(Instruction &At) {
  BasicBlock *Mine = At.getParent();
  Loop *L = LI.getLoopFor(Mine);
  if (L ? reportsIn(*L) : AnyReports)
    return &At;
  for (const auto &C : Counters) {
    BasicBlock *Its = C->At->getParent();
    if (C->Times->isOne() && LI.getLoopFor(Its) == L &&
        DT.dominates(Its, Mine) && PDT.dominates(Mine, Its))
      return C->At;
  }
  return &At;
}

Often &FunctionCounter::often(Instruction &Begin) {
  Often *&Known = CounterOf[&Begin];
  if (Known)
    return *Known;
  Place P = placeOf(Begin, nullptr);
  if (P.Times->isOne())
    P.At = leaderOf(*P.At);
  Often *&C = CounterAt[{P.At, P.Times}];
  if (!C) {
    Counters.push_back(std::make_unique<Often>(P.At, P.Times));
    C = Counters.back().get();
  }
  return *(Known = C);
}

/// The pointer from which \p Address is computed; it points to the same object,
/// or next to it.
Value *FunctionCounter::pointerOf(Value *Address) {
  if (!SE.isSCEVable(Address->getType()))
    return Address;
  auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(SE.getSCEV(Address)));
  return Base && Base->getType()->isPointerTy() ? Base->getValue() : Address;
}

/// Whether \p Pointer changes in a loop.
bool FunctionCounter::moves(const Value *Pointer) const {
  auto *I = dyn_cast<Instruction>(Pointer);
  return I && LI.getLoopFor(I->getParent());
}

/// A variable that ends up in a register; 0 at the function's entry.
AllocaInst *FunctionCounter::makeRegister(const char *Name) {
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
  AllocaInst *A = B.CreateAlloca(RT.I64, nullptr, Name);
  B.SetInsertPoint(&F.getEntryBlock(),
                   F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  B.CreateStore(B.getInt64(0), A);
  Registers.push_back(A);
  return A;
}

/// Keeps one address that \p A accesses for all accesses through \p Pointer,
/// before the loops if it is known there.
void FunctionCounter::see(const RecordedAccess &A, Value *Pointer,
                          const Place &P) {
  AllocaInst *&Register = Seen[Pointer];
  if (!Register)
    Register = makeRegister("ek.seen");
  const SCEV *First = SE.getSCEV(A.Address);
  Instruction *At = A.I;
  for (Loop *L = P.Out ? LI.getLoopFor(A.I->getParent()) : nullptr; L;
       L = L->getParentLoop()) {
    auto *Walk = dyn_cast<SCEVAddRecExpr>(First);
    const SCEV *Start = Walk && Walk->getLoop() == L ? Walk->getStart() : First;
    Instruction *Before = L->getLoopPreheader()->getTerminator();
    if (!SE.isLoopInvariant(Start, L) ||
        !Expander.isSafeToExpandAt(Start, Before))
      break;
    First = Start;
    At = Before;
    if (L == P.Out)
      break;
  }
  Value *Where = At == A.I
                     ? A.Address
                     : Expander.expandCodeFor(First, A.Address->getType(), At);
  IRBuilder<> B(At);
  B.CreateStore(B.CreatePtrToInt(Where, RT.I64), Register);
}

/// Counts accesses through a pointer that changes in a loop. The first address
/// is used to look up the object, so it must be known where they are counted.
void FunctionCounter::addMoving(const RecordedAccess &A, Value *Pointer,
                                Instruction &Begin, Accessed N) {
  Place P = placeOf(Begin, Pointer);
  const SCEV *First = P.Out ? SE.getSCEV(A.Address) : nullptr;
  for (Loop *L = P.Out ? LI.getLoopFor(A.I->getParent()) : nullptr; L;
       L = L == P.Out ? nullptr : L->getParentLoop())
    if (auto *Walk = dyn_cast<SCEVAddRecExpr>(First);
        Walk && Walk->getLoop() == L)
      First = Walk->getStart();
  if (P.Out && (!SE.isLoopInvariant(First, P.Out) ||
                !Expander.isSafeToExpandAt(First, P.At)))
    P = {&Begin, SE.getOne(RT.I64), nullptr};
  for (Moving &M : Moves)
    if (M.Pointer == Pointer && M.Begin == P.At && M.Times == P.Times) {
      M.N.Reads += N.Reads;
      M.N.Writes += N.Writes;
      return;
    }
  Value *Address =
      P.Out ? Expander.expandCodeFor(First, A.Address->getType(), P.At)
            : A.Address;
  // An atomic update does not start before all branches before it are decided.
  Instruction *Here = isa<AtomicRMWInst>(A.I) ? A.I->getNextNode() : A.I;
  Moves.push_back({P.At, P.Out ? P.At : Here, P.Times, Address, Pointer, N});
}

/// Memory intrinsics count as one access per line in their range.
Value *FunctionCounter::linesOf(const RecordedAccess &A) const {
  IRBuilder<> B(A.I);
  const auto &MI = cast<MemIntrinsic>(*A.I);
  const auto *Copy = dyn_cast<MemTransferInst>(&MI);
  const Align Aligned =
      (Copy && A.Info & RecordRead ? Copy->getSourceAlign() : MI.getDestAlign())
          .valueOrOne();
  auto *Fixed = dyn_cast<ConstantInt>(A.Length);
  if (Fixed && !Fixed->isZero() && Fixed->getZExtValue() <= Aligned.value() &&
      Aligned.value() <= LineBytes)
    return B.getInt64(1);
  Value *Bytes = B.CreateZExtOrTrunc(A.Length, RT.I64);
  Value *Skip = B.CreateAnd(B.CreatePtrToInt(A.Address, RT.I64),
                            B.getInt64(LineBytes - 1));
  Value *Lines = B.CreateLShr(
      B.CreateAdd(B.CreateAdd(Bytes, Skip), B.getInt64(LineBytes - 1)),
      Log2_64(LineBytes));
  if (Fixed && !Fixed->isZero())
    return Lines;
  return B.CreateSelect(B.CreateICmpEQ(Bytes, B.getInt64(0)), Bytes, Lines);
}

void FunctionCounter::add(const RecordedAccess &A) {
  Accessed N{A.Info & RecordRead ? 1u : 0u, A.Info & RecordWrite ? 1u : 0u};
  Instruction *Begin = beginOf(*A.I);
  Value *Pointer = pointerOf(A.Address);
  Value *Lines = A.Length ? linesOf(A) : nullptr;
  if (Lines && !isa<ConstantInt>(Lines)) {
    Moves.push_back({A.I, A.I, nullptr, A.Address, Pointer, N, Lines});
    return;
  }
  if (moves(Pointer))
    return addMoving(A, Pointer, *Begin, N);
  auto [It, New] = often(*Begin).Of.insert({Pointer, {}});
  It->second.Reads += N.Reads;
  It->second.Writes += N.Writes;
  if (New)
    see(A, Pointer, placeOf(*Begin, nullptr));
}

Value *FunctionCounter::add(IRBuilder<> &B, AllocaInst *Register,
                            Value *Amount) {
  return B.CreateStore(B.CreateAdd(B.CreateLoad(RT.I64, Register), Amount),
                       Register);
}

/// Hides \p Amount from scalar evolution. Otherwise later passes express
/// counters of nested loops as polynomials, which takes very long.
static Value *opaque(IRBuilder<> &B, Value *Amount) {
  return isa<Constant>(Amount) ? Amount : B.CreateFreeze(Amount, "ek.times");
}

/// Inserts the increments of the counters.
void FunctionCounter::count() {
  for (auto &C : Counters) {
    C->Counter = makeRegister("ek.count");
    Value *Amount = Expander.expandCodeFor(C->Times, RT.I64, C->At);
    IRBuilder<> B(C->At);
    add(B, C->Counter, opaque(B, Amount));
  }
  for (Moving &M : Moves) {
    if (M.Amount)
      continue;
    Value *Amount = Expander.expandCodeFor(M.Times, RT.I64, M.At);
    IRBuilder<> B(M.At);
    M.Amount = opaque(B, Amount);
  }
}

void FunctionCounter::countMoves() {
  for (const Moving &M : Moves) {
    auto [It, New] = Ranges.insert({M.Pointer, {}});
    Range &R = It->second;
    if (New)
      R = {makeRegister("ek.low"), makeRegister("ek.size"),
           makeRegister("ek.reads"), makeRegister("ek.writes")};
    IRBuilder<> B(M.At);
    Value *Here = B.CreatePtrToInt(M.Address, RT.I64);
    Value *Low = B.CreateLoad(RT.I64, R.Low);
    Value *Left =
        B.CreateICmpUGE(B.CreateSub(Here, Low), B.CreateLoad(RT.I64, R.Size));
    Instruction *Then = SplitBlockAndInsertIfThen(
        Left, M.At, false,
        MDBuilder(F.getContext()).createBranchWeights(1, 127));
    B.SetInsertPoint(Then);
    Value *Now = B.CreateCall(Move, {Here, Low, B.CreateLoad(RT.I64, R.Reads),
                                     B.CreateLoad(RT.I64, R.Writes)});
    B.CreateStore(B.CreateExtractValue(Now, 0), R.Low);
    B.CreateStore(B.CreateExtractValue(Now, 1), R.Size);
    B.CreateStore(B.getInt64(0), R.Reads);
    B.CreateStore(B.getInt64(0), R.Writes);
    B.SetInsertPoint(M.At);
    for (auto [Register, N] :
         {std::pair(R.Reads, M.N.Reads), std::pair(R.Writes, M.N.Writes)})
      if (N)
        add(B, Register, B.CreateMul(M.Amount, B.getInt64(N)));
  }
}

/// Reports the counts since the last report.
void FunctionCounter::report(Instruction &Before) {
  IRBuilder<> B(&Before);
  auto Zero = [&] { return static_cast<Value *>(B.getInt64(0)); };
  auto Sum = [&](Value *&To, Value *Times, uint64_t N) {
    if (N)
      To = B.CreateAdd(To, B.CreateMul(Times, B.getInt64(N)));
  };
  Value *Slots = Zero(), *Instructions = Zero();
  MapVector<Value *, std::pair<Value *, Value *>> Of;
  for (auto &[Pointer, Register] : Seen)
    Of.insert({Pointer, {Zero(), Zero()}});
  for (const auto &C : Counters) {
    Value *Times = load(B, C->Counter);
    Sum(Slots, Times, C->Slots);
    Sum(Instructions, Times, C->Instructions);
    for (auto &[Pointer, N] : C->Of) {
      Sum(Of[Pointer].first, Times, N.Reads);
      Sum(Of[Pointer].second, Times, N.Writes);
    }
    B.CreateStore(B.getInt64(0), storageOf(C->Counter));
  }
  RT.addCost(B, Slots, Instructions);
  auto TellOne = [&](AllocaInst *Where, Value *Reads, Value *Writes) {
    B.SetInsertPoint(&Before);
    Value *Any = B.CreateICmpNE(B.CreateOr(Reads, Writes), B.getInt64(0));
    B.SetInsertPoint(SplitBlockAndInsertIfThen(Any, &Before, false));
    B.CreateCall(Count, {load(B, Where), Reads, Writes});
    B.SetInsertPoint(&Before);
  };
  for (auto &[Pointer, N] : Of)
    TellOne(Seen[Pointer], N.first, N.second);
  for (auto &[Pointer, R] : Ranges) {
    TellOne(R.Low, load(B, R.Reads), load(B, R.Writes));
    for (AllocaInst *Register : {R.Reads, R.Writes, R.Size})
      B.CreateStore(B.getInt64(0), storageOf(Register));
  }
}

/// The same if a function reports in many places: calls a separate function,
/// with the counters in memory.
void FunctionCounter::reportOutlined() {
  LLVMContext &C = F.getContext();
  auto *Row = ArrayType::get(RT.I64, Registers.size());
  Function *Reporter = Function::createWithDefaultAttr(
      FunctionType::get(RT.Void, {RT.Ptr}, false), GlobalValue::InternalLinkage,
      F.getAddressSpace(), "ek.tell", F.getParent());
  Reporter->addFnAttr(Attribute::NoInline);
  Reporter->setDoesNotThrow();
  IRBuilder<> B(BasicBlock::Create(C, "", Reporter));
  for (auto [N, Register] : enumerate(Registers))
    Elsewhere[Register] =
        B.CreateConstInBoundsGEP2_64(Row, Reporter->getArg(0), 0, N);
  report(*B.CreateRetVoid());
  B.SetInsertPoint(&F.getEntryBlock(), F.getEntryBlock().begin());
  AllocaInst *All = B.CreateAlloca(Row, nullptr, "ek.counters");
  B.SetInsertPoint(&F.getEntryBlock(),
                   F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  for (auto [N, Register] : enumerate(Registers)) {
    Register->replaceAllUsesWith(B.CreateConstInBoundsGEP2_64(Row, All, 0, N));
    Register->eraseFromParent();
  }
  for (Instruction *Before : Reports)
    IRBuilder<>(Before).CreateCall(Reporter, {All});
}

/// Finds the instructions before which all counts are reported.
void FunctionCounter::findReports() {
  for (BasicBlock &BB : F) {
    if (CallInst *Last = BB.getTerminatingMustTailCall())
      Reports.push_back(Last);
    else if (isa<ReturnInst, ResumeInst>(BB.getTerminator()))
      Reports.push_back(BB.getTerminator());
    for (Instruction &I : BB)
      if (Calls.mayEnd(I)) {
        ReportingBlocks[&BB] = true;
        if (Reports.empty() || Reports.back() != &I)
          Reports.push_back(&I);
      }
  }
}

void FunctionCounter::run(ArrayRef<RecordedAccess> Accesses,
                          ArrayRef<CodeCost> Costs) {
  findReports();
  AnyReports =
      any_of(F, [&](BasicBlock &BB) { return ReportingBlocks.lookup(&BB); });
  for (const CodeCost &C : Costs) {
    Often &O = often(*beginOf(*C.First));
    O.Slots += C.Slots;
    O.Instructions += C.Instructions;
  }
  for (const RecordedAccess &A : Accesses)
    add(A);
  count();
  countMoves();
  constexpr size_t Most = 32; // lookups in the code of one function
  if (Reports.size() * (Seen.size() + Ranges.size()) > Most)
    return reportOutlined();
  for (Instruction *Before : Reports)
    report(*Before);
  DominatorTree Fresh(F);
  PromoteMemToReg(Registers, Fresh);
}

CountedCode::CountedCode(Module &M, RecordRuntime &RT) : RT(RT), Calls(M) {
  Count = RecordRuntime::declare(M, RecordCall::rec_count);
  Move = RecordRuntime::declare(M, RecordCall::rec_move);
  if (auto *Callee = dyn_cast<Function>(Move.getCallee()))
    Callee->addFnAttr(Attribute::Cold);
}

void CountedCode::insert(Function &F, ArrayRef<RecordedAccess> Accesses,
                         ArrayRef<CodeCost> Costs) {
  FunctionCounter(F, RT, Calls, Count, Move).run(Accesses, Costs);
}

} // namespace evenkeel
