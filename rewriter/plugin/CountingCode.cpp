//===- CountingCode.cpp - code that counts the iterations of loops --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CountingCode.h.
//===----------------------------------------------------------------------===//
#include "CountingCode.h"
#include "CheapCounts.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <map>
#include <tuple>

using namespace llvm;

namespace evenkeel {
namespace {

/// The loops of a unit by place, to find them in the code.
class LoopPlaces {
  std::map<std::tuple<std::string, unsigned, unsigned>, const CountedLoop *> At;

public:
  explicit LoopPlaces(const std::vector<CountedLoop> &Loops) {
    for (const CountedLoop &L : Loops)
      At[{sys::path::filename(L.Spelled).str(), L.Line, L.Column}] = &L;
  }
  /// Null if \p T, the end of a block, does not repeat one of the loops.
  const CountedLoop *repeatedBy(const Instruction &T) const {
    const MDNode *Id = T.getMetadata(LLVMContext::MD_loop);
    if (!Id)
      return nullptr;
    for (const MDOperand &Op : Id->operands())
      if (const auto *Start = dyn_cast<DILocation>(Op)) {
        auto It = At.find({sys::path::filename(Start->getFilename()).str(),
                           Start->getLine(), Start->getColumn()});
        return It == At.end() ? nullptr : It->second;
      }
    return nullptr;
  }
};

/// The successor in \p L of a branch that may leave it; null: it does not, or
/// both successors do.
BasicBlock *stays(const BasicBlock &B, const Loop &L) {
  const auto *Br = dyn_cast<BranchInst>(B.getTerminator());
  if (!Br || !Br->isConditional())
    return nullptr;
  for (unsigned K : {0u, 1u})
    if (L.contains(Br->getSuccessor(K)) && !L.contains(Br->getSuccessor(1 - K)))
      return Br->getSuccessor(K);
  return nullptr;
}

/// The first block of the loop's body, which runs once per iteration; null: no
/// branch of the condition leaves the loop.
BasicBlock *bodyOf(const Loop &L, bool TestsFirst, const DominatorTree &DT) {
  if (!TestsFirst)
    return L.getHeader();
  SmallVector<BasicBlock *, 4> Latches;
  L.getLoopLatches(Latches);
  BasicBlock *Last = Latches.front();
  for (BasicBlock *Latch : Latches)
    Last = DT.findNearestCommonDominator(Last, Latch);
  // A condition of several blocks comes together before its branch, which is
  // the first that leaves the loop on all ways to the next iteration.
  BasicBlock *Body = nullptr;
  for (auto *At = DT.getNode(Last);; At = At->getIDom()) {
    if (BasicBlock *Next = stays(*At->getBlock(), L))
      Body = Next;
    if (At->getBlock() == L.getHeader())
      return Body == L.getHeader() ? nullptr : Body;
  }
}

bool isBarrier(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const Function *F = Call ? Call->getCalledFunction() : nullptr;
  return F &&
         StringSwitch<bool>(F->getName())
             .Cases("__kmpc_barrier", "__kmpc_cancel_barrier", "ek_sync", true)
             .Default(false);
}

/// Counts loops of one function.
class Counters {
  Function &F;
  IntegerType *I64;
  FunctionCallee Total;
  MapVector<const CountedLoop *, AllocaInst *> Of;
  DebugLoc Nowhere;

  void handOver(const CountedLoop &L, AllocaInst *Count, Instruction *Before,
                bool Again);

public:
  explicit Counters(Function &F) : F(F), I64(Type::getInt64Ty(F.getContext())) {
    if (DISubprogram *SP = F.getSubprogram())
      Nowhere = DILocation::get(F.getContext(), 0, 0, SP);
  }
  void count(const CountedLoop &L, BasicBlock &Body);
  /// To be called after all loops are counted.
  void handOver();
};

void Counters::count(const CountedLoop &L, BasicBlock &Body) {
  AllocaInst *&Count = Of[&L];
  if (!Count) {
    IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
    Count = B.CreateAlloca(I64, nullptr, "ek.total");
    B.SetInsertPoint(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    B.CreateStore(B.getInt64(0), Count);
  }
  IRBuilder<> B(&Body, Body.getFirstInsertionPt());
  B.SetCurrentDebugLocation(Nowhere);
  B.CreateStore(B.CreateAdd(B.CreateLoad(I64, Count), B.getInt64(1)), Count);
}

/// \p Again: more may be counted afterwards, and nothing counted is no news.
void Counters::handOver(const CountedLoop &L, AllocaInst *Count,
                        Instruction *Before, bool Again) {
  IRBuilder<> B(Before);
  B.SetCurrentDebugLocation(Nowhere);
  Value *So = B.CreateLoad(I64, Count);
  if (Again) {
    Before = SplitBlockAndInsertIfThen(B.CreateICmpNE(So, B.getInt64(0)),
                                       Before->getIterator(),
                                       /*Unreachable=*/false);
    B.SetInsertPoint(Before);
    B.CreateStore(B.getInt64(0), Count);
  }
  B.CreateCall(Total, {B.getInt64(L.Region), B.getInt64(L.Id), So});
}

void Counters::handOver() {
  if (Of.empty())
    return;
  // Declared weak, so the unit needs none of our libraries just for this.
  Module &M = *F.getParent();
  const bool Known = M.getFunction("ek_total");
  Type *Void = Type::getVoidTy(M.getContext());
  Total = M.getOrInsertFunction("ek_total", Void, I64, I64, I64);
  auto *Its = cast<Function>(Total.getCallee());
  if (!Known) {
    Its->setLinkage(GlobalValue::ExternalWeakLinkage);
    Its->setDoesNotThrow();
  }
  SmallVector<Instruction *, 8> Barriers, Ends;
  for (Instruction &I : instructions(F))
    if (isBarrier(I))
      Barriers.push_back(&I);
    else if (isa<ReturnInst>(I))
      Ends.push_back(&I);
  for (Instruction *I : Barriers)
    for (auto &[L, Count] : Of)
      handOver(*L, Count, I, /*Again=*/true);
  for (Instruction *I : Ends)
    for (auto &[L, Count] : Of)
      handOver(*L, Count, I, /*Again=*/!Barriers.empty());
}

void countIn(Function &F, const LoopPlaces &Places) {
  std::vector<std::pair<const CountedLoop *, BasicBlock *>> Latches;
  for (BasicBlock &B : F)
    if (const CountedLoop *L = Places.repeatedBy(*B.getTerminator()))
      Latches.push_back({L, &B});
  if (Latches.empty())
    return;
  DominatorTree DT(F);
  LoopInfo LI(DT);
  Counters Its(F);
  OptimizationRemarkEmitter Remarks(&F);
  std::vector<std::pair<const CountedLoop *, BasicBlock *>> Bodies;
  for (auto [L, Latch] : Latches)
    if (const Loop *Code = LI.getLoopFor(Latch);
        Code && Code->isLoopLatch(Latch)) {
      if (BasicBlock *Body = bodyOf(*Code, L->TestsFirst, DT))
        Bodies.push_back({L, Body});
      else
        Remarks.emit([&, Latch = Latch] {
          return OptimizationRemarkMissed("ek-totals", "several-conditions",
                                          Code->getStartLoc(), Latch)
                 << "several-conditions: its iterations are not counted";
        });
    }
  for (auto [L, Body] : Bodies)
    Its.count(*L, *Body);
  Its.handOver();
}

struct CountLoops : PassInfoMixin<CountLoops> {
  std::shared_ptr<std::vector<CountedLoop>> Loops;

  explicit CountLoops(std::shared_ptr<std::vector<CountedLoop>> Loops)
      : Loops(std::move(Loops)) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (Loops->empty())
      return PreservedAnalyses::all();
    const LoopPlaces Places(*Loops);
    for (Function &F : M)
      if (!F.isDeclaration())
        countIn(F, Places);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

} // namespace

/// Adds the passes that count \p Loops.
static void registerCounting(PassBuilder &PB,
                             std::shared_ptr<std::vector<CountedLoop>> Loops) {
  PB.registerPipelineStartEPCallback(
      [Loops](ModulePassManager &MPM, OptimizationLevel) {
        MPM.addPass(CountLoops(Loops));
      });
  makeCountsCheap(PB);
}

std::shared_ptr<std::vector<CountedLoop>>
countLoops(clang::CompilerInstance &CI) {
  auto Loops = std::make_shared<std::vector<CountedLoop>>();
  clang::CodeGenOptions &Options = CI.getCodeGenOpts();
  if (!Options.DisableLLVMPasses)
    Options.PassBuilderCallbacks.push_back(
        [Loops](PassBuilder &PB) { registerCounting(PB, Loops); });
  return Loops;
}

} // namespace evenkeel
