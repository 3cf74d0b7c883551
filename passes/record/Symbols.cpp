//===- Symbols.cpp - record the values of symbols -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Symbols.h.
//===----------------------------------------------------------------------===//
#include "record/Symbols.h"
#include "access/Rows.h"
#include "record/Runtime.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace evenkeel {

static constexpr const char *Entry = SymbolEntry, *Counter = SymbolCounter;
static constexpr char SymbolsReported[] = "ek.symbols"; // of the module

namespace {

class SymbolReporter {
  Module &M;
  Type *I64;
  FunctionCallee Symbol;
  DenseMap<uint64_t, GlobalVariable *> Places; // by symbol

  void report(IRBuilder<> &B, const SymbolLeaf &L, Value *V, bool Trips);
  void value(const SymbolLeaf &L);
  void blocks(Function &F, ArrayRef<const SymbolLeaf *> Leaves);
  void list();

public:
  explicit SymbolReporter(Module &M)
      : M(M), I64(Type::getInt64Ty(M.getContext())),
        Symbol(RecordRuntime::declare(M, RecordCall::rec_symbol)) {}
  void run(const EkAccessResult &R);
};

} // namespace

void SymbolReporter::report(IRBuilder<> &B, const SymbolLeaf &L, Value *V,
                            bool Trips) {
  GlobalVariable *&Place = Places[L.Id];
  if (!Place)
    Place = new GlobalVariable(M, I64, false, GlobalValue::InternalLinkage,
                               B.getInt64(0), "ek.rec.place");
  const uint64_t Kind =
      (L.PerTask ? RecordPerTask : 0) | (Trips ? RecordTrips : 0);
  CallInst *Call =
      B.CreateCall(Symbol, {B.getInt64(L.Id), V, B.getInt64(Kind), Place});
  // The call touches no memory of the program, so passes that run before it is
  // inlined can ignore it.
  Call->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  for (Attribute::AttrKind K : {Attribute::NoUnwind, Attribute::WillReturn})
    Call->addFnAttr(K);
}

void SymbolReporter::value(const SymbolLeaf &L) {
  if (auto *Mem = dyn_cast<MemIntrinsic>(L.V)) {
    IRBuilder<> B(Mem);
    Value *Bytes = B.CreateZExtOrTrunc(Mem->getLength(), I64);
    Value *At = L.OfSource ? cast<MemTransferInst>(Mem)->getRawSource()
                           : Mem->getRawDest();
    Value *Skip =
        B.CreateAnd(B.CreatePtrToInt(At, I64), B.getInt64(LineBytes - 1));
    Value *Lines = B.CreateLShr(
        B.CreateAdd(B.CreateAdd(Bytes, Skip), B.getInt64(LineBytes - 1)),
        Log2_64(LineBytes));
    Value *None = B.CreateICmpEQ(Bytes, B.getInt64(0));
    return report(B, L, B.CreateSelect(None, Bytes, Lines), true);
  }
  if (!L.V->getType()->isIntegerTy())
    return;
  std::optional<BasicBlock::iterator> At;
  if (auto *I = dyn_cast<Instruction>(L.V))
    At = I->getInsertionPointAfterDef();
  else
    At = L.F->getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  if (!At)
    return;
  IRBuilder<> B((*At)->getParent(), *At);
  report(B, L,
         L.Signed ? B.CreateSExtOrTrunc(L.V, I64)
                  : B.CreateZExtOrTrunc(L.V, I64),
         false);
}

/// Counts executions of blocks. Inside a loop, the count is kept in a register
/// and reported when the loop ends (for a header its own loop, otherwise the
/// outermost); it is reported at once if calls may leave the loop.
void SymbolReporter::blocks(Function &F, ArrayRef<const SymbolLeaf *> Leaves) {
  DominatorTree DT(F);
  LoopInfo LI(DT);
  SmallVector<AllocaInst *, 4> Counters;
  MDNode *Mark = MDNode::get(M.getContext(), {});
  for (const SymbolLeaf *Leaf : Leaves) {
    Loop *L = LI.getLoopFor(Leaf->Block);
    if (L && L->getHeader() != Leaf->Block)
      L = L->getOutermostLoop();
    IRBuilder<> B(F.getContext());
    BasicBlock::iterator First =
        Leaf->Block == &F.getEntryBlock()
            ? F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca()
            : Leaf->Block->getFirstInsertionPt();
    if (First == Leaf->Block->end())
      continue; // a catchswitch block holds no other code
    if (!L || Leaf->LeftByCalls) {
      B.SetInsertPoint(Leaf->Block, First);
      report(B, *Leaf, B.getInt64(1), true);
      continue;
    }
    if (!L->hasDedicatedExits())
      formDedicatedExitBlocks(L, &DT, &LI, nullptr, /*PreserveLCSSA=*/false);
    B.SetInsertPoint(&F.getEntryBlock(), F.getEntryBlock().begin());
    AllocaInst *Counted = B.CreateAlloca(I64, nullptr, "ek.trips");
    Counters.push_back(Counted);
    for (BasicBlock *Pred : predecessors(L->getHeader()))
      if (!L->contains(Pred)) {
        B.SetInsertPoint(Pred->getTerminator());
        B.CreateStore(B.getInt64(0), Counted);
      }
    B.SetInsertPoint(Leaf->Block, Leaf->Block->getFirstInsertionPt());
    Value *Next = B.CreateAdd(B.CreateLoad(I64, Counted), B.getInt64(1));
    cast<Instruction>(Next)->setMetadata(Counter, Mark);
    B.CreateStore(Next, Counted);
    SmallVector<BasicBlock *, 4> Exits;
    L->getUniqueExitBlocks(Exits);
    for (BasicBlock *Exit : Exits) {
      BasicBlock::iterator At = Exit->getFirstInsertionPt();
      if (At == Exit->end())
        continue;
      B.SetInsertPoint(Exit, At);
      report(B, *Leaf, B.CreateLoad(I64, Counted), true);
    }
  }
  if (Counters.empty())
    return;
  DominatorTree Fresh(F);
  PromoteMemToReg(Counters, Fresh);
}

void SymbolReporter::run(const EkAccessResult &R) {
  MapVector<Function *, SmallVector<const SymbolLeaf *, 4>> Blocks;
  for (const SymbolLeaf &L : R.Symbols) {
    if (!isRecorded(*L.F))
      continue;
    if (L.Block)
      Blocks[L.F].push_back(&L);
    else
      value(L);
  }
  for (auto &[F, Leaves] : Blocks)
    blocks(*F, Leaves);
  list();
}

/// Lists the reported symbols, including any whose calls are removed or never
/// reached.
void SymbolReporter::list() {
  if (Places.empty())
    return;
  LLVMContext &C = M.getContext();
  SmallVector<uint64_t, 64> Ids;
  for (auto &[Id, Place] : Places)
    Ids.push_back(Id);
  llvm::sort(Ids);
  Constant *Rows = ConstantDataArray::get(C, Ids);
  auto *All =
      new GlobalVariable(M, Rows->getType(), true, GlobalValue::InternalLinkage,
                         Rows, "ek.rec.symbols");
  Type *Void = Type::getVoidTy(C);
  FunctionCallee Know = RecordRuntime::declare(M, RecordCall::rec_symbols);
  Function *Ctor = Function::createWithDefaultAttr(
      FunctionType::get(Void, false), GlobalValue::InternalLinkage,
      M.getDataLayout().getProgramAddressSpace(), "ek.rec.know", &M);
  IRBuilder<> B(ReturnInst::Create(C, BasicBlock::Create(C, "", Ctor)));
  B.CreateCall(Know, {All, B.getInt64(Ids.size())});
  appendToGlobalCtors(M, Ctor, /*Priority=*/101);
}

void reportSymbols(Module &M, const EkAccessResult &R) {
  // Calls of functions that report must not be merged.
  forgetPurity(M);
  SymbolReporter(M).run(R);
  M.getOrInsertNamedMetadata(SymbolsReported);
}

bool reportsSymbols(const Module &M) {
  return M.getNamedMetadata(SymbolsReported);
}

void forgetSymbols(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (!isForSymbol(I))
      continue;
    else if (isa<CallBase>(I))
      I.eraseFromParent();
    else
      I.setMetadata(Counter, nullptr);
}

/// Calls \p Callee through a function of this module with the same arguments.
/// If the target supports it, that function preserves its callers' registers.
static CallInst *callFromHere(Function &Callee, StringRef Name) {
  Module &M = *Callee.getParent();
  LLVMContext &C = M.getContext();
  Function *F = Function::createWithDefaultAttr(
      Callee.getFunctionType(), GlobalValue::InternalLinkage,
      Callee.getAddressSpace(), Name, &M);
  F->addFnAttr(Attribute::NoInline);
  F->setDoesNotThrow();
  const Triple T(M.getTargetTriple());
  if (T.getArch() == Triple::x86_64 || T.isAArch64())
    F->setCallingConv(CallingConv::PreserveMost);
  IRBuilder<> B(ReturnInst::Create(C, BasicBlock::Create(C, "", F)));
  SmallVector<Value *, 4> Arguments;
  for (Argument &A : F->args())
    Arguments.push_back(&A);
  CallInst *Call = B.CreateCall(&Callee, Arguments);
  Call->setCallingConv(Callee.getCallingConv());
  return Call;
}

/// The calls of \p Symbol that are inlined: calls in loops, and one in a
/// function that all other calls share. A shared function is small and saves
/// few registers, because the slow path, taken once per task, is a separate
/// function.
static SmallVector<CallInst *, 32> ownCalls(Function &Symbol) {
  MapVector<Function *, SmallVector<CallInst *, 8>> Calls;
  for (User *U : Symbol.users())
    if (auto *Call = dyn_cast<CallInst>(U))
      Calls[Call->getFunction()].push_back(Call);
  SmallVector<CallInst *, 32> Own;
  CallInst *Shared = nullptr;
  for (auto &[F, Mine] : Calls) {
    const DominatorTree DT(*F);
    const LoopInfo LI(DT);
    for (CallInst *Call : Mine) {
      if (LI.getLoopFor(Call->getParent())) {
        Own.push_back(Call);
        continue;
      }
      if (!Shared) {
        CallInst *First = callFromHere(Symbol, "ek.rec.first");
        First->getFunction()->addFnAttr(Attribute::Cold);
        Shared = callFromHere(*First->getFunction(), "ek.rec.tell");
        Own.push_back(Shared);
      }
      Call->setCalledFunction(Shared->getFunction());
      Call->setCallingConv(Shared->getFunction()->getCallingConv());
      Call->removeFnAttr(Attribute::Memory);
    }
  }
  return Own;
}

/// Inlines __ek_rec_symbol before \p Call, which remains for symbols that the
/// task has not reported yet.
static void inlineSymbol(CallInst &Call, GlobalVariable &Tls) {
  LLVMContext &C = Call.getContext();
  Type *I64 = Type::getInt64Ty(C), *Ptr = PointerType::getUnqual(C);
  auto *Cell = StructType::get(
      C, {I64, I64, I64, I64, Type::getDoubleTy(C), I64}); // ek_rec_cell
  enum { Times, Last, Min, Max, Sum, Since };
  Call.removeFnAttr(Attribute::Memory); // it writes through its argument
  Value *V = Call.getArgOperand(1);
  IRBuilder<> B(&Call);
  Value *Head = B.CreateConstInBoundsGEP2_32(
      Tls.getValueType(), B.CreateThreadLocalAddress(&Tls), 0, 2);
  Value *At = B.CreateInBoundsGEP(B.getInt8Ty(), B.CreateLoad(Ptr, Head),
                                  B.CreateLoad(I64, Call.getArgOperand(3)));
  auto Field = [&](unsigned N) { return B.CreateStructGEP(Cell, At, N); };
  Value *N = B.CreateLoad(I64, Field(Times));
  Instruction *Then, *Else;
  SplitBlockAndInsertIfThenElse(B.CreateICmpEQ(N, B.getInt64(0)), &Call, &Then,
                                &Else,
                                MDBuilder(C).createBranchWeights(1, 1000));
  Call.moveBefore(Then);
  B.SetInsertPoint(Else);
  B.CreateStore(B.CreateAdd(N, B.getInt64(1)), Field(Times));
  Value *Old = B.CreateLoad(I64, Field(Last));
  Instruction *Other =
      SplitBlockAndInsertIfThen(B.CreateICmpNE(Old, V), Else, false);
  B.SetInsertPoint(Other);
  Type *Double = B.getDoubleTy();
  Value *Run = B.CreateSub(N, B.CreateLoad(I64, Field(Since)));
  Value *OfRun =
      B.CreateFMul(B.CreateSIToFP(Old, Double), B.CreateSIToFP(Run, Double));
  B.CreateStore(B.CreateFAdd(B.CreateLoad(Double, Field(Sum)), OfRun),
                Field(Sum));
  B.CreateStore(N, Field(Since));
  B.CreateStore(V, Field(Last));
  for (auto [Which, Intrinsic] :
       {std::pair(Min, Intrinsic::smin), std::pair(Max, Intrinsic::smax)})
    B.CreateStore(
        B.CreateBinaryIntrinsic(Intrinsic, B.CreateLoad(I64, Field(Which)), V),
        Field(Which));
}

void inlineSymbols(Module &M) {
  Function *Symbol = M.getFunction(Entry);
  if (!Symbol)
    return;
  GlobalVariable *Tls = RecordRuntime(M).Tls;
  for (CallInst *Call : ownCalls(*Symbol))
    inlineSymbol(*Call, *Tls);
}

} // namespace evenkeel
