//===- Prep.cpp - prepare a module for the analysis -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the short pipeline that follows forced inlining.
// Not here: unrolling and vectorising, which would duplicate accesses.
//===----------------------------------------------------------------------===//
#include "unit/Prep.h"
#include "unit/Allocations.h"
#include "unit/Calls.h"
#include "unit/Distances.h"
#include "unit/GiveUps.h"
#include "unit/Managers.h"
#include "unit/Source.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfo.h"

using namespace llvm;

namespace evenkeel {

/// Whether \p V may be a block that its function, or a wrapper called there,
/// has just allocated.
static bool isFresh(const Value *V, unsigned Depth,
                    SmallPtrSetImpl<const Value *> &Seen);

/// Whether \p F is an allocation wrapper: its result is new memory.
static bool returnsFresh(const Function &F, unsigned Depth) {
  if (F.isDeclaration() || !F.getReturnType()->isPointerTy() || Depth > 4)
    return false;
  SmallPtrSet<const Value *, 16> Seen;
  bool Any = false;
  for (const BasicBlock &B : F)
    if (auto *R = dyn_cast<ReturnInst>(B.getTerminator()))
      Any |= isFresh(R->getReturnValue(), Depth, Seen);
  return Any;
}

static bool isFresh(const Value *V, unsigned Depth,
                    SmallPtrSetImpl<const Value *> &Seen) {
  V = V->stripPointerCasts();
  if (!Seen.insert(V).second || Seen.size() > 64)
    return false;
  if (isa<PHINode, SelectInst>(V))
    return any_of(cast<User>(V)->operands(), [&](const Use &U) {
      return U->getType()->isPointerTy() && isFresh(U, Depth, Seen);
    });
  if (auto *G = dyn_cast<GetElementPtrInst>(V)) // after a header of its own
    return isFresh(G->getPointerOperand(), Depth, Seen);
  if (auto *L = dyn_cast<LoadInst>(V)) {
    auto *Slot = dyn_cast<AllocaInst>(L->getPointerOperand());
    return Slot && any_of(Slot->users(), [&](const User *U) {
             auto *CB = dyn_cast<CallBase>(U);
             std::optional<Allocation> A =
                 CB ? allocationOf(*CB) : std::nullopt;
             return A && A->Out >= 0 && CB->getArgOperand(A->Out) == Slot;
           });
  }
  auto *CB = dyn_cast<CallBase>(V);
  if (!CB)
    return false;
  if (std::optional<Allocation> A = allocationOf(*CB))
    return A->Out < 0;
  const Function *Callee = calleeOf(*CB);
  return Callee && returnsFresh(*Callee, Depth + 1);
}

/// Larger functions are not wrappers, but build structures.
static constexpr unsigned MaxWrapper = 200; // instructions

static bool isWrapper(const Function &F) {
  const DISubprogram *SP = F.getSubprogram();
  return SP && F.getInstructionCount() <= MaxWrapper && returnsFresh(F, 0) &&
         !isNamedAllocator(F);
}

/// Marks for inlining, cheapest first, functions from system headers and
/// allocation wrappers (so that blocks of different calls stay distinct), until
/// the copies would grow the module too much; template-heavy code would grow
/// without end. !ek.giveups counts the functions that are not inlined.
static bool forceInlining(Module &M) {
  SourceMap Source(M);
  std::vector<std::tuple<uint64_t, unsigned, Function *>> Candidates;
  uint64_t Size = 0;
  for (Function &F : M) {
    Size += F.getInstructionCount();
    const DISubprogram *SP = F.getSubprogram();
    if (F.isDeclaration() || !SP || !SP->getFile() || F.use_empty() ||
        F.isInterposable() || F.hasFnAttribute(Attribute::OptimizeNone))
      continue;
    bool Wrapper = isWrapper(F);
    if (!Wrapper && (F.hasFnAttribute(Attribute::NoInline) ||
                     !Source.path(SP->getFile(), SP->getUnit()).second))
      continue;
    Candidates.emplace_back(uint64_t(F.getInstructionCount()) * F.getNumUses(),
                            Candidates.size(), &F);
  }
  llvm::sort(Candidates);
  uint64_t Budget = 1000 + Size / 4;
  uint64_t LeftOut = 0;
  bool Forced = false;
  for (auto &[Cost, Position, F] : Candidates) {
    if (Cost > Budget) {
      ++LeftOut;
      continue;
    }
    Budget -= Cost;
    F->removeFnAttr(Attribute::NoInline);
    F->addFnAttr(Attribute::AlwaysInline);
    Forced = true;
  }
  if (LeftOut)
    noteGiveUp(M, "inline-budget", LeftOut);
  return Forced;
}

void prepareModule(Module &M) {
  bool Forced = forceInlining(M);
  PassBuilder PB;
  Managers Of(PB);
  ModulePassManager MPM;
  cantFail(PB.parsePassPipeline(
      MPM, Forced ? "always-inline,function(sroa,early-cse,"
                    "instcombine<no-verify-fixpoint>,"
                    "simplifycfg,loop-simplify,lcssa)"
                  : "function(loop-simplify,lcssa)"));
  MPM.run(M, Of.MAM);
  for (Function &F : M)
    if (!F.isDeclaration())
      countDistances(F, Of.FAM.getResult<LoopAnalysis>(F));
}

} // namespace evenkeel
